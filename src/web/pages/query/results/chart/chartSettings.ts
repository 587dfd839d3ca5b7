import type { SqlColumn } from '#http/contract.ts'
import { bareType, isNumberType, isTimeType } from '../grid/cells.ts'

export const CHART_KINDS = ['line', 'bar', 'area', 'scatter', 'pie', 'heat', 'counter', 'pivot'] as const
export const AGGREGATIONS = ['sum', 'average', 'median', 'min', 'max', 'count', 'last'] as const
export const STACKINGS = ['none', 'stacked', 'share'] as const
export const SCALES = ['linear', 'log'] as const

/** What a chart of a result draws. Columns are named, so that it survives a change of the query. */
export type ChartSettings = {
  kind: (typeof CHART_KINDS)[number]
  x: string | null
  /** Column whose values become lines, slices' names or columns of a pivot. */
  series: string | null
  /** Number columns. Kinds that draw one value take the first. Empty: rows are counted. */
  values: readonly string[]
  aggregation: (typeof AGGREGATIONS)[number]
  stacking: (typeof STACKINGS)[number]
  scale: (typeof SCALES)[number]
}

/** More lines than an eye tells apart. */
export const MOST_VALUES = 8

export const hasX = ({ kind }: Pick<ChartSettings, 'kind'>): boolean => kind !== 'counter'
export const hasSeries = ({ kind }: Pick<ChartSettings, 'kind'>): boolean =>
  kind !== 'counter' && kind !== 'pie'
export const hasManyValues = ({ kind, series }: Pick<ChartSettings, 'kind' | 'series'>): boolean =>
  series === null && kind !== 'counter' && kind !== 'pie' && kind !== 'scatter'
export const hasAggregation = ({ kind }: Pick<ChartSettings, 'kind'>): boolean => kind !== 'scatter'
export const hasStacking = ({ kind }: Pick<ChartSettings, 'kind'>): boolean =>
  kind === 'bar' || kind === 'area'
export const hasScale = ({ kind, stacking }: Pick<ChartSettings, 'kind' | 'stacking'>): boolean =>
  kind === 'line' || kind === 'scatter' || kind === 'heat' || (hasStacking({ kind }) && stacking === 'none')

/** A column that names things: few values, repeated. */
const isName = ({ type, shownAs }: SqlColumn): boolean =>
  shownAs === 'value' &&
  (/^(?:String|Enum|Bool|FixedString)/.test(bareType(type)) || type.startsWith('LowCardinality'))

/** Names of numbers that nobody sums. */
const PLACE = /(?:^|_)(?:height|id|index|nonce|vout|vin)$/

/** The chart that fits the types of the columns: lines over time, bars by name, points of two numbers, or one figure. */
export function defaultSettings(columns: readonly SqlColumn[], rowCount: number): ChartSettings {
  const numbers = columns
    .filter(({ type }) => isNumberType(type))
    .map(({ name }) => name)
    // Numbers that only say where something is come last.
    .sort((one, other) => Number(PLACE.test(one)) - Number(PLACE.test(other)))
  // One axis has one unit: columns without one, such as counts, are not drawn beside amounts.
  const unit = numbers.map(unitOf).find(each => each !== '')
  const alike = unit === undefined ? numbers.slice(0, 1) : numbers.filter(each => unitOf(each) === unit)
  const time = columns.find(({ type }) => isTimeType(type))
  const name = columns.find(column => isName(column) && column !== time)
  const base = { aggregation: 'sum', stacking: 'none', scale: 'linear', series: null } as const
  const [first] = numbers
  const count = first === undefined ? 'count' : 'sum'
  if (rowCount === 1)
    return { ...base, kind: 'counter', x: null, values: alike.slice(0, 1), aggregation: count }
  if (time)
    return {
      ...base,
      kind: 'line',
      x: time.name,
      series: name?.name ?? null,
      values: alike.slice(0, name ? 1 : 4),
      aggregation: count,
    }
  if (name) return { ...base, kind: 'bar', x: name.name, values: alike.slice(0, 1), aggregation: count }
  if (numbers.length > 1) return { ...base, kind: 'scatter', x: first ?? null, values: numbers.slice(1, 2) }
  const [column] = columns
  return { ...base, kind: 'bar', x: column?.name ?? null, values: [], aggregation: 'count' }
}

/** Settings that the columns at hand can be drawn with: names that are gone are replaced by the defaults. */
export function fittingSettings(
  settings: ChartSettings | undefined,
  columns: readonly SqlColumn[],
  rowCount: number,
): ChartSettings {
  const fallback = defaultSettings(columns, rowCount)
  if (settings === undefined) return fallback
  const names = new Set(columns.map(({ name }) => name))
  const numbers = new Set(columns.filter(({ type }) => isNumberType(type)).map(({ name }) => name))
  const values = settings.values.filter(name => numbers.has(name))
  const isLost = values.length < settings.values.length && values.length === 0
  return {
    ...settings,
    x: settings.x !== null && names.has(settings.x) ? settings.x : fallback.x,
    series: settings.series !== null && names.has(settings.series) ? settings.series : null,
    values: isLost ? fallback.values : values,
    aggregation: values.length === 0 && !isLost ? 'count' : settings.aggregation,
  }
}

/** The unit that the name of a column says, as column names of Assay do. */
export function unitOf(name: string | undefined): string {
  if (name === undefined) return ''
  if (/(?:^|_)sats?$/i.test(name)) return 'sat'
  if (/(?:^|_)ustx$/i.test(name)) return 'uSTX'
  if (/(?:^|_)usd$/i.test(name)) return 'USD'
  if (/(?:^|_)bytes$/i.test(name)) return 'bytes'
  return ''
}
