import type { ClickHouseClient } from '@clickhouse/client'
import type { PoolMark } from '#sources/yieldPools.ts'

/** What the newest list of each day said of a pool, where it said whether the pool is an outlier. */
export async function readPoolMarks(
  reader: Pick<ClickHouseClient, 'query'>,
  pool: string,
): Promise<PoolMark[]> {
  const answer = await reader.query({
    query: `SELECT toString(l.day) AS day, argMax(l.is_outlier, l.seen_at) AS isOutlier
FROM yield_listings AS l
WHERE l.pool = {pool:String} AND l.is_outlier IS NOT NULL
GROUP BY l.day`,
    query_params: { pool },
    format: 'JSONEachRow',
  })
  return await answer.json<PoolMark>()
}
