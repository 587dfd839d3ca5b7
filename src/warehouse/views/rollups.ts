import { snake, type Table } from '#kernel/table.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { LAYER_ROLLUP_TABLES } from '../tables/layerRollups.ts'
import { btcBlockFacts, ROLLUP_TABLES } from '../tables/rollups.ts'
import { STX_ROLLUP_TABLES } from '../tables/stacksRollups.ts'
import { commentsOf, type View, view } from '../view.ts'

/**
 * What the base rows of a bucket are now. Block rows never change under their batch, so heights and batches tell them
 * apart. `since_genesis` folds in every day before: what rests on the whole history is stale as soon as any of it is.
 */
export const btcBucketSignatures: View = view('btc_bucket_signatures', {
  doc: 'One row per bucket that holds a block: a fingerprint of the base rows behind it.',
  columns: {
    scope:
      '`bucket`: the rows of the bucket; `since_genesis`: those of all days up to it, without a gap; `priced_since_genesis`: those and the closes of these days; `facts`: those of the bucket and a node’s statistics of it',
    grain: 'kind of bucket',
    bucket: 'first day of the bucket, UTC',
    signature: 'fingerprint',
    blocks: 'blocks in the bucket',
  },
  sql: `WITH
  held AS (
    SELECT
      toDate(block_time) AS day, toDate(median_time) AS day_mtp,
      cityHash64(height, batch) AS mark
    FROM ${BASE_DATABASE}.btc_blocks
    WHERE batch IN (SELECT batch FROM ${BASE_DATABASE}.btc_live_batches)
  ),
  days AS (SELECT day, groupBitXor(mark) AS signature, count() AS blocks FROM held GROUP BY day),
  -- Days without a block are days too: coins grow older on them.
  since_genesis AS (
    SELECT g.day AS day, g.is_whole AS is_whole, groupBitXor(d.signature) OVER (ORDER BY g.day) AS signature, d.blocks AS blocks
    FROM btc_days_since_genesis AS g
    LEFT JOIN days AS d ON d.day = g.day
  )
SELECT 'bucket' AS scope, 'day' AS grain, day AS bucket, signature, blocks FROM days
UNION ALL
SELECT 'bucket', 'week', toMonday(day) AS bucket, groupBitXor(signature), sum(blocks) FROM days GROUP BY bucket
UNION ALL
SELECT 'bucket', 'month', toStartOfMonth(day) AS bucket, groupBitXor(signature), sum(blocks) FROM days GROUP BY bucket
UNION ALL
SELECT 'bucket', 'day_mtp', assumeNotNull(day_mtp) AS bucket, groupBitXor(mark), count() FROM held
WHERE day_mtp IS NOT NULL GROUP BY bucket
UNION ALL
SELECT 'facts', 'day', day, groupBitXor(mark), count()
FROM (
  SELECT day, mark FROM held
  UNION ALL
  SELECT toDate(block_time) AS day, cityHash64(height, hash) AS mark FROM ${BASE_DATABASE}.btc_block_stats
)
GROUP BY day
UNION ALL
SELECT 'since_genesis', 'day', day, signature, blocks FROM since_genesis
UNION ALL
SELECT 'since_genesis', 'month', toStartOfMonth(day) AS bucket, argMax(signature, day), sum(blocks)
FROM since_genesis
GROUP BY bucket
HAVING argMax(is_whole, day) AND max(day) = toLastDayOfMonth(bucket)
UNION ALL
SELECT
  'priced_since_genesis', 'day', g.day,
  bitXor(g.signature, groupBitXor(if(p.close > 0, cityHash64(p.day, p.close), 0)) OVER (ORDER BY g.day)), g.blocks
FROM since_genesis AS g
LEFT JOIN ${BASE_DATABASE}.btc_usd_daily AS p FINAL ON p.day = g.day`,
})

export const rollupsLive: View = view('rollups_live', {
  doc: 'One row per recomputed bucket: the run whose rows readers see.',
  columns: {
    rollup: 'table',
    grain: 'kind of bucket',
    bucket: 'first day of the bucket, UTC',
    run: 'newest run',
    signature: 'fingerprint of the base rows that it was computed from and of the statement that did',
  },
  sql: `SELECT
  r.rollup AS rollup, CAST(r.grain AS String) AS grain, r.bucket AS bucket,
  max(r.run) AS run, argMax(r.signature, r.run) AS signature
FROM ${BASE_DATABASE}.rollup_runs AS r
GROUP BY r.rollup, r.grain, r.bucket`,
})

/** The condition that a row is of its bucket's newest run. */
export function newestRuns(table: Table): string {
  const bucket = 'grain' in table.columns ? 'grain, bucket' : 'bucket'
  return `(${bucket}, run) IN (
  SELECT ${bucket}, max(run)
  FROM ${BASE_DATABASE}.rollup_runs
  WHERE rollup = '${table.name}'
  GROUP BY ${bucket}
)`
}

/** The public face of a rollup: the rows of the newest run of each bucket. */
function rollupView(table: Table): View {
  const { run: _, ...columns } = table.columns
  return view(table.name, {
    doc: table.doc,
    columns: commentsOf(columns),
    sql: `SELECT ${Object.keys(columns).map(snake).join(', ')}
FROM ${BASE_DATABASE}.${table.name}
WHERE ${newestRuns(table)}`,
  })
}

export const rollupViews: readonly View[] = [
  ...ROLLUP_TABLES.filter(table => table !== btcBlockFacts),
  ...STX_ROLLUP_TABLES,
  ...LAYER_ROLLUP_TABLES,
].map(rollupView)
