import { SOURCES_BY } from '#kernel/sourceNames.ts'
import { RANGE } from '../chainFigures.ts'
import type { Members } from '../metric.ts'
import { NO_HEIGHTS } from './common.ts'

/** What a month of holders is. */
export const NET_DAYS = 30

/** Events of holders in the catalog, by holder and day. */
const events = `events AS (
    SELECT
      e.entity AS entity, e.day AS day, any(t.kind) AS kind, toInt64(sum(e.delta_sat)) AS change,
      groupUniqArray(e.source) AS sources, max(e.recorded_at) AS as_of
    FROM treasury_events AS e
    INNER JOIN treasury_holders AS t ON t.entity = e.entity
    WHERE NOT e.is_corrected
    GROUP BY e.entity, e.day
  )`

/**
 * The days of which the events of each holder are known: from its first event to its last one, or to a later statement of
 * the same total. What it bought after that is unknown, not zero, unless it had sold all its bitcoin.
 */
const records = `records AS (
    SELECT
      r.entity AS entity, r.first AS first,
      if(s.held_sat = 0, toDate('2149-06-06'), max(if(h.day > r.last AND h.held_sat = s.held_sat, h.day, r.last))) AS last
    FROM (SELECT entity, min(day) AS first, max(day) AS last FROM events GROUP BY entity) AS r
    ASOF LEFT JOIN (SELECT entity, day, toNullable(held_sat) AS held_sat FROM treasury_held) AS s ON s.entity = r.entity AND r.last >= s.day
    LEFT JOIN treasury_held AS h ON h.entity = r.entity
    GROUP BY r.entity, r.first, r.last, s.held_sat
  )`

/** State of a day: a holder whose record has ended is missed on every later day. */
const STATE = `if(day > (SELECT min(last) FROM records), 'incomplete', 'whole')`

/** What companies and miners bought less what they sold, by kind, on days with an event. */
export const boughtByKind = `WITH
  ${events},
  ${records}
SELECT day, key, value, ${STATE} AS state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    e.day AS day, e.kind AS key, toInt64(sum(e.change)) AS value,
    arrayStringConcat(arraySort(groupUniqArrayArray(e.sources)), '${SOURCES_BY}') AS source, max(e.as_of) AS as_of
  FROM events AS e
  WHERE e.day ${RANGE}
  GROUP BY e.day, e.kind
)
ORDER BY day, key`

/** The same of all of them over the month up to the day. */
export const boughtByMonth = `WITH
  ${events},
  ${records},
  by_day AS (
    SELECT day, sum(change) AS change, groupUniqArrayArray(sources) AS sources, max(as_of) AS as_of FROM events GROUP BY day
  )
SELECT day, '' AS key, value, ${STATE} AS state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    d.day AS day, toInt64(sum(t.change) OVER month) AS value, groupUniqArrayArray(t.sources) OVER month AS of_month,
    groupUniqArrayArray(t.sources) OVER so_far AS of_all,
    -- A month without an event rests on the sources that would have it.
    arrayStringConcat(arraySort(if(empty(of_month), of_all, of_month)), '${SOURCES_BY}') AS source,
    max(t.as_of) OVER so_far AS as_of
  FROM (
    SELECT day FROM usd_closes
    WHERE asset = 'BTC' AND day BETWEEN (SELECT min(day) FROM events) AND (SELECT max(day) FROM events)
  ) AS d
  LEFT JOIN by_day AS t ON t.day = d.day
  WINDOW
    month AS (ORDER BY toUInt16(d.day) RANGE BETWEEN ${NET_DAYS - 1} PRECEDING AND CURRENT ROW),
    so_far AS (ORDER BY d.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
-- A sum over days that begin before the events would pass for that of all of them.
WHERE day >= (SELECT min(day) FROM events) + ${NET_DAYS - 1} AND day ${RANGE}
ORDER BY day`

/** Holders of such a month, each on the days that its record covers. */
export const buyers: Members = {
  name: 'holders',
  isSum: true,
  sql: `WITH
  ${events},
  ${records}
SELECT day, key, value, 'whole' AS state, arrayStringConcat(arraySort(sources), '${SOURCES_BY}') AS source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    d.day AS day, d.entity AS key, toInt64(sum(t.change) OVER month) AS value,
    groupUniqArrayArray(t.sources) OVER so_far AS sources, max(t.as_of) OVER so_far AS as_of
  FROM (
    SELECT c.day AS day, r.entity AS entity
    FROM (SELECT day FROM usd_closes WHERE asset = 'BTC') AS c
    CROSS JOIN records AS r
    WHERE c.day BETWEEN r.first AND r.last
  ) AS d
  LEFT JOIN events AS t ON t.day = d.day AND t.entity = d.entity
  WINDOW
    month AS (PARTITION BY d.entity ORDER BY toUInt16(d.day) RANGE BETWEEN ${NET_DAYS - 1} PRECEDING AND CURRENT ROW),
    so_far AS (PARTITION BY d.entity ORDER BY d.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
WHERE day ${RANGE}
ORDER BY day, key`,
}
