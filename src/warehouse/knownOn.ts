import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Table } from '#kernel/table.ts'
import { BASE_DATABASE } from './ddl.ts'
import { sqlString } from './types.ts'

const day = new AsyncLocalStorage<string | undefined>()

/** The UTC day on which what is read now was known, where an asker named one: 2026-01-31. Undefined: as it is known today. */
export const knownOn = (): string | undefined => day.getStore()

/** The moment as of which is read, ms: the end of that day, or now. */
export function knownNow(): number {
  const on = knownOn()
  return on === undefined ? Date.now() : Math.min(Date.now(), Date.parse(`${on}T23:59:59Z`))
}

/** Runs `read` so that every read of the warehouse in it sees rows alone that were known at the end of the UTC day `on`. */
export const asKnownOn = <T>(on: string, read: () => T): T => day.run(on, read)

/** Runs `read` outside the day of the request that leads to it: for what all requests share. */
export const asKnownToday = <T>(read: () => T): T => day.run(undefined, read)

/**
 * What a client adds to its reads: of each table the rows that were known by the end of the day (`additional_table_filters`,
 * https://clickhouse.com/docs/operations/settings/settings#additional_table_filters). A publisher's word counts from when it was
 * seen; a recording was made later than its days and counts on each of them; a block counts from its time, a day that was
 * counted from its end.
 */
export function filtersOn(on: string, tables: readonly Table[], recordings: readonly string[]): RowFilters {
  const until = `toDateTime(${sqlString(`${on} 23:59:59`)}, 'UTC')`
  const conditions = (table: Table): string[] => {
    const has = (column: string) => table.columns[column]?.nullable === false
    return [
      ...(['day', 'bucket'] as const).filter(has).map(column => `${column} <= ${sqlString(on)}`),
      ...(has('blockTime') ? [`block_time <= ${until}`] : []),
      ...(has('observedAt')
        ? [`(observed_at <= ${until} OR source IN (${recordings.map(sqlString).join(', ')}))`]
        : []),
    ]
  }
  return tables
    .map(table => [`${BASE_DATABASE}.${table.name}`, conditions(table).join(' AND ')] as const)
    .filter(([, all]) => all !== '')
}

/** Conditions by table, each named with its database. */
export type RowFilters = readonly (readonly [table: string, condition: string])[]

const settingOf = (filters: RowFilters): string =>
  `{${filters.map(([table, condition]) => `${sqlString(table)}: ${sqlString(condition)}`).join(', ')}}`

/**
 * What the engine tells user queries of its tables: those of databases that are open to them. `base` counts rows and bytes
 * that are not committed yet. `information_schema` consists of views of these tables.
 */
export const OPEN_DATABASES_ONLY: RowFilters = ['tables', 'columns'].map(table => [
  `system.${table}`,
  "lower(database) IN ('default', 'system', 'information_schema')",
])

/** The client, which heeds `asKnownOn`. Each of its reads leaves out what `always` leaves out. */
export function withKnownOn<Client extends Pick<ClickHouseClient, 'query' | 'exec'>>(
  client: Client,
  tables: readonly Table[],
  recordings: readonly string[],
  always: RowFilters = [],
): Client {
  const kept = new Map<string, string>()
  const today = settingOf(always)
  const filters = (on: string): string => {
    const made = kept.get(on) ?? settingOf([...filtersOn(on, tables, recordings), ...always])
    // Readers ask for few days; whoever asks for all of them must not fill the memory.
    if (kept.size >= 64) kept.clear()
    kept.set(on, made)
    return made
  }
  const known = <Params extends { clickhouse_settings?: object }>(params: Params): Params => {
    const on = knownOn()
    if (on === undefined && always.length === 0) return params
    const additional_table_filters = on === undefined ? today : filters(on)
    return { ...params, clickhouse_settings: { ...params.clickhouse_settings, additional_table_filters } }
  }
  const own = { query: client.query.bind(client), exec: client.exec.bind(client) }
  return Object.assign(client, {
    query: ((params: Parameters<ClickHouseClient['query']>[0]) =>
      own.query(known(params))) as ClickHouseClient['query'],
    exec: ((params: Parameters<ClickHouseClient['exec']>[0]) =>
      own.exec(known(params))) as ClickHouseClient['exec'],
  })
}
