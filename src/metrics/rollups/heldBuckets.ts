import { btcHeldBuckets } from '#warehouse/tables/rollups.ts'
import { blocksOf, type Rollup } from './rollup.ts'

export const heldBuckets: Rollup = {
  table: btcHeldBuckets,
  grains: ['day', 'week', 'month', 'day_mtp'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)}
SELECT {run:UInt64}, '${grain}', b.bucket, count(), min(b.height), max(b.height), max(h.block_time)
FROM btc_blocks AS h
INNER JOIN blocks AS b ON b.height = h.height
GROUP BY b.bucket`,
}
