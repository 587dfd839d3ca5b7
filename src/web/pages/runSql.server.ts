import type { Api, SqlAnswer, SqlRequest } from '#http/contract.ts'

export type SqlOutcome =
  | { state: 'done'; answer: SqlAnswer }
  | { state: 'failed'; detail: string; hint: string; place: string }

/** Runs SQL in the server’s own process for a page without a script; a refusal comes back as its sentence. */
export async function runSql(api: Api, request: SqlRequest): Promise<SqlOutcome> {
  try {
    return { state: 'done', answer: await api.sql(request) }
  } catch (thrown) {
    if (!(thrown instanceof Error))
      return { state: 'failed', detail: 'The SQL could not be run.', hint: '', place: '' }
    const facts =
      'facts' in thrown && typeof thrown.facts === 'object' ? (thrown.facts as Record<string, unknown>) : {}
    const hint = 'hint' in thrown && typeof thrown.hint === 'string' ? thrown.hint : ''
    const place = facts.line === undefined ? '' : `Line ${facts.line}, column ${facts.column ?? 1}: `
    // Only our own errors carry a code; any other message may say too much.
    return {
      state: 'failed',
      detail: 'code' in thrown ? thrown.message : 'The SQL could not be run.',
      hint,
      place,
    }
  }
}
