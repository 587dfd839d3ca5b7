import type { StacksSource } from '#chains/stacks/node/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { Difference } from '../verify.ts'
import { type Ask, compareBlock } from './compare.ts'

export type StacksVerifyOptions = {
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** A second source: sampled heights are read from it again. Without one what is held is checked against itself. */
  readonly source?: StacksSource | undefined
  /** How many heights are sampled, spread evenly over what is held; 20 unless given. */
  readonly samples?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type StacksVerifyReport = {
  readonly blockCount: number
  /** Heights that were compared with the source. */
  readonly sampled: readonly number[]
  /** At most 1,000. */
  readonly differences: readonly Difference[]
}

const MOST = 1000
const STRETCH = 10_000
const SAMPLES = 20

/** What each check compares; `held` and `expected` are texts, so that one query answers for all. */
const CHECKS: readonly { readonly what: string; readonly sql: string }[] = [
  {
    what: 'link to the block below',
    sql: `
SELECT blocks.height AS height, lower(hex(blocks.prev_hash)) AS held, lower(hex(below.hash)) AS expected
FROM stx_blocks AS blocks
INNER JOIN stx_blocks AS below ON below.height = blocks.height - 1
WHERE blocks.height BETWEEN {from:UInt32} AND {to:UInt32} AND blocks.height > 0 AND blocks.prev_hash != below.hash`,
  },
  {
    what: 'one block a height',
    sql: `
SELECT height, toString(count()) AS held, '1' AS expected
FROM stx_blocks WHERE height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY height HAVING count() != 1`,
  },
  {
    what: 'one Bitcoin block a height under it',
    sql: `
SELECT blocks.height AS height, lower(hex(blocks.burn_hash)) AS held, lower(hex(burned.hash)) AS expected
FROM stx_blocks AS blocks
INNER JOIN stx_burn_blocks AS burned ON burned.height = blocks.burn_height
WHERE blocks.height BETWEEN {from:UInt32} AND {to:UInt32} AND blocks.burn_hash != burned.hash`,
  },
  sumCheck('transactions', 'tx_count', 'SELECT height, count() AS total FROM stx_txs'),
  sumCheck(
    'failed transactions',
    'failed_tx_count',
    'SELECT height, countIf(NOT is_success) AS total FROM stx_txs',
  ),
  sumCheck('fees', 'fee_ustx', 'SELECT height, sum(fee_ustx) AS total FROM stx_txs'),
  sumCheck('running time', 'runtime', 'SELECT height, sum(runtime) AS total FROM stx_txs'),
  sumCheck('events by transaction', 'event_count', 'SELECT height, sum(event_count) AS total FROM stx_txs'),
  sumCheck('contracts', 'contract_count', 'SELECT height, count() AS total FROM stx_contracts'),
  sumCheck(
    'events',
    'event_count',
    `SELECT height, count() AS total FROM (
  SELECT height FROM stx_transfers UNION ALL SELECT height FROM stx_prints UNION ALL SELECT height FROM stx_locks
  UNION ALL SELECT height FROM stx_unknowns WHERE what = 'event'
)`,
  ),
  sumCheck(
    'rewards of miners',
    'miner_reward_ustx',
    `SELECT height, sum(coinbase_ustx + tx_fee_ustx + streamed_confirmed_ustx + streamed_produced_ustx) AS total
FROM stx_miner_rewards`,
  ),
]

function sumCheck(what: string, column: string, parts: string): { what: string; sql: string } {
  return {
    what,
    sql: `
SELECT blocks.height AS height, toString(blocks.${column}) AS held, toString(parts.total) AS expected
FROM stx_blocks AS blocks
LEFT JOIN (${parts} WHERE height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY height) AS parts ON parts.height = blocks.height
WHERE blocks.height BETWEEN {from:UInt32} AND {to:UInt32} AND blocks.${column} != parts.total`,
  }
}

/** Checks a stretch of what readers see of Stacks against itself, and sampled heights against a source; everything held unless bounded. */
export async function verifyStacks(
  warehouse: Warehouse,
  options: StacksVerifyOptions = {},
): Promise<StacksVerifyReport> {
  const ask: Ask = async <T>(query: string, query_params: Record<string, unknown>): Promise<T[]> => {
    options.signal?.throwIfAborted()
    return (await warehouse.reader.query({ query, query_params, format: 'JSONEachRow' })).json<T>()
  }
  const stretches = await ask<{ low: number; high: number; count: string }>(
    `SELECT min(height) AS low, max(height) AS high, toString(count()) AS count FROM stx_blocks
WHERE height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY intDiv(height, ${STRETCH}) ORDER BY low`,
    { from: options.from ?? 0, to: options.to ?? 0xffff_ffff },
  )
  const differences: Difference[] = []
  for (const { low: from, high: to } of stretches)
    for (const { what, sql } of CHECKS) {
      if (differences.length >= MOST) break
      const rows = await ask<Omit<Difference, 'what'>>(`${sql}\nORDER BY height LIMIT ${MOST}`, { from, to })
      differences.push(...rows.map(row => ({ ...row, what })))
    }
  const sampled: number[] = []
  if (options.source !== undefined) {
    const heights = await ask<{ height: number }>(SAMPLE_SQL, {
      from: options.from ?? 0,
      to: options.to ?? 0xffff_ffff,
      samples: Math.max(1, options.samples ?? SAMPLES),
    })
    for (const { height } of heights) {
      sampled.push(height)
      differences.push(...(await compareBlock(ask, options.source, height, options.signal)))
    }
  }
  return {
    sampled,
    blockCount: stretches.reduce((sum, { count }) => sum + Number(count), 0),
    differences: differences.slice(0, MOST),
  }
}

/** Heights spread evenly over what is held, the first and the last among them. */
const SAMPLE_SQL = `WITH
  numbered AS (
    SELECT height, row_number() OVER (ORDER BY height) - 1 AS place, count() OVER () AS total
    FROM stx_blocks
    WHERE height BETWEEN {from:UInt32} AND {to:UInt32}
  )
SELECT height
FROM numbered
WHERE place = total - 1 OR intDiv(place * {samples:UInt32}, total) != intDiv((place - 1) * {samples:UInt32}, total) OR place = 0
ORDER BY height
LIMIT {samples:UInt32} + 1`
