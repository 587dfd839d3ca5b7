import { limitedKey } from '#accounts/index.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import {
  bindQuery,
  EXECUTION_LIMITS,
  isOfQuery,
  type PastRun,
  type QueryTool,
  type Run,
  type SavedQuery,
  slotsOf,
} from '#queries/index.ts'
import { ApiError, asking, problemOf } from '../apiError.ts'
import type { QueryEstimate, QueryHistory, QueryRun, QueryRunEvent } from '../contract.ts'
import { firstRowsOf, resultOf, runOf, usageAnswer } from './answers.ts'
import { type QueryCaller, requireOwner, type Who } from './callers.ts'
import type { KeyChecks } from './keyChecks.ts'

/** The text and parameters of a saved query that this caller may run. */
type SavedRun = {
  readonly id: string
  readonly parameters: Record<string, string>
  readonly isFresh: boolean
  readonly waitMs: number
}

/** Query runs, estimates and history. */
export function createRunsApi(
  { executor, estimate, runs, results, history, saved }: QueryTool,
  { checkText }: Pick<KeyChecks, 'checkText'>,
) {
  const checkRun = async (id: string, caller: QueryCaller): Promise<void> => {
    const run = await runs.get(id, caller.owner)
    if (run !== undefined) await checkText(run.sql, caller)
  }
  /** The saved query, if this caller may run it. */
  const runnable = async (id: string, { person, owner }: QueryCaller): Promise<SavedQuery> => {
    if (person?.queries !== undefined) {
      if (!person.queries.has(id)) throw limitedKey()
      const own = await saved.get(id, owner)
      if (!own.isOwn) throw limitedKey()
      return own
    }
    const isKeyForSql = person?.via === 'key' && !person.scopes.has('read:own')
    // The response includes the text, which such a key may read only if the query is public.
    return saved.get(id, person === undefined || isKeyForSql ? undefined : owner)
  }
  const found = (run: Run | undefined): QueryRun => {
    if (run !== undefined) return runOf(run)
    throw new ApiError(
      problemOf('sql.unknown_run', 'No query run has this id, or it belongs to another user.', {
        hint: 'Runs are available for an hour after they end.',
      }),
    )
  }
  const pastOf = async (run: PastRun): Promise<QueryHistory['runs'][number]> => {
    const stored = run.result === null ? undefined : await results.find(run.result)
    return {
      ...run,
      parameters: { ...run.parameters },
      createdAt: run.createdAt.toISOString(),
      startedAt: run.startedAt?.toISOString() ?? null,
      endedAt: run.endedAt?.toISOString() ?? null,
      result: stored === undefined ? null : resultOf(stored),
      // Written by `problemOf` when the run ended.
      problem: run.problem as QueryRun['problem'],
    }
  }

  return {
    async start(
      request: {
        sql: string
        parameters: Record<string, string>
        isFresh: boolean
        waitMs: number
        dataVersion?: string
      },
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<QueryRun> {
      return asking(async () => {
        await checkText(request.sql, caller)
        const run = await runs.start(request, caller)
        return found(await runs.settle(run.id, caller.owner, request.waitMs, signal))
      })
    },
    /** Runs the current version of a saved query. Its saved values apply to missing parameters. */
    startSaved(request: SavedRun, caller: QueryCaller, signal: AbortSignal): Promise<QueryRun> {
      return asking(async () => {
        const { sql, parameters: saved } = await runnable(request.id, caller)
        const { parameters: given, isFresh, waitMs } = request
        const run = await runs.start({ ...bindQuery(sql, { given, saved }), isFresh }, caller)
        return found(await runs.settle(run.id, caller.owner, waitMs, signal))
      })
    },
    /** Waits up to `ms` for the run to end. */
    wait: (id: string, caller: QueryCaller, ms: number, signal: AbortSignal) =>
      asking(async () => {
        await checkRun(id, caller)
        return found(await runs.settle(id, caller.owner, ms, signal))
      }),
    run: (id: string, caller: QueryCaller) =>
      asking(async () => {
        await checkRun(id, caller)
        return found(await runs.get(id, caller.owner))
      }),
    cancel: (id: string, caller: QueryCaller) =>
      asking(async () => {
        await checkRun(id, caller)
        return found(await runs.cancel(id, caller.owner))
      }),
    async follow(
      id: string,
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<AsyncIterable<{ name: string; data: QueryRunEvent }>> {
      await asking(() => checkRun(id, caller))
      const followed = await runs.follow(id, caller.owner, signal)
      if (followed === undefined) found(undefined)
      return (async function* () {
        let sent: Run['firstRows']
        for await (const run of followed ?? []) {
          const { firstRows = sent } = run
          const isReadable = firstRows?.isOfUploads === false || caller.uploadsOf === run.owner
          const isNew = firstRows !== sent && isReadable
          sent = firstRows
          yield { name: 'run', data: { ...runOf(run), ...(isNew && firstRowsOf(firstRows)) } }
        }
      })()
    },
    estimate: (
      { sql, parameters }: { sql: string; parameters: Record<string, string> },
      caller: QueryCaller,
    ): Promise<QueryEstimate> =>
      asking(async () => {
        const { seconds, memoryBytes, rows } = SQL_LIMITS[caller.role]
        const running = slotsOf(EXECUTION_LIMITS.turns, caller.role === 'member').most
        const limits = { seconds, memoryBytes, rows, running }
        const counted = await executor.usageOf(caller.caller, caller.role)
        const usage = counted && usageAnswer(counted)
        try {
          return {
            ...(usage && { usage }),
            rows: await estimate({ sql, parameters, uploadsOf: caller.uploadsOf }, caller),
            limits,
          }
        } catch (cause) {
          if (isOfQuery(cause)) return { ...(usage && { usage }), rows: null, limits }
          throw cause
        }
      }),
    history: (
      who: Who,
      window: { limit: number; before: Date | undefined; search?: string | undefined },
    ): Promise<QueryHistory> =>
      asking(async () => {
        const past = await history.list(requireOwner(who, 'read:own'), window)
        return { runs: await Promise.all(past.map(pastOf)) }
      }),
  }
}
