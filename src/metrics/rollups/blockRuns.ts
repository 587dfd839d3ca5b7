import type { ClickHouseClient } from '@clickhouse/client'
import { BASE_DATABASE } from '#warehouse/index.ts'

/**
 * Where blocks have no gap, and the days that are whole by it. A later block has a header time above the last median time
 * past (BIP-113), so the days before that are closed from above. From below no rule of consensus helps: a run counts from
 * the day after the latest header time of its first eleven blocks, unless it begins with genesis.
 */
const BLOCK_RUNS = `WITH
  held AS (
    SELECT 'rows' AS basis, height, block_time, median_time FROM btc_blocks
    UNION ALL
    SELECT 'statistics', height, block_time, median_time FROM btc_block_stats
    UNION ALL
    SELECT 'facts', height, block_time, median_time FROM btc_blocks
    UNION ALL
    SELECT 'facts', height, block_time, median_time FROM btc_block_stats
    WHERE height NOT IN (SELECT height FROM btc_blocks)
  ),
  numbered AS (
    SELECT
      basis, height, block_time, median_time,
      toInt64(height) - row_number() OVER (PARTITION BY basis ORDER BY height) AS run
    FROM held
  )
SELECT
  basis,
  min(height) AS from_height,
  max(height) AS to_height,
  if(
    from_height = 0,
    toDate(min(block_time)),
    toDate(arrayMax(block -> block.2, groupArraySorted(11)((height, block_time)))) + 1
  ) AS first_whole_day,
  ifNull(toDate(max(median_time)), toDate(1)) - 1 AS last_whole_day,
  toDate(max(block_time)) AS last_day
FROM numbered
GROUP BY basis, run`

/** Days by basis as they follow from the runs; those since genesis with the newest block up to their end. */
const COVERED_DAYS = `WITH
  closing AS (
    SELECT toDate(b.block_time) AS day, max(b.height) AS to_height, max(b.block_time) AS as_of
    FROM btc_blocks AS b
    WHERE b.height <= (SELECT max(to_height) FROM btc_block_runs WHERE basis = 'rows' AND from_height = 0)
    GROUP BY day
  ),
  since_genesis AS (
    SELECT
      arrayJoin(arrayMap(n -> first_whole_day + n, range(toUInt32(last_day - first_whole_day + 1)))) AS day,
      day <= last_whole_day AS is_whole
    FROM btc_block_runs
    WHERE basis = 'rows' AND from_height = 0
  )
SELECT
  CAST(basis AS String) AS basis,
  arrayJoin(arrayMap(n -> first_whole_day + n, range(toUInt32(last_whole_day - first_whole_day + 1)))) AS day,
  true AS is_whole, toUInt32(0) AS to_height, toDateTime(0, 'UTC') AS as_of
FROM btc_block_runs
WHERE last_whole_day >= first_whole_day
UNION ALL
SELECT
  'genesis', g.day, g.is_whole,
  max(c.to_height) OVER (ORDER BY g.day), max(c.as_of) OVER (ORDER BY g.day)
FROM since_genesis AS g
LEFT JOIN closing AS c ON c.day = g.day`

/** Older runs of the table stay until there are this many rows of them. */
const KEPT_ROWS = 100_000

/** Writes down where blocks have no gap and which days are whole by it, as far as that has changed. */
export async function refreshBlockRuns(writer: ClickHouseClient): Promise<void> {
  const table = `${BASE_DATABASE}.btc_block_runs`
  const columns = 'basis, from_height, to_height, first_whole_day, last_whole_day, last_day'
  const parameters = { run: (BigInt(Date.now()) * 1000n).toString() }
  await writer.command({
    query: `INSERT INTO ${table} (run, ${columns})
WITH
  fresh AS MATERIALIZED (
${BLOCK_RUNS}
  )
SELECT {run:UInt64}, ${columns}
FROM fresh
WHERE (SELECT groupBitXor(cityHash64(CAST(basis AS String), from_height, to_height, last_whole_day)) FROM fresh)
  != (SELECT groupBitXor(cityHash64(CAST(basis AS String), from_height, to_height, last_whole_day)) FROM btc_block_runs)`,
    query_params: parameters,
  })
  const days = `${BASE_DATABASE}.btc_covered_days`
  const facts = 'basis, day, is_whole, to_height, as_of'
  await writer.command({
    query: `INSERT INTO ${days} (run, is_held, ${facts})
WITH
  fresh AS MATERIALIZED (
${COVERED_DAYS}
  ),
  known AS MATERIALIZED (
    SELECT CAST(basis AS String) AS basis, day, is_whole, to_height, as_of FROM ${days} FINAL WHERE is_held
  )
SELECT {run:UInt64}, true, ${facts} FROM fresh WHERE (${facts}) NOT IN (SELECT ${facts} FROM known)
UNION ALL
SELECT {run:UInt64}, false, ${facts} FROM known WHERE (basis, day) NOT IN (SELECT basis, day FROM fresh)`,
    query_params: parameters,
  })
  const count = await writer.query({ query: `SELECT count() AS rows FROM ${table}`, format: 'JSONEachRow' })
  const [row] = await count.json<{ rows: string }>()
  if (Number(row?.rows ?? 0) > KEPT_ROWS) {
    await writer.command({ query: `DELETE FROM ${table} WHERE run < (SELECT max(run) FROM ${table})` })
  }
}
