import type { ClickHouseClient } from '@clickhouse/client'
import { BASE_DATABASE } from '#warehouse/index.ts'

/** Block times of EVM chains rise with the height: a day is whole once the run of blocks reaches beyond both of its ends. */
const WHOLE_DAYS = `WITH
  ends AS MATERIALIZED (
    SELECT chain, height, block_time
    FROM evm_blocks
    WHERE (chain, height) IN (
      SELECT chain, from_height FROM evm_coverage UNION DISTINCT SELECT chain, to_height FROM evm_coverage
    )
  ),
  runs AS (
    SELECT
      c.chain AS chain, c.from_height <= 1 AS is_since_genesis,
      if(is_since_genesis, toDate(f.block_time), toDate(f.block_time) + 1) AS first_day,
      toDate(l.block_time) - 1 AS last_day
    FROM evm_coverage AS c
    INNER JOIN ends AS f ON f.chain = c.chain AND f.height = c.from_height
    INNER JOIN ends AS l ON l.chain = c.chain AND l.height = c.to_height
  )
SELECT
  chain, arrayJoin(arrayMap(n -> first_day + n, range(toUInt32(last_day - first_day + 1)))) AS day,
  is_since_genesis = 1 AS is_since_genesis
FROM runs
WHERE last_day >= first_day`

/** Writes down which days of the EVM layers are whole, as far as that has changed. */
export async function refreshLayerCoverage(writer: ClickHouseClient): Promise<void> {
  const facts = 'chain, day, is_since_genesis'
  await writer.command({
    query: `INSERT INTO ${BASE_DATABASE}.evm_covered_days (run, is_held, ${facts})
WITH
  fresh AS MATERIALIZED (
${WHOLE_DAYS}
  ),
  known AS MATERIALIZED (SELECT ${facts} FROM ${BASE_DATABASE}.evm_covered_days FINAL WHERE is_held)
SELECT {run:UInt64}, true, ${facts} FROM fresh WHERE (${facts}) NOT IN (SELECT ${facts} FROM known)
UNION ALL
SELECT {run:UInt64}, false, ${facts} FROM known WHERE (chain, day) NOT IN (SELECT chain, day FROM fresh)`,
    query_params: { run: (BigInt(Date.now()) * 1000n).toString() },
  })
}
