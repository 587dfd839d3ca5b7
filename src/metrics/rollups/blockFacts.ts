import { btcBlockFacts } from '#warehouse/tables/rollups.ts'
import type { Rollup } from './rollup.ts'

/** Rows win over a node's statistics block by block. */
export const blockFacts: Rollup = {
  table: btcBlockFacts,
  grains: ['day'],
  scope: 'facts',
  select: () => `SELECT
  {run:UInt64}, toDate(b.block_time) AS bucket, b.height, b.hash, b.block_time, b.median_time, 'rows', toNullable(b.bits),
  b.tx_count, b.input_count - 1, b.output_count, b.output_sat - b.coinbase_sat, b.fee_sat, b.subsidy_sat,
  toNullable(b.coinbase_sat)
FROM btc_blocks AS b
WHERE bucket IN {buckets:Array(Date)}
UNION ALL
SELECT
  {run:UInt64}, s.day AS bucket, s.height, s.hash, s.block_time, s.median_time, 'statistics', s.bits,
  s.tx_count, s.input_count, s.output_count, s.output_sat, s.fee_sat, s.subsidy_sat,
  s.coinbase_sat
FROM btc_statistics_facts AS s
WHERE bucket IN {buckets:Array(Date)} AND s.height NOT IN (SELECT height FROM btc_blocks)`,
}
