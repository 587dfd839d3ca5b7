import type { Metric } from './metric.ts'
import { seriesSql } from './seriesSql.ts'
import { sourcesOfRowSql, sourcesSql } from './sourcesSql.ts'

const BUCKET =
  "multiIf({grain:String} = 'week', toMonday(s.day), {grain:String} = 'month', toStartOfMonth(s.day), s.day)"
const DAYS =
  "multiIf({grain:String} = 'week', 7, {grain:String} = 'month', toDayOfMonth(toLastDayOfMonth(bucket)), 1)"

/** What a figure is combined from: a metric, in US dollars where it says so. */
export type Part = { readonly entry: Metric; readonly isUsd?: boolean }

// States sort from worst to best: incomplete, partial, whole.
const sqlOf = ({ entry, isUsd }: Part): string =>
  isUsd === true && entry.unit !== 'USD' ? seriesSql(entry, 'day', 'usd').sql : entry.sql

/** The figures of a metric by `{grain:String}`, one row a bucket, the values of its breakdown summed. */
function bucketsOf(part: Part): string {
  const { entry } = part
  const perDay = `SELECT
      s.day AS day, sum(s.value) AS value, countIf(s.value IS NULL) = 0 AS is_known, min(s.state) AS state,
      ${sourcesSql('s.source')} AS source, min(s.from_height) AS from_height, max(s.to_height) AS to_height, max(s.as_of) AS as_of
    FROM (
${sqlOf(part)}
    ) AS s
    GROUP BY s.day`
  const own = entry.parameters.some(({ name }) => name === 'grain')
  const isLast = entry.aggregate === 'last'
  const value = isLast ? 'argMax(s.value, s.day)' : 'sum(s.value)'
  const isWhole = own
    ? "min(s.state) = 'whole' AND min(s.is_known)"
    : isLast
      ? "argMax(s.state, s.day) = 'whole' AND argMax(s.is_known, s.day)"
      : `uniqExactIf(s.day, s.state = 'whole' AND s.is_known) = ${DAYS}`
  return `SELECT
    ${own ? 's.day' : BUCKET} AS bucket, toFloat64(${value}) AS value,
    multiIf(${isWhole}, 'whole', bucket + ${DAYS} > toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete') AS state,
    ${isLast ? 'argMax(s.source, s.day)' : sourcesSql('s.source')} AS source, min(s.from_height) AS from_height, max(s.to_height) AS to_height, max(s.as_of) AS as_of
  FROM (
    ${perDay}
  ) AS s
  GROUP BY bucket`
}

/**
 * The statement of a ratio of two metrics of one entity, by day, week and month: each is brought to the bucket by its own rule
 * (sums are summed, stocks taken at its end, distinct counts counted anew), and the two are divided once.
 */
export const ratioSql = (numerator: Part, denominator: Part): string => `WITH
  numerators AS (
  ${bucketsOf(numerator)}
  ),
  denominators AS (
  ${bucketsOf(denominator)}
  )
SELECT
  n.bucket AS day, '' AS key, n.value / nullIf(d.value, 0) AS value, n.value AS numerator, d.value AS denominator,
  least(n.state, d.state) AS state,
  ${sourcesOfRowSql('n.source', 'd.source')} AS source, n.from_height AS from_height, n.to_height AS to_height, least(n.as_of, d.as_of) AS as_of
FROM numerators AS n
INNER JOIN denominators AS d ON d.bucket = n.bucket
ORDER BY day`

/**
 * Whether a change of the figure compares days of the same publishers: a ratio of figures of which publishers count
 * differently does.
 */
export const isPerPublisher = (...parts: readonly Part[]): boolean =>
  parts.some(({ entry }) => entry.isPerPublisher)

/** Sources of all parts, each once. */
export const sourcesOf = (...parts: readonly Part[]): string[] => [
  ...new Set(parts.flatMap(({ entry }) => entry.sources)),
]
