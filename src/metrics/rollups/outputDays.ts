import { SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import { btcOutputDays } from '#warehouse/tables/rollups.ts'
import { blocksOf, heightRange, type Rollup } from './rollup.ts'

/** Every type has a row in every bucket: none is a known 0, not a gap. */
export const outputDays: Rollup = {
  table: btcOutputDays,
  grains: ['day'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)}
SELECT {run:UInt64}, bucket, type, sum(outputs), sum(sat)
FROM (
  SELECT b.bucket AS bucket, CAST(o.script_type AS String) AS type, count() AS outputs, sum(o.value_sat) AS sat
  FROM btc_outputs AS o
  INNER JOIN blocks AS b ON b.height = o.height
  WHERE o.${heightRange}
  GROUP BY bucket, type
  UNION ALL
  SELECT DISTINCT bucket, arrayJoin([${SCRIPT_TYPES.map(type => `'${type}'`).join(', ')}]), 0, 0 FROM blocks
)
GROUP BY bucket, type`,
}
