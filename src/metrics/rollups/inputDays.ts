import { btcInputDays } from '#warehouse/tables/rollups.ts'
import { blocksOf, heightRange, type Rollup } from './rollup.ts'

export const inputDays: Rollup = {
  table: btcInputDays,
  grains: ['day'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)}
SELECT
  {run:UInt64}, b.bucket AS bucket,
  countIf(NOT i.is_coinbase),
  countIf(NOT i.is_coinbase AND i.witness_bytes > 0),
  countIf(NOT i.is_coinbase AND i.prev_script_type IS NULL),
  countIf(NOT i.is_coinbase AND i.prev_time IS NULL),
  countIf(NOT i.is_coinbase AND ifNull(i.prev_script_type = 'v1_p2tr', false))
FROM btc_inputs AS i
INNER JOIN blocks AS b ON b.height = i.height
WHERE i.${heightRange}
GROUP BY bucket`,
}
