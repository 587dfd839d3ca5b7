import type { ClickHouseClient } from '@clickhouse/client'
import { BASE_DATABASE } from '#warehouse/index.ts'

/** Writes down the close of each day whose best feed has changed or that is new. A feed never takes a day back. */
export async function refreshUsdDaily(writer: ClickHouseClient): Promise<void> {
  const table = `${BASE_DATABASE}.btc_usd_daily`
  await writer.command({
    query: `INSERT INTO ${table} (run, day, close, source)
WITH
  fresh AS (
    SELECT
      p.day AS day,
      argMin(p.close, (s.rank, -toInt64(toUnixTimestamp(p.observed_at)))) AS close,
      argMin(p.source, (s.rank, -toInt64(toUnixTimestamp(p.observed_at)))) AS source
    FROM prices AS p
    INNER JOIN sources AS s ON s.id = p.source
    WHERE p.asset = 'BTC' AND p.quote = 'USD'
    GROUP BY p.day
  )
SELECT {run:UInt64}, day, close, source
FROM fresh
WHERE (day, close, source) NOT IN (SELECT day, close, source FROM ${table} FINAL)`,
    query_params: { run: (BigInt(Date.now()) * 1000n).toString() },
  })
}
