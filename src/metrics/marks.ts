import type { ClickHouseClient } from '@clickhouse/client'
import { ask } from './ask.ts'

/** Texts that change whenever rows of a family of chains, or what others say, do. */
export type Marks = {
  readonly bitcoin: string
  readonly stacks: string
  readonly layers: string
  readonly outside: string
}

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
  toString((
    (SELECT count() FROM base.observations),
    (SELECT count() FROM base.prices),
    (SELECT count() FROM base.sources)
  )) AS outside`

export async function readMarks(reader: ClickHouseClient): Promise<Marks> {
  const [marks] = await ask<Marks>(reader, MARKS_SQL)
  return marks!
}

/**
 * What the rows of a statement rest on, by the names of its relations: those of Bitcoin alone are `btc_…`; those of Stacks
 * and of the layers may read Bitcoin’s beneath, and the ones of all chains read everything.
 * What publishers say alone rests on no chain.
 */
export function familiesOf(sql: string): (keyof Marks)[] {
  const names = new Set([...sql.matchAll(/\b([a-z0-9]+)_[a-z0-9_]+\b/g)].map(([, prefix]) => prefix))
  const isAll = names.has('chain') || names.has('rootstock')
  const isOfChains = isAll || ['btc', 'stx', 'evm'].some(family => names.has(family))
  return [
    'outside',
    ...(isOfChains ? (['bitcoin'] as const) : []),
    ...(isAll || names.has('stx') ? (['stacks'] as const) : []),
    ...(isAll || names.has('evm') ? (['layers'] as const) : []),
  ]
}

/** The marks of what the rows of a statement rest on. */
export const basisOf = (sql: string, marks: Marks): string =>
  JSON.stringify(familiesOf(sql).map(family => [family, marks[family]]))
