import type { ResultFileFormat } from '#queries/index.ts'
import { ApiError, problemOf } from '../apiError.ts'
import type { Body } from '../cache/answerCache.ts'
import type { QueryRun } from '../contract.ts'
import { type FileStream, json } from '../route.ts'
import type { QueriesApi } from './api.ts'
import type { QueryCaller } from './callers.ts'
import { resultFile } from './resultFile.ts'

type Asked = {
  readonly format?: ResultFileFormat
  readonly caller: QueryCaller
  readonly signal: AbortSignal
}

/** A run as JSON, with 202 while it has not ended. */
const runAnswer = (run: QueryRun): Body => ({ ...json(run), status: run.endedAt === null ? 202 : 200 })

/**
 * The result of a run as a file if a format was requested, otherwise the run. A run that has not ended yet is always JSON. Throws the
 * problem of a failed run, because a file cannot state it.
 */
export async function runOrFile(
  api: QueriesApi,
  run: QueryRun,
  { format, caller, signal }: Asked,
): Promise<Body | FileStream> {
  if (format === undefined) return runAnswer(run)
  // Only the response has the id, so nobody can cancel the run of a caller who left.
  if (signal.aborted && run.endedAt === null) await api.cancel(run.id, caller)
  if (run.problem !== null) throw new ApiError(run.problem)
  if (run.state === 'cancelled') throw new ApiError(problemOf('sql.cancelled', 'The query was canceled.'))
  if (run.result === null) return runAnswer(run)
  const file = await resultFile(api, {
    result: run.result,
    query: { offset: 0, format },
    caller,
    headers: {},
    method: 'POST',
    signal,
  })
  return { ...file, headers: { ...file.headers, 'assay-run': run.id, 'assay-result': run.result.hash } }
}
