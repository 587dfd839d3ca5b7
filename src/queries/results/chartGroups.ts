import type { Cell } from '#kernel/sqlCells.ts'
import { engineType } from '../engineType.ts'
import { QueryError } from '../errors.ts'
import {
  bareType,
  columnAt,
  isNumber,
  isTime,
  quotedName,
  type ResultEngine,
  type ResultFilter,
  type ResultSource,
  secondsOf,
  viewSql,
} from './resultSql.ts'

/** Aggregate functions. `last` is the last value in row order. */
export const AGGREGATIONS = ['sum', 'average', 'median', 'min', 'max', 'count', 'last'] as const
export type Aggregation = (typeof AGGREGATIONS)[number]

/** How to group all rows for a chart. Columns count from 0. */
export type ChartRequest = {
  readonly x?: number | undefined
  readonly series?: number | undefined
  readonly values: readonly number[]
  readonly aggregation: Aggregation
  readonly filters?: readonly ResultFilter[] | undefined
}

/** Time bucket in seconds, or a calendar month. */
export type ChartStep = number | 'month'

export type ChartGroups = {
  /** Rows that match the filters. */
  readonly matchingRows: number
  /** Time bucket, or null if times are not bucketed. */
  readonly step: ChartStep | null
  /** One group per row: x, series, row count, then for each value its aggregate and the number of rows with a value. */
  readonly groups: Cell[][]
}

const MOST_GROUPS = 50_000
/** Up to this many distinct times are not bucketed, however far apart they are. */
const MOST_TIMES = 1000
const MOST_BUCKETS = 2000
const FEWEST_BUCKETS = 50
const DAY = 86_400
/** Same steps as charts on the page (`chart/timeGrid.ts`). */
const STEPS = [60, 300, 900, 3600, 4 * 3600, DAY, 7 * DAY] as const
/** Weeks begin on Monday; 1 January 1970 was a Thursday. */
const MONDAY = 4 * DAY

/** Groups all rows of a result for a chart. Throws `sql.chart_groups` for more groups than a chart shows. */
export async function chartGroups(
  source: ResultSource,
  request: ChartRequest,
  { rowsOf }: ResultEngine,
): Promise<ChartGroups> {
  const rows = viewSql(source, { filters: request.filters })
  const step = await stepOf(source, request, rows, rowsOf)
  const keys = [
    request.x === undefined ? 'NULL' : placeOf(source, request.x, step),
    request.series === undefined ? 'NULL' : quotedName(columnAt(source, request.series).name),
  ]
  const values = request.values.flatMap(position => {
    const { name, type } = columnAt(source, position)
    if (!isNumber(type))
      throw new QueryError('sql.result_column', `Column ${position + 1} is not numeric.`, {
        hint: 'Choose a numeric column, or count rows.',
      })
    const isKnown = knownOf(type, quotedName(name))
    return [
      `if(countIf(${isKnown}) = 0, NULL, ${aggregateOf(request.aggregation, type, quotedName(name))})`,
      `countIf(${isKnown})`,
    ]
  })
  // An alias that equals a column name would shadow the column.
  let name = 'group'
  while (source.columns.some(column => column.name.startsWith(name))) name += '_'
  const groupBy = keys.map((_, at) => quotedName(`${name} ${at}`)).join(', ')
  const selected = [
    ...keys.map((key, at) => `${key} AS ${quotedName(`${name} ${at}`)}`),
    'count()',
    ...values,
  ]
  const settings = [
    // The engine stops as soon as there are too many.
    `max_rows_to_group_by = ${MOST_GROUPS}, group_by_overflow_mode = 'throw'`,
    // The last value depends on the row order, which only one thread keeps.
    ...(request.aggregation === 'last' ? ['max_threads = 1'] : []),
  ]
  const { rows: groups } = await rowsOf(
    `SELECT ${selected.join(', ')} FROM (\n${rows}\n)\nGROUP BY ${groupBy}\nORDER BY ${groupBy}\nLIMIT ${MOST_GROUPS + 1}\nSETTINGS ${settings.join(', ')}`,
  )
  if (groups.length > MOST_GROUPS) throw tooManyGroups()
  return { matchingRows: groups.reduce((sum, group) => sum + Number(group[2]), 0), step, groups }
}

export const tooManyGroups = (cause?: unknown): QueryError =>
  new QueryError(
    'sql.chart_groups',
    `The chart has more than ${MOST_GROUPS.toLocaleString('en-US')} groups.`,
    {
      hint: 'Choose columns with fewer values for the axis and the series, or filter the rows.',
      cause,
    },
  )

/** Unix time of the displayed time, in whole seconds. */
function shownSeconds(type: string, name: string): string {
  const seconds = secondsOf(type, name)
  const [zone] = engineType(bareType(type)).args.slice(-1)
  const isElsewhere = zone !== undefined && /^'/.test(zone) && zone !== "'UTC'"
  return `toInt64(floor(${isElsewhere ? `${seconds} + timezoneOffset(${name})` : seconds}))`
}

/** X value as the page expects it: times as strings, numbers as doubles, anything else unchanged. */
function placeOf(source: ResultSource, position: number, step: ChartStep | null): string {
  const { name, type } = columnAt(source, position)
  const column = quotedName(name)
  if (isTime(type)) {
    const seconds = shownSeconds(type, column)
    const time = `toDateTime64(${seconds}, 0, 'UTC')`
    if (step === 'month') return `concat(substring(toString(${time}), 1, 7), '-01')`
    if (step === null) return `toString(${time})`
    const origin = step === 7 * DAY ? MONDAY : 0
    return `toString(toDateTime64(${seconds} - positiveModulo(${seconds} - ${origin}, ${step}), 0, 'UTC'))`
  }
  if (!isNumber(type)) return column
  const number = `toFloat64(${column})`
  return `if(isFinite(${number}), ${number}, NULL)`
}

/** The finest step with few enough buckets. Null if there are few distinct times. */
async function stepOf(
  source: ResultSource,
  { x, series }: ChartRequest,
  rows: string,
  rowsOf: ResultEngine['rowsOf'],
): Promise<ChartStep | null> {
  const { name, type } = x === undefined ? { name: '', type: '' } : columnAt(source, x)
  if (!isTime(type)) return null
  const seconds = shownSeconds(type, quotedName(name))
  const lines = series === undefined ? '1' : `uniqExact(${quotedName(columnAt(source, series).name)}) + 1`
  const found = await rowsOf(
    `SELECT uniqExact(${seconds}), minOrNull(${seconds}), maxOrNull(${seconds}), ${lines} FROM (\n${rows}\n)`,
  )
  const [times, first, last, count] = (found.rows[0] ?? []).map(Number)
  if (times === undefined || times <= MOST_TIMES) return null
  const most = Math.max(FEWEST_BUCKETS, Math.min(MOST_BUCKETS, Math.floor(MOST_GROUPS / (count ?? 1))))
  const span = (last ?? 0) - (first ?? 0)
  // The week of the first time can add one bucket.
  return STEPS.find(size => Math.floor(span / size) + 2 <= most) ?? 'month'
}

/** Whether a row has a value. NULL, NaN and infinity do not count. */
const knownOf = (type: string, column: string): string =>
  /^B?Float/.test(bareType(type)) ? `isFinite(${column})` : `isNotNull(${column})`

function aggregateOf(how: Aggregation, type: string, column: string): string {
  const bare = bareType(type)
  const isKnown = knownOf(type, column)
  switch (how) {
    case 'count':
      return `countIf(${isKnown})`
    case 'sum':
      return `sumIf(${summand(bare, column)}, ${isKnown})`
    case 'average':
      return `avgIf(toFloat64(${column}), ${isKnown})`
    case 'median':
      return `quantileExactInclusiveIf(0.5)(toFloat64(${column}), ${isKnown})`
    case 'min':
    case 'max':
      return `${how}If(${column}, ${isKnown})`
    case 'last':
      return `anyLastIf(${column}, ${isKnown})`
  }
}

/** Casts to a type whose sum over a million rows neither overflows nor loses digits, or to a double if no type is wide enough. */
function summand(bare: string, column: string): string {
  const { name, args } = engineType(bare)
  if (/^U?Int(?:8|16|32|64|128)$/.test(name)) return `toInt256(${column})`
  if (name === 'Decimal' && Number(args[0]) <= 38) return `toDecimal256(${column}, ${Number(args[1])})`
  return `toFloat64(${column})`
}
