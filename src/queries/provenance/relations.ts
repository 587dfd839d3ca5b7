import { createHash } from 'node:crypto'
import type { Table } from '#kernel/table.ts'
import { BASE_DATABASE, BATCH_FAMILIES, type Schema, type View } from '#warehouse/index.ts'

/** What a query reads: the public tables in it and beneath them, and the base tables where these end. */
export type Relations = {
  /** With the SHA-256 of how each is defined, by name. */
  readonly tables: readonly { readonly name: string; readonly version: string }[]
  readonly base: ReadonlySet<string>
  /** Metric ids of outside figures that are read; undefined: any. */
  readonly observed: ReadonlySet<string> | undefined
}

/** Tables with the outside figures of all metrics. */
const OBSERVED = ['observations', 'latest_observations']

/**
 * Follows the names in a query through the views to the base tables. A name that is only mentioned counts as read: too much is
 * checked rather than too little. `isOurs`: the SQL of a metric, which names the ids of all outside figures that it reads.
 */
export function relationsOf(sql: string, { views }: Pick<Schema, 'views'>, isOurs: boolean): Relations {
  const known = new Map(views.map(view => [view.name, view]))
  const found = new Map<string, View>()
  const base = new Set<string>()
  let observed: Set<string> | undefined = new Set()
  const visit = (text: string, isOpen: boolean) => {
    const plain = text.replace(/--[^\n]*/g, ' ')
    for (const [, table = ''] of plain.matchAll(new RegExp(`\\b${BASE_DATABASE}\\.(\\w+)`, 'g')))
      base.add(table)
    const names = new Set(plain.match(/\w+/g) ?? [])
    if (OBSERVED.some(name => names.has(name)) && observed !== undefined) {
      const ids = [...plain.matchAll(/'([a-z0-9_]+\.[a-z0-9_]+)'/g)].map(([, id]) => id!)
      if (isOpen || ids.length === 0) observed = undefined
      else for (const id of ids) observed.add(id)
    }
    for (const name of names) {
      const view = known.get(name)
      if (view === undefined || found.has(name)) continue
      found.set(name, view)
      if (name === 'latest_observations') base.add('observations')
      else visit(view.sql, false)
    }
  }
  visit(sql, !isOurs)
  return {
    tables: [...found.values()]
      .map(({ name, sql: text }) => ({ name, version: hashOf(text) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    base,
    observed,
  }
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What rows follow from: blocks of chains, figures of publishers, or a table of records by its name. */
export type Origin =
  | 'bitcoin'
  | 'statistics'
  | 'stacks'
  | 'stacks-burn'
  | 'layers'
  | 'headers'
  | 'observations'
  | 'prices'
  | `records ${string}`

const CHAINS: Readonly<Record<string, Origin>> = {
  btc: 'bitcoin',
  stx: 'stacks',
  stx_burn: 'stacks-burn',
  evm: 'layers',
}

const OF_CHAINS = new Map(
  BATCH_FAMILIES.flatMap(({ prefix, tables, log, live }) =>
    [...tables.map(({ name }) => name), log.name, live.name].map(name => [name, CHAINS[prefix]!] as const),
  ),
)

/** Tables that say how the data came, not what it is. */
const STATE =
  /^(?:sources|chain_followers|chain_endpoints|rollup_runs|stx_kept_messages|dev_attempts|\w+_(?:ingest_states|stale_blocks|refused_blocks))$/

const records = (...tables: readonly string[]): Origin[] => tables.map((table): Origin => `records ${table}`)

/** Tables that are computed from others, and what from. */
const COMPUTED: readonly (readonly [RegExp, readonly Origin[]])[] = [
  [/^btc_block_stats$/, ['statistics']],
  [/^evm_headers$/, ['headers']],
  [/^observations$/, ['observations']],
  [/^prices$/, ['prices']],
  [/^btc_usd_daily$/, ['prices']],
  [/^btc_(?:age|cohort|band)/, ['bitcoin', 'statistics', 'prices']],
  [/^stx_(?:token_prices|pool_values|pool_depths)$/, ['stacks', 'prices']],
  [/^(?:call_hours|nested_hours|call_hour_runs)$/, ['stacks', 'layers']],
  [
    /^index_(?:\w+_rows|runs)$/,
    ['prices', 'observations', ...records('index_rule_loads', 'index_member_loads')],
  ],
  [/^treasury_balance_(?:rows|runs)$/, ['bitcoin', ...records('treasury_address_loads')]],
  [
    /^dev_(?:runs|(?!readings)\w+_rows)$/,
    records('dev_commits', 'dev_readings_rows', 'dev_repository_loads', 'dev_ecosystem_loads'),
  ],
]

/** Where the rows of a base table come from. */
export function originsOf({ name, columns }: Pick<Table, 'name' | 'columns'>): readonly Origin[] {
  const ofChain = OF_CHAINS.get(name)
  if (ofChain !== undefined) return [ofChain]
  if (STATE.test(name)) return []
  const named = COMPUTED.find(([pattern]) => pattern.test(name))
  if (named !== undefined) return named[1]
  // Rows of a refresh follow from blocks.
  if (!('run' in columns)) return records(name)
  if (name.startsWith('btc_')) return ['bitcoin', 'statistics']
  return name.startsWith('stx_') ? ['stacks'] : ['layers', 'headers']
}
