import type { CatalogSignal, SignalRule, SignalSide, TransformKind } from '#catalog/index.ts'
import { SOURCES_BY } from '#kernel/sourceNames.ts'
import type { Metric } from '../metric.ts'
import { seriesSql } from '../seriesSql.ts'
import { sourceSetSql, sourcesSql } from '../sourcesSql.ts'
import { leastDays } from './readings.ts'

/** Windows begin before the range asked for: figures are read from the first day on, and never beyond `{to:Date}`. */
const FIRST_DAY = "toDate('2009-01-03')"

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The figures that a signal reads, as the metric's own statement has them: of whole days, its breakdown summed or one value of it. */
function figuresSql({ input }: Pick<CatalogSignal, 'input'>, entry: Metric): string {
  const own = seriesSql(entry, 'day', input.unit ?? 'native')
    .sql.replaceAll('{from:Date}', FIRST_DAY)
    .replaceAll('{entity:String}', text(input.entity))
    .replaceAll('{grain:String}', "'day'")
    .replaceAll(/\{\w+:UInt8\}/g, '0')
  const key = input.key === undefined ? '' : ` AND s.key = ${text(input.key)}`
  return `SELECT
    s.day AS day, toFloat64(sum(assumeNotNull(s.value))) AS x, ${sourcesSql('s.source')} AS source,
    min(s.from_height) AS from_height, max(s.to_height) AS to_height, max(s.as_of) AS as_of
  FROM (
${own}
  ) AS s
  WHERE s.state = 'whole' AND s.value IS NOT NULL${key}
  GROUP BY s.day`
}

const window = (days: number): string =>
  `(ORDER BY f.day RANGE BETWEEN ${days - 1} PRECEDING AND CURRENT ROW)`
/** The figure of one day before; NULL where it has none, or none to divide by. */
const dayBefore = (days: number): string =>
  `nullIf(any(f.x) OVER (ORDER BY f.day RANGE BETWEEN ${days} PRECEDING AND ${days} PRECEDING), 0)`

/** An aggregate of a window that has enough days. */
const over = (aggregate: string, days: number, coverage: number): string =>
  `if(count() OVER ${window(days)} >= ${leastDays(days, coverage)}, ${aggregate} OVER ${window(days)}, NULL)`

/** The reading of a day, over `f.x`. */
function readingOf(
  kind: Exclude<TransformKind, 'volatility'>,
  days: readonly number[],
  coverage: number,
): string {
  const [first = 1, second = 1] = days
  const mean = (length: number) => over('avg(f.x)', length, coverage)
  switch (kind) {
    case 'mean':
      return mean(first)
    case 'sum':
      return over('sum(f.x)', first, coverage)
    case 'multiple':
      return `${mean(first)} / nullIf(${mean(second)}, 0)`
    case 'cross':
      return `${mean(first)} / nullIf(${mean(second)}, 0) - 1`
    case 'change':
      return `f.x / ${dayBefore(first)} - 1`
    case 'drawdown':
      return `f.x / nullIf(${over('max(f.x)', first, coverage)}, 0) - 1`
    default: {
      const never: never = kind
      return never
    }
  }
}

/** CTEs `figures` and `readings` (`day`, `value`, where they come from) of a signal by a rule. */
export function readingsSql(signal: CatalogSignal, rule: SignalRule, entry: Metric): string {
  const { kind, days } = rule.transform
  const { coverage } = signal
  const [length = 1] = days
  const figures = `figures AS (
  ${figuresSql(signal, entry)}
  )`
  // A reading rests on every figure of its window.
  const longest = Math.max(...days) + (kind === 'change' || kind === 'volatility' ? 1 : 0)
  const columns = `arrayStringConcat(${sourceSetSql('f.source', ` OVER ${window(longest)}`)}, '${SOURCES_BY}') AS source,
      f.from_height AS from_height, f.to_height AS to_height, f.as_of AS as_of`
  if (kind !== 'volatility')
    return `${figures},
  readings AS (
    SELECT f.day AS day, ${readingOf(kind, days, coverage)} AS value, ${columns}
    FROM figures AS f
  )`
  return `${figures},
  returns AS (
    SELECT f.day AS day, log(f.x / ${dayBefore(1)}) AS log_return, ${columns}
    FROM figures AS f
    WHERE f.x > 0
  ),
  readings AS (
    SELECT f.day AS day, ${over('stddevSamp(f.x)', length, coverage)} * sqrt(365) AS value, ${columns}
    FROM (
      SELECT day, assumeNotNull(log_return) AS x, source, from_height, to_height, as_of
      FROM returns
      WHERE log_return IS NOT NULL
    ) AS f
  )`
}

const holds = (side: SignalSide): string => ('above' in side ? `> ${side.above}` : `< ${side.below}`)

/** The state of a reading: 1 bullish, −1 bearish, 0 neutral. */
export const stateSql = ({ bullish, bearish }: SignalRule, value: string): string =>
  `multiIf(${[
    ...(bullish === undefined ? [] : [`${value} ${holds(bullish)}, 1`]),
    ...(bearish === undefined ? [] : [`${value} ${holds(bearish)}, -1`]),
    '0',
  ].join(', ')})`
