import { btcActiveBuckets, btcAddressDays } from '#warehouse/tables/rollups.ts'
import { addressOf, blocksOf, heightRange, overwrittenOutputs, type Rollup } from './rollup.ts'

/**
 * Received minus spent by address and day. Genesis pays nobody: its output is no part of the unspent set. What moved by bare
 * keys stands beside: it belongs to the same owner, and a balance of the address does not count it.
 */
export const addressDays: Rollup = {
  table: btcAddressDays,
  grains: ['day'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)},
  ${overwrittenOutputs}
SELECT {run:UInt64}, address, bucket, sum(change), sum(key_change), max(is_named)
FROM (
  SELECT
    ${addressOf('o.script_type', 'o.script')} AS address, b.bucket AS bucket,
    sum(if(o.height = 0, 0, toInt64(o.value_sat))) AS change,
    sumIf(if(o.height = 0, 0, toInt64(o.value_sat)), o.script_type = 'p2pk') AS key_change,
    max(o.script_type != 'p2pk') AS is_named
  FROM btc_outputs AS o
  INNER JOIN blocks AS b ON b.height = o.height
  WHERE o.${heightRange} AND o.script_type != 'op_return'
  GROUP BY address, bucket
  UNION ALL
  SELECT
    ${addressOf('i.prev_script_type', 'i.prev_script')} AS address, b.bucket AS bucket,
    -sum(toInt64(assumeNotNull(i.prev_value_sat))),
    -sumIf(toInt64(assumeNotNull(i.prev_value_sat)), i.prev_script_type = 'p2pk'),
    max(i.prev_script_type != 'p2pk')
  FROM btc_inputs AS i
  INNER JOIN blocks AS b ON b.height = i.height
  WHERE i.${heightRange} AND NOT i.is_coinbase AND i.prev_script_type IS NOT NULL
  GROUP BY address, bucket
  UNION ALL
  SELECT
    ${addressOf('script_type', 'script')} AS address, bucket, -sum(toInt64(value_sat)),
    -sumIf(toInt64(value_sat), script_type = 'p2pk'), max(script_type != 'p2pk')
  FROM overwritten
  WHERE script_type != 'op_return'
  GROUP BY address, bucket
)
GROUP BY address, bucket`,
}

/** Distinct addresses are counted from base rows for each kind of bucket: they never add up over days. */
export const activeBuckets: Rollup = {
  table: btcActiveBuckets,
  grains: ['day', 'week', 'month', 'day_mtp'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)}
SELECT {run:UInt64}, '${grain}', bucket, uniqExactIf(address, counts), sum(unknown)
FROM (
  SELECT ${addressOf('o.script_type', 'o.script')} AS address, b.bucket AS bucket, o.script_type != 'op_return' AS counts, 0 AS unknown
  FROM btc_outputs AS o
  INNER JOIN blocks AS b ON b.height = o.height
  WHERE o.${heightRange}
  UNION ALL
  SELECT
    ${addressOf('i.prev_script_type', 'i.prev_script')}, b.bucket,
    i.prev_script_type IS NOT NULL, i.prev_script_type IS NULL
  FROM btc_inputs AS i
  INNER JOIN blocks AS b ON b.height = i.height
  WHERE i.${heightRange} AND NOT i.is_coinbase
)
GROUP BY bucket`,
}
