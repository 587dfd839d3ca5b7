import type { ClickHouseClient } from '@clickhouse/client'
import { ask } from './ask.ts'

/**
 * What figures may rest on: rows of a family of chains, daily prices, what publishers say, of one metric or altogether.
 */
export type Family =
  | 'bitcoin'
  | 'stacks'
  | 'layers'
  | 'prices'
  | 'outside'
  | 'treasuries'
  | 'indices'
  | 'yields'
  | 'developers'
  | `of.${string}`

/** Texts that change whenever what stands behind them does. */
export type Marks = {
  readonly bitcoin: string
  readonly stacks: string
  readonly layers: string
  readonly prices: string
  readonly outside: string
  /** What holders of bitcoin said and did, and the closes of their shares. */
  readonly treasuries: string
  /** The newest computation of indices. */
  readonly indices: string
  /** Which ways to earn with bitcoin there are, and the lists of pools. */
  readonly yields: string
  /** What is counted of those who build, and what the catalogue says of them. */
  readonly developers: string
  /** Of what publishers say, by metric. */
  readonly of: ReadonlyMap<string, string>
}

/** Marks of what publishers say, by metric. */
export const OBSERVED_SQL = `SELECT metric, toString((count(), max(observed_at))) AS mark
FROM base.observations
GROUP BY metric`

/** What holders of bitcoin said and did, and the closes of their shares. */
export const TREASURIES_MARK = `toString((
    (SELECT max(loaded_at) FROM base.treasury_holder_loads),
    (SELECT count() FROM base.treasury_statement_rows),
    (SELECT count() FROM base.treasury_event_rows),
    (SELECT count() FROM base.share_closes),
    (SELECT max(run) FROM base.treasury_balance_runs)
  ))`

/** Indices are computed anew after each change of what they rest on. */
export const INDICES_MARK = 'toString((SELECT max(run) FROM base.index_runs))'
/** Which ways to earn with bitcoin there are, and the lists of pools. */
export const YIELDS_MARK = `toString((
    (SELECT max(loaded_at) FROM base.yield_opportunity_loads),
    (SELECT (count(), max(seen_at)) FROM base.yield_listings)
  ))`

/** What is counted of those who build, and what the catalogue says of them. */
export const DEVELOPERS_MARK = `toString((
    (SELECT max(run) FROM base.dev_runs),
    (SELECT max(loaded_at) FROM base.dev_ecosystem_loads),
    (SELECT count() FROM base.dev_attempts)
  ))`

/** Figures that views of yields read, whichever of them a statement names. */
const BENEATH_YIELDS = [
  'yield.tvl',
  'yield.apy_base',
  'yield.apy_reward',
  'lend.share_price',
  'lend.supply_apr',
  'lend.supplied',
  'vault.exchange_rate',
  'vault.btc_held',
].map((id): Family => `of.${id}`)

const rollupsOf = (family: string): string =>
  `(SELECT (count(), max(run)) FROM base.rollup_runs WHERE startsWith(rollup, '${family}_'))`

const MARKS_SQL = `SELECT
  toString((
    (SELECT (count(), max(seq)) FROM base.btc_batches),
    (SELECT count() FROM base.btc_block_stats),
    (SELECT count() FROM base.btc_stale_blocks),
    (SELECT count() FROM base.btc_refused_blocks),
    ${rollupsOf('btc')}
  )) AS bitcoin,
  toString((
    (SELECT (count(), max(seq)) FROM base.stx_batches),
    (SELECT (count(), max(seq)) FROM base.stx_burn_batches),
    (SELECT count() FROM base.stx_tokens),
    ${rollupsOf('stx')}
  )) AS stacks,
  toString((
    -- Each layer counts by itself, and what the log lets go of makes it shorter.
    (SELECT (count(), max(seq), max(decided_at)) FROM base.evm_batches),
    (SELECT count() FROM base.evm_headers),
    (SELECT count() FROM base.evm_tokens),
    -- Whether a day of theirs is over is told by the clock too.
    intDiv(toUnixTimestamp(now('UTC')), 600),
    ${rollupsOf('evm')}
  )) AS layers,
  toString((SELECT count() FROM base.prices)) AS prices,
  toString((SELECT count() FROM base.observations)) AS outside,
  ${TREASURIES_MARK} AS treasuries,
  ${INDICES_MARK} AS indices,
  ${YIELDS_MARK} AS yields,
  ${DEVELOPERS_MARK} AS developers`

export async function readMarks(reader: ClickHouseClient): Promise<Marks> {
  const [[marks], observed] = await Promise.all([
    ask<Omit<Marks, 'of'>>(reader, MARKS_SQL),
    ask<{ metric: string; mark: string }>(reader, OBSERVED_SQL),
  ])
  return { ...marks!, of: new Map(observed.map(({ metric, mark }) => [metric, mark])) }
}

/**
 * What the rows of a statement rest on, by the names of its relations: those of Bitcoin alone are `btc_…`; those of Stacks
 * and of the layers may read Bitcoin’s beneath, and the ones of all chains read everything. Whatever rests on a chain may
 * be valued in money. Of publishers’ figures it rests on those of the metrics that it names, as texts.
 */
export function familiesOf(sql: string): readonly Family[] {
  const found = known.get(sql)
  if (found !== undefined) return found
  const families = readFamilies(sql)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(sql, families)
  return families
}

/** Statements are few and asked about with each figure; those with an address in them are not to add up. */
const MOST_KNOWN = 5_000
const known = new Map<string, readonly Family[]>()

/** Views of these names are said to rest on prices by themselves. */
const OF_PRICES = ['treasury', 'index', 'yield']

function readFamilies(sql: string): Family[] {
  const names = new Set([...sql.matchAll(/\b([a-z0-9]+)_[a-z0-9_]+\b/g)].map(([, prefix]) => prefix))
  const isAll = names.has('chain') || names.has('rootstock')
  const isOfChains = isAll || ['btc', 'stx', 'evm'].some(family => names.has(family))
  const metrics = [...sql.matchAll(/'([a-z0-9_]+\.[a-z0-9_]+)'/g)].map(([, id]) => `of.${id}` as const)
  return [
    ...(isOfChains ? (['bitcoin', 'prices'] as const) : []),
    ...(isAll || names.has('stx') ? (['stacks'] as const) : []),
    ...(isAll || names.has('evm') ? (['layers'] as const) : []),
    // Their values in dollars rest on prices.
    // Reports to the SEC and balances of published addresses are statements too.
    ...(names.has('treasury') ? (['treasuries', 'prices', 'bitcoin', 'of.btc.held'] as const) : []),
    ...(names.has('dev') ? (['developers'] as const) : []),
    // They stand beside closes of bitcoin and ether.
    ...(names.has('index') ? (['indices', 'prices'] as const) : []),
    // Bonds print what they pay.
    ...(names.has('yield') ? (['yields', 'stacks', 'prices', ...BENEATH_YIELDS] as const) : []),
    ...(!isOfChains && !OF_PRICES.some(name => names.has(name)) && /\bprices\b/.test(sql)
      ? (['prices'] as const)
      : []),
    ...(/\bobservations\b|_observations\b/.test(sql)
      ? metrics.length > 0
        ? new Set(metrics)
        : (['outside'] as const)
      : []),
  ]
}

/** The marks of what the rows of a statement rest on. */
export const basisOf = (sql: string, marks: Marks): string =>
  JSON.stringify(
    familiesOf(sql).map(family => [
      family,
      family.startsWith('of.') ? marks.of.get(family.slice('of.'.length)) : marks[family as keyof Marks],
    ]),
  )
