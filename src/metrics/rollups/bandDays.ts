import { btcBandDays } from '#warehouse/tables/rollups.ts'
import type { Rollup } from './rollup.ts'

/** +1 where outputs enter the unspent set, −1 where they leave it, 0 where they never enter. */
export const unspentSign = "multiIf(kind = 'made', 1, kind IN ('spent', 'overwritten'), -1, 0)"

/** A day's flows by value alone: what stocks of outputs and coins are running sums of. */
export const bandDays: Rollup = {
  table: btcBandDays,
  grains: ['day'],
  scope: 'bucket',
  select: () => `SELECT
  {run:UInt64}, bucket, value_band,
  sum(${unspentSign} * toInt64(output_count)),
  sum(${unspentSign} * toInt64(value_sat)),
  sumIf(value_sat, kind IN ('unspendable', 'overwritten')),
  sumIf(value_sat, kind = 'spent'),
  sumIf(sat_seconds, kind = 'spent')
FROM btc_flow_days
WHERE bucket IN {buckets:Array(Date)}
GROUP BY bucket, value_band`,
}
