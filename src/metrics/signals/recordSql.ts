import type { CatalogSignal, SignalRule } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { readingsSql, stateSql } from './readingsSql.ts'
import { HORIZONS, LAG, LEAST_EVENTS } from './record.ts'

const Z = '1.959963984540054'

/**
 * The record of a rule as one statement that runs as it stands: the same figures as `recordOf` gives, worked out by the
 * engine. One row for each part (`history` up to the day on which the rule was fixed, `since` after it) and horizon.
 */
export function recordSql(signal: CatalogSignal, rule: SignalRule, entry: Metric): string {
  const readings = readingsSql(signal, rule, entry).replaceAll('{to:Date}', "toDate('2100-01-01')")
  return `WITH
  ${readings},
  states AS (
    SELECT day, part, state, lagInFrame(state, 1, 9) OVER (ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
    FROM (
      SELECT day, if(day <= toDate('${rule.fixed}'), 'history', 'since') AS part, toInt32(${stateSql(rule, 'value')}) AS state
      FROM readings
      WHERE value IS NOT NULL
    )
  ),
  closes AS (SELECT day, close FROM btc_usd_daily WHERE close > 0),
  -- A figure of a day is known once it is over: returns count from the close of the day after. An entry is a side that the
  -- day with a reading before was not in.
  forward AS (
    SELECT
      s.part AS part, s.horizon AS horizon,
      arraySort(groupArray((
        toInt32(toUInt16(s.day)), s.state, s.state != 0 AND s.before != 9 AND s.before != s.state, log(b.close / a.close)
      ))) AS list
    FROM (SELECT day, part, state, before, arrayJoin([${HORIZONS.join(', ')}]) AS horizon FROM states) AS s
    INNER JOIN closes AS a ON a.day = s.day + ${LAG}
    INNER JOIN closes AS b ON b.day = s.day + ${LAG} + s.horizon
    GROUP BY s.part, s.horizon
  ),
  means AS (SELECT part, horizon, list, arrayMap(d -> d.4, list) AS returns, arrayAvg(arrayMap(d -> d.4, list)) AS mean FROM forward),
  -- Of entries those that lie a horizon apart, from the first one on: day, side, place, return.
  events AS (
    SELECT
      part, horizon, mean, arrayMap(r -> r - mean, returns) AS beyond,
      arrayFold(
        (kept, e) -> if(empty(kept) OR e.1 >= kept[-1].1 + toInt32(horizon), arrayPushBack(kept, e), kept),
        arrayMap(e -> (e.1, e.2, e.4, e.5), arrayFilter(e -> e.3, arrayMap((d, place) -> (d.1, d.2, d.3, toUInt32(place), d.4), list, arrayEnumerate(list)))),
        CAST([], 'Array(Tuple(Int32, Int32, UInt32, Float64))')
      ) AS kept
    FROM means
  ),
  -- What the events bring beyond all days when they are moved together by every number of days, around the end.
  shifts AS (
    SELECT
      part, horizon, mean, kept, length(beyond) AS days, toFloat64(length(kept)) AS n,
      arrayReduce('sumForEach', arrayMap(
        e -> arrayMap(x -> x * e.2, arrayConcat(arraySlice(beyond, e.3), arraySlice(beyond, 1, e.3 - 1))), kept
      )) AS totals
    FROM events
  ),
  sums AS (
    SELECT
      part, horizon, mean, days, n, totals, totals[1] AS own, arrayFilter(e -> e.2 = 1, kept) AS up, arrayFilter(e -> e.2 = -1, kept) AS down,
      arrayCount(e -> e.2 * (e.4 - mean) > 0, kept) AS hits
    FROM shifts
  )
SELECT
  part, horizon, days, toUInt32(n) AS events, length(up) AS bullish, length(down) AS bearish, hits,
  if(n = 0, NULL, hits / n) AS hit_rate,
  if(n = 0, NULL, greatest(0, (hits / n + pow(${Z}, 2) / (2 * n) - ${Z} * sqrt(hits / n * (1 - hits / n) / n + pow(${Z} / (2 * n), 2))) / (1 + pow(${Z}, 2) / n))) AS hit_low,
  if(n = 0, NULL, least(1, (hits / n + pow(${Z}, 2) / (2 * n) + ${Z} * sqrt(hits / n * (1 - hits / n) / n + pow(${Z} / (2 * n), 2))) / (1 + pow(${Z}, 2) / n))) AS hit_high,
  if(empty(up), NULL, exp(arrayAvg(arrayMap(e -> e.4, up))) - 1) AS after_bullish,
  if(empty(down), NULL, exp(arrayAvg(arrayMap(e -> e.4, down))) - 1) AS after_bearish,
  exp(mean) - 1 AS unconditional, if(n = 0, NULL, exp(own / n) - 1) AS excess,
  if(n < ${LEAST_EVENTS}, NULL, arrayCount(t -> t >= own - 1e-10, totals) / days) AS p
FROM sums
ORDER BY part, horizon`
}
