import { randomUUID } from 'node:crypto'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { QueryError } from '../errors.ts'
import type { Run, RunCaller } from './createRuns.ts'
import type { History } from './history.ts'

/** Runs a query that stores no result, and adds it to the history of its caller. */
export type RecordRun = <T>(
  query: Pick<Run, 'sql' | 'parameters'>,
  caller: Pick<RunCaller, 'owner' | 'hasHistory'>,
  run: () => Promise<T>,
) => Promise<T>

export const unrecorded: RecordRun = (_query, _caller, run) => run()

export function createRecorder(
  history: Pick<History, 'add'>,
  { problemOf, log }: { problemOf: (thrown: unknown) => unknown; log: Log },
): RecordRun {
  return async ({ sql, parameters }, { owner, hasHistory }, run) => {
    if (!hasHistory) return run()
    const createdAt = Date.now()
    // Not awaited, so it does not delay the rows.
    const add = (state: Run['state'], problem: unknown) =>
      history
        .add(
          owner,
          {
            id: randomUUID(),
            owner,
            sql,
            parameters,
            state,
            createdAt,
            startedAt: createdAt,
            endedAt: Date.now(),
            queue: null,
            progress: null,
            result: null,
            isReused: false,
            error: null,
          },
          problem,
          true,
        )
        .catch(cause => log.warn('A query could not be added to the history.', { cause: sentenceOf(cause) }))
    try {
      const answer = await run()
      void add('succeeded', null)
      return answer
    } catch (cause) {
      if (isCancelled(cause)) void add('cancelled', null)
      else void add('failed', problemOf(cause))
      throw cause
    }
  }
}

const isCancelled = (thrown: unknown): boolean =>
  thrown instanceof QueryError
    ? thrown.code === 'sql.cancelled'
    : thrown instanceof Error && isCancelled(thrown.cause)
