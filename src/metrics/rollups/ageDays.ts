import { AGE_BANDS, btcAgeDays, btcCohortMonths } from '#warehouse/tables/rollups.ts'
import { unspentSign } from './bandDays.ts'
import type { Rollup } from './rollup.ts'

const change = `sum(${unspentSign} * toInt64(value_sat))`

/** What is left at the end of a month of the coins made on each day: where the days after it begin to count from. */
export const cohortMonths: Rollup = {
  table: btcCohortMonths,
  grains: ['month'],
  scope: 'since_genesis',
  select: () => `WITH
  flows AS (
    SELECT toStartOfMonth(bucket) AS month, made_day, ${change} AS change
    FROM btc_flow_days
    WHERE bucket <= toLastDayOfMonth(arrayMax({buckets:Array(Date)}))
    GROUP BY month, made_day
  )
SELECT {run:UInt64}, m.bucket, f.made_day, sum(f.change) AS unspent
FROM (SELECT arrayJoin({buckets:Array(Date)}) AS bucket) AS m
CROSS JOIN flows AS f
WHERE f.month <= m.bucket
GROUP BY m.bucket, f.made_day
HAVING unspent != 0`,
}

const list = (values: readonly (string | number)[]): string =>
  `[${values.map(value => (typeof value === 'string' ? `'${value}'` : value)).join(', ')}]`

const names = AGE_BANDS.map(({ name }) => name)
/** The last band whose least age is reached. */
const bandOf = (age: string): string =>
  `arrayElement(${list(names)}, arrayCount(least -> ${age} >= least, ${list(AGE_BANDS.map(({ least }) => least))}))`

/**
 * Unspent coins by age at the end of a day, from the newest month before the days asked for and the flows since: a block
 * costs a month of flows to read, not the chain's. Coins of which a price is not known cost 0.
 */
export const ageDays: Rollup = {
  table: btcAgeDays,
  grains: ['day'],
  scope: 'priced_since_genesis',
  select: () => `WITH
  (
    SELECT max(bucket) FROM btc_cohort_months
    WHERE bucket < toStartOfMonth(arrayMin({buckets:Array(Date)}))
  ) AS base,
  -- Without one it is 1970-01-01, and all flows count.
  toLastDayOfMonth(base) AS base_end,
  moves AS (
    SELECT base_end AS day, made_day, value_sat AS change
    FROM btc_cohort_months
    WHERE bucket = base
    UNION ALL
    SELECT bucket AS day, made_day, ${change}
    FROM btc_flow_days
    WHERE bucket > base_end AND bucket <= arrayMax({buckets:Array(Date)})
    GROUP BY day, made_day
  ),
  -- A move shows from the first of the days asked for that is not before it.
  changes AS (
    SELECT arrayFirst(asked -> asked >= m.day, arraySort({buckets:Array(Date)})) AS asked_day, m.made_day AS made_day, sum(m.change) AS change
    FROM moves AS m
    GROUP BY asked_day, made_day
  ),
  cohorts AS (
    SELECT asked_day AS day, made_day, sum(sum(change)) OVER (PARTITION BY made_day ORDER BY asked_day) AS sat
    FROM (
      SELECT asked_day, made_day, change FROM changes
      UNION ALL
      SELECT arrayJoin({buckets:Array(Date)}), made_day, 0 FROM (SELECT DISTINCT made_day FROM changes)
    )
    GROUP BY asked_day, made_day
  )
SELECT {run:UInt64}, day, band, sum(sat), sum(usd), if(max(has_close), sum(profit), NULL)
FROM (
  SELECT
    c.day AS day, ${bandOf('greatest(0, toInt32(c.day) - toInt32(c.made_day))')} AS band,
    c.sat AS sat, c.sat / 1e8 * made.close AS usd,
    if(made.close < today.close, c.sat, 0) AS profit, today.close > 0 AS has_close
  FROM cohorts AS c
  LEFT JOIN btc_usd_daily AS made ON made.day = c.made_day
  LEFT JOIN btc_usd_daily AS today ON today.day = c.day
  WHERE c.sat != 0
  UNION ALL
  SELECT
    d.day, arrayJoin(${list(names)}), 0, 0, 0, today.close > 0
  FROM (SELECT arrayJoin({buckets:Array(Date)}) AS day) AS d
  LEFT JOIN btc_usd_daily AS today ON today.day = d.day
)
GROUP BY day, band`,
}
