import type { Fill } from '../ddl.ts'
import { view } from '../view.ts'

/** The batches that readers see: those whose newest decision is a commit. */
export const btcLiveBatches = view('btc_live_batches', {
  doc: 'One row per batch that is committed and not taken back.',
  columns: { batch: 'the batch' },
  sql: `SELECT batch
FROM base.btc_batches
GROUP BY batch
HAVING argMax(is_live, seq)`,
})

/** Keeps `btc_outpoints` equal to `btc_outputs`, in another order. The prefix is the txid's first eight bytes, big-endian. */
export const btcOutpointsFill: Fill = {
  name: 'btc_outpoints_fill',
  source: 'btc_outputs',
  target: 'btc_outpoints',
  sql: `SELECT
  batch,
  reinterpretAsUInt64(reverse(substring(txid, 1, 8))) AS txid_prefix,
  txid,
  vout,
  height,
  tx_index,
  block_time,
  value_sat,
  script_type,
  script
FROM base.btc_outputs`,
}

export const btcCoverage = view('btc_coverage', {
  doc: 'One row per contiguous range of heights whose blocks are held.',
  columns: {
    from_height: 'lowest height of the range',
    to_height: 'highest height of the range',
    block_count: 'blocks in the range',
  },
  sql: `WITH
  live AS (
    SELECT batch, from_height, to_height, block_count
    FROM base.btc_batches
    WHERE batch IN (SELECT batch FROM base.btc_live_batches)
    ORDER BY seq DESC
    LIMIT 1 BY batch
  ),
  ranges AS (
    SELECT from_height, to_height
    FROM live
    WHERE block_count = to_height - from_height + 1
    UNION ALL
    SELECT height AS from_height, height AS to_height
    FROM base.btc_blocks
    WHERE batch IN (SELECT batch FROM live WHERE block_count != to_height - from_height + 1)
  ),
  marked AS (
    SELECT
      from_height,
      to_height,
      from_height > max(to_height) OVER (
        ORDER BY from_height, to_height ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) + 1 AS opens
    FROM ranges
  ),
  grouped AS (
    SELECT from_height, to_height, sum(opens) OVER (ORDER BY from_height, to_height) AS stretch
    FROM marked
  )
SELECT
  min(grouped.from_height) AS from_height,
  max(grouped.to_height) AS to_height,
  max(grouped.to_height) - min(grouped.from_height) + 1 AS block_count
FROM grouped
GROUP BY grouped.stretch
ORDER BY from_height`,
})
