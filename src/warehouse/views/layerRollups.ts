import { isLiveSql } from '../batchFamily.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { EVM } from '../families.ts'
import { evmCoveredDays } from '../tables/layerRollups.ts'
import { columnType } from '../types.ts'
import { type View, view } from '../view.ts'

/** Layers make a block every few seconds: the newest of them count as a change so often, seconds. */
export const LAYERS_EVERY_S = 120

/**
 * What the base rows of a bucket are now, in the form of `btc_bucket_signatures`. By the hash of a block, not by its batch:
 * batches are put together without a row changing. A chain that is still growing changes its newest day every two minutes;
 * once it stands still, or the day is over, the fingerprint is exact.
 */
export const evmBucketSignatures: View = view('evm_bucket_signatures', {
  doc: 'One row per bucket that holds a block of an EVM layer: a fingerprint of the base rows behind it.',
  columns: {
    scope: '`layers`',
    grain: 'kind of bucket',
    bucket: 'first day of the bucket, UTC',
    signature: 'fingerprint',
    blocks: 'blocks in the bucket',
  },
  sql: `WITH
  held AS (
    SELECT
      toDate(block_time) AS day, chain, max(block_time) AS newest, count() AS blocks,
      groupBitXor(cityHash64(toString(chain), height, hash, is_traced, is_receipts_proved)) AS mark
    FROM ${BASE_DATABASE}.evm_blocks
    WHERE ${isLiveSql(EVM)}
    GROUP BY chain, day
  ),
  days AS (
    SELECT
      day, sum(blocks) AS blocks,
      groupBitXor(if(
        newest > now('UTC') - ${2 * LAYERS_EVERY_S},
        cityHash64(toString(chain), day, intDiv(toUnixTimestamp(newest), ${LAYERS_EVERY_S})),
        mark
      )) AS signature
    FROM held
    GROUP BY day
  )
SELECT 'layers' AS scope, 'day' AS grain, day AS bucket, signature, blocks FROM days
UNION ALL
SELECT 'layers', 'week', toMonday(day) AS bucket, groupBitXor(signature), sum(blocks) FROM days GROUP BY bucket
UNION ALL
SELECT 'layers', 'month', toStartOfMonth(day) AS bucket, groupBitXor(signature), sum(blocks) FROM days GROUP BY bucket`,
})

export const evmWholeDays: View = view('evm_whole_days', {
  doc: 'One row per layer and UTC day of which all blocks are held.',
  columns: {
    chain: 'the layer, as its file in the catalog is named',
    day: 'UTC day',
    is_since_genesis: 'all days before it, back to the first block, are held too',
  },
  types: { chain: columnType(evmCoveredDays.columns.chain), day: 'Date', is_since_genesis: 'Bool' },
  sql: `SELECT chain, day, is_since_genesis
FROM ${BASE_DATABASE}.evm_covered_days FINAL
WHERE is_held`,
})
