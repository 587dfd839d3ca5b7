import { btcHolderDays, HOLDER_BANDS } from '#warehouse/tables/rollups.ts'
import type { Rollup } from './rollup.ts'

const SAT_PER_BTC = 100_000_000

/** Least balance of a band in satoshis. */
const leastSat = (band: string): number =>
  band === '>0' ? 1 : Math.round(Number(band.replace('>=', '')) * SAT_PER_BTC)

const changes = HOLDER_BANDS.map(band =>
  band === 'seen'
    ? "('seen', toInt64(nth = 1))"
    : `('${band}', toInt64(after >= ${leastSat(band)}) - toInt64(before >= ${leastSat(band)}))`,
)

/** Who crosses which balance on a day: from the history of the addresses that the day touches, and of no others. */
export const holderDays: Rollup = {
  table: btcHolderDays,
  grains: ['day'],
  scope: 'since_genesis',
  select: () => `WITH
  touched AS (SELECT DISTINCT address FROM btc_address_days WHERE bucket IN {buckets:Array(Date)}),
  balances AS (
    SELECT
      bucket,
      sum(change_sat) OVER days AS after,
      after - change_sat AS before,
      row_number() OVER days AS nth
    FROM btc_address_days
    WHERE bucket <= arrayMax({buckets:Array(Date)}) AND address IN (SELECT address FROM touched)
    WINDOW days AS (PARTITION BY address ORDER BY bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  )
SELECT {run:UInt64}, bucket, band.1, sum(band.2)
FROM balances
ARRAY JOIN [${changes.join(', ')}] AS band
WHERE bucket IN {buckets:Array(Date)}
GROUP BY bucket, band.1`,
}
