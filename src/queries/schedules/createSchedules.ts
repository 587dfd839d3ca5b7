import type { OpenType } from '#kernel/sqlParameters.ts'
import type { Store } from '#store/index.ts'
import { bindQuery } from '../bindQuery.ts'
import { QueryError } from '../errors.ts'
import type { Executor } from '../execute.ts'
import { ACCESS } from '../saved/access.ts'
import { nextTimes } from './cron.ts'

export const SCHEDULE_LIMITS = {
  /** Schedules of one user with Premium. */
  ofOwner: 20,
  /** Failed runs in a row after which a schedule pauses. */
  failures: 5,
} as const
const NEXT_SHOWN = 5

/** Schedule of a saved query, with its own parameter values. */
export type QuerySchedule = {
  readonly cron: string
  readonly parameters: Readonly<Record<string, string>>
  /** Of parameters written `{{name}}`. */
  readonly types: Readonly<Record<string, OpenType>>
  readonly isPaused: boolean
  /** Failed runs in a row. */
  readonly failures: number
  /** Empty while it is paused. */
  readonly next: readonly Date[]
}

/** Outcome of the last scheduled run. */
export type LatestRun = {
  readonly endedAt: Date
  /** Of the latest run that succeeded. */
  readonly result: string | null
  readonly resultAt: Date | null
  /** Why the latest run failed; null if it succeeded. For the owner of the query alone. */
  readonly problem: unknown
}

export type ScheduleState = {
  readonly schedule: QuerySchedule | null
  readonly latest: LatestRun | null
}

/** All throw `sql.saved_unknown` for a query that the caller may not read, or not own where it is changed. */
export type Schedules = {
  read(query: string, reader: string | undefined): Promise<ScheduleState>
  /**
   * Sets or resumes a schedule. Throws `sql.schedule_form`, `sql.schedules_full`, and errors in the query or its values
   * (`bindQuery`, `Executor.check`).
   */
  set(
    query: string,
    schedule: {
      readonly cron: string
      readonly parameters: Readonly<Record<string, string>>
      readonly types: Readonly<Record<string, OpenType>>
      readonly isPaused: boolean
      /** Confirmed email of the owner: what was granted to it holds for scheduled runs too. */
      readonly email: string | null
    },
    owner: string,
  ): Promise<ScheduleState>
  remove(query: string, owner: string): Promise<void>
  export(owner: string): Promise<unknown>
}

type ScheduledQuery = { sql: string; parameters: Record<string, string> }

type Row = {
  access: string | null
  cron: string | null
  parameters: Record<string, string>
  types: Record<string, OpenType>
  is_paused: boolean
  failures: number
  ended_at: Date | null
  result: string | null
  result_at: Date | null
  problem: unknown
}

export type ScheduleDeps = {
  readonly query: Pick<Store, 'query'>['query']
  /** Throws if the query cannot run with its parameters. */
  readonly check?: Executor['check']
  readonly now?: () => number
}

export function createSchedules({ query, check = async () => {}, now = Date.now }: ScheduleDeps): Schedules {
  const read: Schedules['read'] = async (id, reader) => {
    const [row] = await query<Row>(
      `SELECT (${ACCESS}) AS access, s.cron, s.parameters, s.types, s.is_paused, s.failures, s.ended_at, s.result, s.result_at, s.problem
FROM assay.saved_queries q LEFT JOIN assay.query_schedules s ON s.query = q.id WHERE q.id = $2`,
      [reader ?? null, id],
    )
    if (row === undefined || row.access === null) throw unknown()
    if (row.cron === null) return { schedule: null, latest: null }
    const {
      cron,
      parameters,
      is_paused: isPaused,
      failures,
      ended_at: endedAt,
      result,
      result_at: resultAt,
    } = row
    return {
      schedule: {
        cron,
        parameters,
        types: row.types,
        isPaused,
        failures,
        next: isPaused ? [] : nextTimes(cron, new Date(now()), NEXT_SHOWN),
      },
      latest:
        endedAt === null
          ? null
          : { endedAt, result, resultAt, problem: row.access === 'owner' ? row.problem : null },
    }
  }
  const ownQuery = async (id: string, owner: string): Promise<ScheduledQuery> => {
    const [found] = await query<ScheduledQuery>(
      'SELECT sql, parameters FROM assay.saved_queries WHERE id = $1 AND owner = $2',
      [id, owner],
    )
    if (found === undefined) throw unknown()
    return found
  }
  return {
    read,
    async set(id, { cron: given, parameters, types, isPaused, email }, owner) {
      const { sql, parameters: saved } = await ownQuery(id, owner)
      // A failing schedule can still be paused.
      if (!isPaused) await check(bindQuery(sql, { given: parameters, saved, types }))
      const at = new Date(now())
      const cron = given.trim().replaceAll(/\s+/g, ' ')
      const [next] = nextTimes(cron, at, 1)
      const written = await query(
        `INSERT INTO assay.query_schedules (query, owner, email, cron, parameters, is_paused, next_at, types)
SELECT $1::uuid, $2::text, $3::text, $4::text, $5::jsonb, $6::boolean, $7::timestamptz, $8::jsonb
WHERE (SELECT count(*) FROM assay.query_schedules WHERE owner = $2::text AND query <> $1::uuid) < ${SCHEDULE_LIMITS.ofOwner}
ON CONFLICT (query) DO UPDATE SET email = excluded.email, cron = excluded.cron, parameters = excluded.parameters, types = excluded.types,
  is_paused = excluded.is_paused, next_at = excluded.next_at, failures = 0
RETURNING query`,
        [id, owner, email, cron, JSON.stringify(parameters), isPaused, next, JSON.stringify(types)],
      )
      if (written.length === 0)
        throw new QueryError('sql.schedules_full', `You can have ${SCHEDULE_LIMITS.ofOwner} schedules.`, {
          hint: 'Delete a schedule that you no longer need.',
        })
      return read(id, owner)
    },
    async remove(id, owner) {
      await ownQuery(id, owner)
      await query('DELETE FROM assay.query_schedules WHERE query = $1', [id])
    },
    export: owner =>
      query(
        'SELECT query::text, cron, parameters, is_paused AS "isPaused" FROM assay.query_schedules WHERE owner = $1',
        [owner],
      ),
  }
}

const unknown = (): QueryError =>
  new QueryError('sql.saved_unknown', 'No saved query has this id, or its owner does not share it.', {
    hint: 'Ask its owner for access, or search the public queries.',
  })
