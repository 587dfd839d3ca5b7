import { MetricsError } from './errors.ts'
import { FINE_ORDER } from './fineFigures.ts'
import { grainsOf, isFine, type Metric, type SeriesGrain } from './metric.ts'
import { sourcesSql } from './sourcesSql.ts'

export type SeriesUnit = 'native' | 'btc' | 'usd'

/** SQL in which a metric is drawn at a grain and in a unit: its own statement where both are its own, else around it. */
export type DrawnSql = {
  readonly sql: string
  /** Unit of the values. */
  readonly unit: string
}

const BUCKET = { week: 'toMonday(day)', month: 'toStartOfMonth(day)' } as const
const LAST_DAY = { week: 'toMonday(day) + 6', month: 'toLastDayOfMonth(day)' } as const

const takesGrain = (entry: Metric): boolean => entry.parameters.some(({ name }) => name === 'grain')

/**
 * Money is kept in satoshis, in micro-STX, in wei of a coin or, where a publisher says so, in USD; the other units are views of it: amount × the
 * close of the day of whatever coin it is. Throws `metrics.unit` where a metric is no money, `metrics.grain` where a longer bucket cannot follow.
 */
export function seriesSql(entry: Metric, grain: SeriesGrain, unit: SeriesUnit): DrawnSql {
  if (isFine(grain)) {
    if (entry.fine?.grains.includes(grain)) return convert({ ...entry, sql: entry.fine.sql }, unit, FINE)
    throw new MetricsError('metrics.grain', `${entry.id} is not available by ${grain}`, {
      facts: { parameter: 'grain', value: grain },
      hint: `It answers by ${grainsOf(entry).join(', ')}.`,
    })
  }
  const converted = convert(entry, unit, takesGrain(entry) ? LENGTHENED : DAYS)
  if (grain === 'day') return { sql: converted.sql, unit: converted.unit }
  if (takesGrain(entry)) return { sql: converted.sql, unit: converted.unit }
  if (entry.aggregate === 'distinct') {
    throw new MetricsError(
      'metrics.grain',
      `${entry.id} is a distinct count and is not available by ${grain}`,
      {
        facts: { parameter: 'grain' },
        hint: 'A distinct count never adds up over days; ask for grain=day.',
      },
    )
  }
  return { sql: lengthen(entry, converted.sql, grain), unit: converted.unit }
}

/** The same statement for some values of the breakdown; all of them where none is named. */
export function onlyKeys(sql: string, keys: readonly string[], grain: SeriesGrain): string {
  if (keys.length === 0) return sql
  const list = keys.map(key => `'${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')
  return `SELECT *\nFROM (\n${sql}\n)\nWHERE key IN (${list})\nORDER BY ${isFine(grain) ? FINE_ORDER : 'day, key'}`
}

/** How buckets are named and ordered, and the day whose close prices one. */
type Buckets = { readonly columns: string; readonly order: string; readonly priceDay: string }
const DAYS: Buckets = { columns: 's.day AS day', order: 'day, key', priceDay: 's.day' }
// A bucket that the statement itself lengthens is priced at the close of its last day.
const LENGTHENED: Buckets = {
  ...DAYS,
  priceDay:
    "multiIf({grain:String} = 'week', s.day + 6, {grain:String} = 'month', toLastDayOfMonth(s.day), s.day)",
}
const FINE: Buckets = {
  columns: 's.time AS time, s.height AS height',
  order: FINE_ORDER,
  priceDay: 'toDate(s.time)',
}

/** An amount's coin: under which asset it is priced, and how many of the amount's unit are one of it. */
type Money = { readonly asset: string; readonly scale: string }

/** Coins that stand for a bitcoin are priced as one. */
const PRICED_AS: Readonly<Record<string, string>> = { RBTC: 'BTC' }

/** The coin of a unit (`sat`, `uSTX`, `wei.CORE`); undefined where the unit is no money of a chain. */
export function moneyOf(unit: string): Money | undefined {
  if (unit === 'sat') return { asset: 'BTC', scale: '100000000' }
  if (unit === 'uSTX') return { asset: 'STX', scale: '1000000' }
  const [family, coin] = unit.split('.')
  return family === 'wei' && coin !== undefined
    ? { asset: PRICED_AS[coin] ?? coin, scale: '1e18' }
    : undefined
}

/** A relation of `day` and `close`, the asset's closes in US dollars. */
export const closesOf = (asset: string): string =>
  asset === 'BTC' ? 'btc_usd_daily' : `(SELECT day, close FROM usd_closes WHERE asset = '${asset}')`

/** The value of an amount `s.value` in another unit, over closes `p` of its coin and `b` of bitcoin; undefined where there is none. */
function converted(
  entry: Metric,
  unit: 'btc' | 'usd',
): { value: string; coin: string | undefined } | undefined {
  if (entry.unit === 'USD') return { value: 's.value / nullIf(b.close, 0)', coin: undefined }
  const money = moneyOf(entry.unit)
  if (money === undefined) return undefined
  const { asset, scale } = money
  const coins = `${scale === '1e18' ? 'toFloat64(s.value)' : 's.value'} / ${scale}`
  if (asset === 'BTC')
    return { value: unit === 'btc' ? coins : `${coins} * nullIf(b.close, 0)`, coin: undefined }
  const usd = `${coins} * nullIf(p.close, 0)`
  return { value: unit === 'usd' ? usd : `${usd} / nullIf(b.close, 0)`, coin: asset }
}

function convert(entry: Metric, unit: SeriesUnit, { columns, order, priceDay }: Buckets): DrawnSql {
  if (unit === 'native' || (unit === 'usd' && entry.unit === 'USD'))
    return { sql: entry.sql, unit: entry.unit }
  const found = converted(entry, unit)
  if (found === undefined) {
    throw new MetricsError('metrics.unit', `${entry.id} is in ${entry.unit} and cannot be shown in ${unit}`, {
      facts: { parameter: 'unit' },
      hint: 'Leave the unit out, or ask for unit=native.',
    })
  }
  const { value, coin } = found
  const joins = [
    ...(coin === undefined ? [] : [['p', closesOf(coin)]]),
    ...(value.includes('b.close') ? [['b', closesOf('BTC')]] : []),
  ]
  const join = joins
    .map(([name, closes]) => `\nLEFT JOIN ${closes} AS ${name} ON ${name}.day = ${priceDay}`)
    .join('')
  return {
    unit: unit === 'btc' ? 'BTC' : 'USD',
    sql: `SELECT
  ${columns}, s.key AS key, ${value} AS value,
  s.state AS state, s.source AS source, s.from_height AS from_height, s.to_height AS to_height, s.as_of AS as_of
FROM (
${entry.sql}
) AS s${join}
ORDER BY ${order}`,
  }
}

/** A bucket is whole when all its days are; a ratio is computed from its bucket's sums. */
function lengthen(entry: Metric, sql: string, grain: 'week' | 'month'): string {
  const last = 'argMax(tuple(s.value), s.day).1'
  const value = {
    sum: 'sum(s.value)',
    last,
    mean: 'avg(s.value)',
    distinct: 'NULL',
    recompute: 'sum(s.numerator) / nullIf(sum(s.denominator), 0)',
  }[entry.aggregate]
  const known = {
    sum: 'countIf(s.value IS NULL) = 0',
    last: `${last} IS NOT NULL`,
    mean: 'countIf(s.value IS NULL) = 0',
    distinct: '0',
    recompute: 'countIf(s.numerator IS NULL OR s.denominator IS NULL) = 0',
  }[entry.aggregate]
  const isWhole =
    entry.calendar === 'reported'
      ? "countIf(s.state != 'whole') = 0"
      : entry.aggregate === 'last'
        ? "max(s.day) = s.last_day AND argMax(s.state, s.day) = 'whole'"
        : "uniqExactIf(s.day, s.state = 'whole') = s.last_day - s.bucket + 1"
  return `SELECT
  s.bucket AS day, s.key AS key,
  if(${known}, ${value}, NULL) AS value,
  multiIf(
    ${isWhole} AND ${known}, 'whole',
    countIf(s.state = 'partial') > 0 OR s.last_day >= toDate(now('UTC') - INTERVAL 3 HOUR) AND countIf(s.state = 'incomplete') = 0, 'partial',
    'incomplete'
  ) AS state,
  ${entry.aggregate === 'last' ? 'argMax(s.source, s.day)' : sourcesSql('s.source')} AS source,
  min(s.from_height) AS from_height, max(s.to_height) AS to_height, max(s.as_of) AS as_of
FROM (
  SELECT *, ${BUCKET[grain]} AS bucket, ${LAST_DAY[grain]} AS last_day
  FROM (
${sql}
  )
) AS s
GROUP BY s.bucket, s.last_day, s.key
ORDER BY day, key`
}
