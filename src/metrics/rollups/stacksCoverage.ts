import type { ClickHouseClient } from '@clickhouse/client'
import { BASE_DATABASE } from '#warehouse/index.ts'

/** Header times may run ahead of the clock by so much (Bitcoin Core `MAX_FUTURE_BLOCK_TIME`). */
const AHEAD_S = 7200

/**
 * Block times before Nakamoto are header times of Bitcoin, which may step back: a day counts once the run of blocks
 * reaches two hours beyond both of its ends.
 */
const WHOLE_DAYS = `WITH
  ends AS MATERIALIZED (
    SELECT height, block_time
    FROM stx_blocks
    WHERE height IN (SELECT from_height FROM stx_coverage UNION DISTINCT SELECT to_height FROM stx_coverage)
  ),
  runs AS (
    SELECT
      if(c.from_height <= 1, toDate(f.block_time), toDate(f.block_time + ${AHEAD_S}) + 1) AS first_day,
      toDate(l.block_time - ${AHEAD_S}) - 1 AS last_day
    FROM stx_coverage AS c
    INNER JOIN ends AS f ON f.height = c.from_height
    INNER JOIN ends AS l ON l.height = c.to_height
  )
SELECT arrayJoin(arrayMap(n -> first_day + n, range(toUInt32(last_day - first_day + 1)))) AS day
FROM runs
WHERE last_day >= first_day`

/** Writes down which days of Stacks are whole, as far as that has changed. */
export async function refreshStacksCoverage(writer: ClickHouseClient): Promise<void> {
  await writer.command({
    query: `INSERT INTO ${BASE_DATABASE}.stx_covered_days (run, is_held, day)
WITH
  fresh AS MATERIALIZED (
${WHOLE_DAYS}
  ),
  known AS MATERIALIZED (SELECT day FROM ${BASE_DATABASE}.stx_covered_days FINAL WHERE is_held)
SELECT {run:UInt64}, true, day FROM fresh WHERE day NOT IN (SELECT day FROM known)
UNION ALL
SELECT {run:UInt64}, false, day FROM known WHERE day NOT IN (SELECT day FROM fresh)`,
    query_params: { run: (BigInt(Date.now()) * 1000n).toString() },
  })
}
