import { btcFlowDays } from '#warehouse/tables/rollups.ts'
import { blocksOf, heightRange, isUnspendable, overwrittenOutputs, type Rollup, valueBand } from './rollup.ts'

/** What stocks are running sums of: outputs by the day they were made and the day they went. */
export const flowDays: Rollup = {
  table: btcFlowDays,
  grains: ['day'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)},
  ${overwrittenOutputs}
SELECT
  {run:UInt64}, b.bucket AS bucket, if(${isUnspendable}, 'unspendable', 'made') AS kind, bucket AS made_day,
  ${valueBand('o.value_sat')} AS band, false AS is_young, count() AS outputs, sum(o.value_sat) AS sat, toUInt128(0) AS sat_seconds
FROM btc_outputs AS o
INNER JOIN blocks AS b ON b.height = o.height
WHERE o.${heightRange}
GROUP BY bucket, kind, band
UNION ALL
SELECT
  {run:UInt64}, b.bucket AS bucket, 'spent', assumeNotNull(toDate(i.prev_time)) AS made_day,
  ${valueBand('assumeNotNull(i.prev_value_sat)')} AS band,
  toInt64(i.block_time) - toInt64(assumeNotNull(i.prev_time)) <= 3600 AS is_young,
  count(), sum(assumeNotNull(i.prev_value_sat)),
  sum(toUInt128(assumeNotNull(i.prev_value_sat)) * greatest(0, toInt64(i.block_time) - toInt64(assumeNotNull(i.prev_time))))
FROM btc_inputs AS i
INNER JOIN blocks AS b ON b.height = i.height
WHERE i.${heightRange} AND NOT i.is_coinbase AND i.prev_time IS NOT NULL AND i.prev_value_sat IS NOT NULL
GROUP BY bucket, made_day, band, is_young
UNION ALL
SELECT
  {run:UInt64}, bucket, 'overwritten', toDate(made_time) AS made_day, ${valueBand('value_sat')} AS band, false,
  count(), sum(value_sat), toUInt128(0)
FROM overwritten
GROUP BY bucket, made_day, band`,
}
