import type { Api, SqlAnswer, SqlRequest } from '#http/contract.ts'
import { problemOf } from './problemOf.server.ts'

export type SqlOutcome =
  | { state: 'done'; answer: SqlAnswer }
  | { state: 'failed'; code: string; detail: string; hint: string; place: string }

/** Runs submitted SQL in the server process for pages without JavaScript. Errors come back as messages. */
export async function runSql(api: Pick<Api, 'formSql'>, request: SqlRequest): Promise<SqlOutcome> {
  try {
    return { state: 'done', answer: await api.formSql(request) }
  } catch (thrown) {
    const problem = problemOf(thrown)
    if (!problem)
      return { state: 'failed', code: '', detail: 'The SQL could not be run.', hint: '', place: '' }
    const place = problem.line === undefined ? '' : `Line ${problem.line}, column ${problem.column ?? 1}: `
    return { state: 'failed', code: problem.code, detail: problem.detail, hint: problem.hint ?? '', place }
  }
}
