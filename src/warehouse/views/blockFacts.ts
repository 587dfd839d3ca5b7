import { BASE_DATABASE } from '../ddl.ts'
import { btcBlockRuns } from '../tables/rollups.ts'
import { commentsOf, type View, view } from '../view.ts'

const statisticsFacts = `SELECT
  height, hash, block_time, toDate(block_time) AS day, toNullable(median_time) AS median_time,
  toNullable(toDate(median_time)) AS day_mtp, 'statistics' AS origin,
  tx_count, toInt64(input_count) AS input_count, output_count, toNullable(fee_sat) AS fee_sat, subsidy_sat
FROM ${BASE_DATABASE}.btc_block_stats`

/** Per-block figures from the best source that covers the block: our own rows, else a node's statistics. */
export const btcBlockFacts: View = view('btc_block_facts', {
  doc: 'One row per block: from its rows where the block is held, else from a node’s statistics.',
  columns: {
    height: 'block height',
    hash: 'block hash, display order',
    block_time: 'header time, UTC',
    day: 'UTC date of the header time',
    median_time: 'median time past of the block and the ten before it, UTC; null where those are not held',
    day_mtp: 'UTC date of the median time past',
    origin: '`rows`: the block is held; `statistics`: only a node’s figures of it',
    tx_count: 'transactions, coinbase in',
    input_count: 'inputs, the coinbase input left out',
    output_count: 'outputs, coinbase outputs in',
    fee_sat: 'fees, satoshis; null while a prevout is unknown',
    subsidy_sat: 'block subsidy by height, satoshis',
  },
  // Read from the base tables at once: a view on views costs more to plan than to run.
  sql: `SELECT
  b.height AS height, b.hash AS hash, b.block_time AS block_time, toDate(b.block_time) AS day,
  b.median_time AS median_time, toDate(b.median_time) AS day_mtp, 'rows' AS origin,
  b.tx_count AS tx_count, toInt64(b.input_count) - 1 AS input_count, b.output_count AS output_count,
  b.fee_sat AS fee_sat, b.subsidy_sat AS subsidy_sat
FROM ${BASE_DATABASE}.btc_blocks AS b
WHERE b.batch IN (SELECT batch FROM ${BASE_DATABASE}.btc_live_batches)
UNION ALL
${statisticsFacts}
WHERE height NOT IN (
  SELECT height FROM ${BASE_DATABASE}.btc_blocks
  WHERE batch IN (SELECT batch FROM ${BASE_DATABASE}.btc_live_batches)
)`,
})

/** The same figures from the node's statistics alone: what stands beside our own rows. */
export const btcStatisticsFacts: View = view('btc_statistics_facts', {
  doc: 'One row per block of a node’s statistics, in the form of `btc_block_facts`.',
  columns: btcBlockFacts.columns,
  sql: statisticsFacts,
})

const { run: _, ...runColumns } = btcBlockRuns.columns

export const btcBlockRunsView: View = view('btc_block_runs', {
  doc: btcBlockRuns.doc,
  columns: commentsOf(runColumns),
  sql: `SELECT basis, from_height, to_height, first_whole_day, last_whole_day, last_day
FROM ${BASE_DATABASE}.btc_block_runs
WHERE run = (SELECT max(run) FROM ${BASE_DATABASE}.btc_block_runs)`,
})

export const btcWholeDays: View = view('btc_whole_days', {
  doc: 'One row per basis and UTC day, by header time, of which all blocks are held.',
  columns: { basis: 'as in `btc_block_runs`', day: 'UTC day' },
  sql: `SELECT basis, arrayJoin(arrayMap(n -> first_whole_day + n, range(toUInt32(last_whole_day - first_whole_day + 1)))) AS day
FROM btc_block_runs
WHERE last_whole_day >= first_whole_day`,
})

export const btcDaysSinceGenesis: View = view('btc_days_since_genesis', {
  doc: 'One row per UTC day from genesis to the first gap in the blocks held: the days whose stocks are known.',
  columns: {
    day: 'UTC day',
    is_whole: '1: all its blocks are held; 0: the last, open day',
    to_height: 'last height before the first gap',
  },
  sql: `SELECT
  arrayJoin(arrayMap(n -> first_whole_day + n, range(toUInt32(last_day - first_whole_day + 1)))) AS day,
  day <= last_whole_day AS is_whole,
  to_height
FROM btc_block_runs
WHERE basis = 'rows' AND from_height = 0`,
})
