import { snake } from '#kernel/table.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { btcBlockFacts, btcBlockRuns } from '../tables/rollups.ts'
import { commentsOf, type View, view } from '../view.ts'
import { newestRuns } from './rollups.ts'

/** Difficulty by a compact target: how many times harder than the easiest one, 0x1d00ffff. */
const difficulty = (bits: string): string =>
  `65535 / bitAnd(${bits}, 16777215) * exp2(8 * (29 - toInt32(bitShiftRight(${bits}, 24))))`

const { run: _run, bucket: _bucket, ...factColumns } = btcBlockFacts.columns

const columns = {
  ...commentsOf(factColumns),
  day: 'UTC date of the header time',
  day_mtp: 'UTC date of the median time past',
  difficulty: 'difficulty by the compact target',
}

export const btcBlockFactsView: View = view('btc_block_facts', {
  doc: btcBlockFacts.doc,
  columns,
  sql: `SELECT
  bucket AS day, toDate(median_time) AS day_mtp, ${Object.keys(factColumns).map(snake).join(', ')},
  ${difficulty('bits')} AS difficulty
FROM ${BASE_DATABASE}.btc_block_facts
WHERE ${newestRuns(btcBlockFacts)}`,
})

/** The same figures from the node's statistics alone: what stands beside our own rows. */
export const btcStatisticsFacts: View = view('btc_statistics_facts', {
  doc: 'One row per block of a node’s statistics, in the form of `btc_block_facts`.',
  columns,
  sql: `SELECT
  toDate(s.block_time) AS day, toNullable(toDate(s.median_time)) AS day_mtp,
  s.height AS height, s.hash AS hash, s.block_time AS block_time, toNullable(s.median_time) AS median_time,
  'statistics' AS origin, toNullable(e.bits) AS bits,
  s.tx_count AS tx_count, s.input_count AS input_count, s.output_count AS output_count, s.output_sat AS output_sat,
  toNullable(s.fee_sat) AS fee_sat, s.subsidy_sat AS subsidy_sat, CAST(NULL AS Nullable(UInt64)) AS coinbase_sat,
  ${difficulty('e.bits')} AS difficulty
FROM ${BASE_DATABASE}.btc_block_stats AS s
INNER JOIN (SELECT epoch, bits FROM ${BASE_DATABASE}.btc_difficulty_epochs ORDER BY source LIMIT 1 BY epoch) AS e
  ON e.epoch = intDiv(s.height, 2016)`,
})

const { run: _newest, ...runColumns } = btcBlockRuns.columns

export const btcBlockRunsView: View = view('btc_block_runs', {
  doc: btcBlockRuns.doc,
  columns: commentsOf(runColumns),
  sql: `SELECT basis, from_height, to_height, first_whole_day, last_whole_day, last_day
FROM ${BASE_DATABASE}.btc_block_runs
WHERE run = (SELECT max(run) FROM ${BASE_DATABASE}.btc_block_runs)`,
})

export const btcWholeDays: View = view('btc_whole_days', {
  doc: 'One row per basis and UTC day, by header time, of which all blocks are held.',
  columns: {
    basis: '`rows`, `statistics`, `facts` as in `btc_block_runs`, or `genesis`: with all days before',
    day: 'UTC day',
  },
  sql: `SELECT basis, day
FROM ${BASE_DATABASE}.btc_covered_days FINAL
WHERE is_whole AND is_held`,
})

export const btcDaysSinceGenesis: View = view('btc_days_since_genesis', {
  doc: 'One row per UTC day from genesis to the first gap in the blocks held: the days whose stocks are known.',
  columns: {
    day: 'UTC day',
    is_whole: 'all its blocks are held; false for the last, open day',
    to_height: 'highest height up to the end of the day',
    as_of: 'latest header time up to the end of the day, UTC',
  },
  sql: `SELECT day, is_whole, to_height, as_of
FROM ${BASE_DATABASE}.btc_covered_days FINAL
WHERE basis = 'genesis' AND is_held`,
})
