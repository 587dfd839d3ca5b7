import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { FAILURES } from './failure.ts'
import type { SlotOptions } from './queue.ts'

/** Who asks; the HTTP user name says so. `guest` and `member` carry people's SQL. */
export const ROLES = ['writer', 'reader', 'guest', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Limits of a role: engine settings that its connections are opened with, and how many run at once. */
export type RoleLimits = SlotOptions & {
  readonly settings: Readonly<Record<string, string | number>>
  /** People's SQL: checked against the lists of the gate, and may only narrow the settings. */
  readonly isPeople: boolean
}

/**
 * Our own statements mark subqueries that they read several times with `AS MATERIALIZED`, so that the engine plans and computes
 * them once. Without this setting, as in user queries, it ignores the mark.
 */
const MATERIALIZE = { enable_materialized_cte: 1 } as const

/** `readers` is how many of our own reads run at once. Times in seconds, memory in bytes. */
export function roleLimits(memoryBytes: number, readers: number): Record<Role, RoleLimits> {
  const share = (part: number) => Math.floor(memoryBytes * part)
  return {
    writer: {
      running: 3,
      waiting: 1000,
      isPeople: false,
      settings: {
        max_memory_usage: share(0.9),
        async_insert: 0,
        max_insert_threads: 2,
        parallel_view_processing: 1,
        ...MATERIALIZE,
      },
    },
    reader: {
      running: readers,
      waiting: 1000,
      isPeople: false,
      settings: {
        readonly: 1,
        max_execution_time: 300,
        max_memory_usage: share(0.8),
        ...MATERIALIZE,
      },
    },
    guest: {
      // More than one address may run at once: nobody can take all places and keep the others waiting.
      running: 4,
      waiting: 50,
      isPeople: true,
      settings: {
        readonly: 1,
        max_execution_time: SQL_LIMITS.guest.seconds,
        max_memory_usage: Math.min(SQL_LIMITS.guest.memoryBytes, share(0.8)),
        // One more row than the limit shows that a result was cut.
        max_result_rows: SQL_LIMITS.guest.rows + 1,
        max_result_bytes: 64 * 2 ** 20,
        max_ast_elements: 10_000,
        max_query_size: 256 * 1024,
      },
    },
    member: {
      running: 2,
      waiting: 50,
      isPeople: true,
      settings: {
        readonly: 1,
        max_execution_time: SQL_LIMITS.member.seconds,
        max_memory_usage: Math.min(SQL_LIMITS.member.memoryBytes, share(0.8)),
        max_result_rows: SQL_LIMITS.member.rows + 1,
        max_result_bytes: 1024 * 2 ** 20,
        max_ast_elements: 50_000,
        max_query_size: 2 ** 20,
      },
    },
  }
}

/** Maximum number of concurrent user queries. */
export const userQueries = ({ guest, member }: Record<Role, RoleLimits>): number =>
  guest.running + member.running

/**
 * Held by all roles. Public views filter by a list of batches: beyond this size the engine must not try to use the list for
 * the index, which costs more than the read itself.
 */
const COMMON = { use_index_for_in_with_subqueries_max_values: 10_000 }

/** Leaves rows out, and comes from our own program alone: no statement of people may hold settings. */
const LEAVES_OUT = 'additional_table_filters'

const NARROWED = ['max_execution_time', 'max_memory_usage', 'max_result_rows', 'max_result_bytes']
const HARMLESS =
  /^(output_format_|format_|date_time_output_format$|limit$|offset$|result_overflow_mode$|max_block_size$|max_threads$)/

/**
 * The settings that a connection of the role is opened with. A request for people's SQL may choose output and narrow its
 * limits; anything else it asks for is refused with 164 READONLY.
 */
export function settingsOf(limits: RoleLimits, asked: ReadonlyMap<string, string>): Map<string, string> {
  const settings = new Map(
    Object.entries({ ...COMMON, ...limits.settings }).map(([name, value]) => [name, String(value)]),
  )
  for (const [name, value] of asked) {
    const own = settings.get(name)
    if (name === 'readonly' && own !== undefined) continue
    if (!limits.isPeople || HARMLESS.test(name) || name === LEAVES_OUT) settings.set(name, value)
    else if (
      NARROWED.includes(name) &&
      own !== undefined &&
      Number(value) > 0 &&
      Number(value) <= Number(own)
    )
      settings.set(name, value)
    else throw FAILURES.readonly(`Cannot modify '${name}' setting in readonly mode.`)
  }
  return settings
}
