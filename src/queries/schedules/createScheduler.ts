import { randomUUID } from 'node:crypto'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Store } from '#store/index.ts'
import { bindQuery } from '../bindQuery.ts'
import { QueryError } from '../errors.ts'
import type { Runs } from '../runs/createRuns.ts'
import { SCHEDULE_LIMITS } from './createSchedules.ts'
import { nextTimes } from './cron.ts'

export type SchedulerDeps = {
  readonly query: Pick<Store, 'query'>['query']
  readonly runs: Pick<Runs, 'start' | 'settle'>
  /** Whether the owner, a `personKey`, may still run scheduled queries. */
  mayRun(owner: string, email: string | null): Promise<boolean>
  /** The problem that a reader sees for what was thrown. */
  problemOf(thrown: unknown): unknown
  /** Notifies the owner when a schedule starts to fail or pauses. */
  tell?(failure: ScheduleFailure): Promise<void>
  /** Pins the result of a run, which users of the query see until the next run. */
  pin?(result: string, owner: string): Promise<unknown>
  readonly log: Log
  readonly now?: () => number
}

/** A schedule that failed after a success, or paused. */
export type ScheduleFailure = {
  readonly query: string
  readonly name: string
  /** A `personKey`. For accounts of a tenant, `email` is theirs. */
  readonly owner: string
  readonly email: string | null
  readonly problem: unknown
  readonly isPaused: boolean
  /** Failed runs in a row. */
  readonly failures: number
}

export type Scheduler = {
  /** Runs what is due, each once among all servers, and resolves when these runs have ended. Returns how many there were. */
  tick(signal?: AbortSignal): Promise<number>
}

/** Runs of one server at a time: they wait in the queue of their owner like any other. */
const AT_ONCE = 4
/** How long a server that died keeps its claim. */
const CLAIM_MS = 180_000
const LOOK_MS = 60_000
/** After a full queue or an engine that is away. */
const RETRY_MS = 300_000

type Due = {
  query: string
  owner: string
  email: string | null
  sql: string
  cron: string
  /** Values of the schedule. */
  parameters: Record<string, string>
  types: Record<string, string>
  /** Values saved with the query. */
  saved: Record<string, string>
}

/** Columns of a `ScheduleFailure` without its problem. */
const FAILURE = 's.query::text, q.name, s.owner, s.email, s.is_paused AS "isPaused", s.failures'

/** A query that ends servers must pause, too. */
const PAUSE_LOST = `UPDATE assay.query_schedules s
SET is_paused = true, claim = NULL, failures = s.failures + 1, ended_at = $1, problem = $2::jsonb
FROM assay.saved_queries q
WHERE q.id = s.query AND s.claim IS NOT NULL AND s.claimed_until <= $1 AND s.failures + 1 >= ${SCHEDULE_LIMITS.failures}
RETURNING ${FAILURE}`

/** A run that a dead server left behind counts as a failure. */
const CLAIM = `UPDATE assay.query_schedules s
SET claim = $1::uuid, claimed_until = $2, failures = s.failures + CASE WHEN s.claim IS NULL THEN 0 ELSE 1 END
FROM assay.saved_queries q
WHERE q.id = s.query AND s.query IN (
  SELECT d.query FROM assay.query_schedules d
  WHERE NOT d.is_paused AND d.next_at <= $3 AND (d.claim IS NULL OR d.claimed_until <= $3)
  ORDER BY d.next_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
)
RETURNING s.query::text, s.owner, s.email, q.sql, s.cron, s.parameters, s.types, q.parameters AS saved`

type Outcome =
  | { readonly is: 'succeeded'; readonly result: string }
  | { readonly is: 'failed'; readonly problem: unknown; readonly isLast: boolean }
  | { readonly is: 'cancelled' }
  | { readonly is: 'later' }

export function createScheduler({
  query,
  runs,
  mayRun,
  problemOf,
  tell = async () => {},
  pin,
  log,
  now = Date.now,
}: SchedulerDeps): Scheduler {
  const failed = (thrown: unknown, isLast = false): Outcome =>
    isPassing(thrown) ? { is: 'later' } : { is: 'failed', problem: problemOf(thrown), isLast }

  async function run(
    { query: id, owner, email, sql, parameters, types, saved }: Due,
    claim: string,
    signal: AbortSignal,
  ) {
    try {
      if (!(await mayRun(owner, email)))
        return failed(
          new QueryError('sql.schedule_premium', 'Schedules need Premium, which has ended.'),
          true,
        )
      const caller = { owner, caller: owner, role: 'member', hasHistory: true, uploadsOf: owner } as const
      // Ignore values of parameters that the query no longer has.
      const bound = bindQuery(sql, { saved: { ...saved, ...parameters }, types })
      const started = await runs.start({ ...bound, isFresh: false }, caller)
      for (;;) {
        const found = await runs.settle(started.id, owner, LOOK_MS, signal)
        if (found?.state === 'succeeded' && found.result !== null)
          return { is: 'succeeded', result: found.result.hash } as const
        if (found?.state === 'failed') return failed(found.error)
        if (found === undefined || found.state === 'cancelled') return { is: 'cancelled' } as const
        if (signal.aborted) return { is: 'later' } as const
        await query(
          'UPDATE assay.query_schedules SET claimed_until = $3 WHERE query = $1 AND claim = $2::uuid',
          [id, claim, new Date(now() + CLAIM_MS)],
        )
      }
    } catch (thrown) {
      return failed(thrown)
    }
  }

  /** A schedule that was changed meanwhile keeps its new time. */
  async function finish({ query: id, owner, cron }: Due, claim: string, outcome: Outcome): Promise<void> {
    const at = new Date(now())
    if (outcome.is === 'later') {
      await query(
        'UPDATE assay.query_schedules SET claim = NULL, next_at = $3 WHERE query = $1 AND claim = $2::uuid',
        [id, claim, new Date(now() + RETRY_MS)],
      )
      return
    }
    const [next] = nextTimes(cron, at, 1)
    const isFailed = outcome.is === 'failed'
    const [ended] = await query<
      Omit<ScheduleFailure, 'problem'> & { wasFailing: boolean; wasPaused: boolean }
    >(
      `WITH before AS (SELECT query, failures > 0 AND problem IS NOT NULL AS failing, is_paused AS paused FROM assay.query_schedules WHERE query = $1)
UPDATE assay.query_schedules s SET claim = NULL, ended_at = $3, problem = $4::jsonb,
  next_at = CASE WHEN s.cron = $5 THEN $6 ELSE s.next_at END,
  result = coalesce($7, s.result), result_at = CASE WHEN $7::text IS NULL THEN s.result_at ELSE $3 END,
  failures = CASE WHEN $8 THEN s.failures + 1 WHEN $7::text IS NULL THEN s.failures ELSE 0 END,
  is_paused = s.is_paused OR ($8 AND ($9 OR s.failures + 1 >= ${SCHEDULE_LIMITS.failures}))
FROM assay.saved_queries q, before
WHERE q.id = s.query AND before.query = s.query AND s.query = $1 AND s.claim = $2::uuid
RETURNING ${FAILURE}, before.failing AS "wasFailing", before.paused AS "wasPaused"`,
      [
        id,
        claim,
        at,
        isFailed ? JSON.stringify(outcome.problem) : null,
        cron,
        next,
        outcome.is === 'succeeded' ? outcome.result : null,
        isFailed,
        isFailed && outcome.isLast,
      ],
    )
    if (outcome.is === 'succeeded') await pin?.(outcome.result, owner)
    if (!isFailed || ended === undefined) return
    const { wasFailing, wasPaused, ...failure } = ended
    // A failure counted for a lost server did not notify the owner.
    if (!wasFailing || (failure.isPaused && !wasPaused))
      await tellOwner({ ...failure, problem: outcome.problem })
  }

  async function tellOwner(failure: ScheduleFailure): Promise<void> {
    try {
      await tell(failure)
    } catch (cause) {
      log.warn('Could not notify the owner of a failed schedule.', {
        query: failure.query,
        cause: sentenceOf(cause),
      })
    }
  }

  return {
    async tick(signal = new AbortController().signal) {
      const claim = randomUUID()
      const lost = new QueryError('sql.schedule_lost', 'The server ended during each of the last runs.')
      const problem = problemOf(lost)
      const paused = await query<Omit<ScheduleFailure, 'problem'>>(PAUSE_LOST, [
        new Date(now()),
        JSON.stringify(problem),
      ])
      await Promise.all(paused.map(each => tellOwner({ ...each, problem })))
      const due = await query<Due>(CLAIM, [claim, new Date(now() + CLAIM_MS), new Date(now())])
      await Promise.all(
        due.map(async each => {
          try {
            await finish(each, claim, await run(each, claim, signal))
          } catch (cause) {
            log.warn('A scheduled query could not be run.', { query: each.query, cause: sentenceOf(cause) })
          }
        }),
      )
      return due.length
    },
  }
}

/** A full queue, a quota that is used up, and an engine or a store that is away, are no fault of the query. */
const isPassing = (thrown: unknown): boolean =>
  thrown instanceof AssayError &&
  (/^(?:warehouse|store)\./.test(thrown.code) ||
    thrown.code === 'sql.too_many_at_once' ||
    thrown.code === 'sql.quota')
