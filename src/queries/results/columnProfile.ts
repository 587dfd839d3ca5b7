import type { Cell } from '#kernel/sqlCells.ts'
import type { AnswerColumn } from '../decodeRows.ts'
import {
  isNumber,
  isTime,
  quotedName,
  type ResultEngine,
  type ResultFilter,
  type ResultSource,
  secondsOf,
  viewSql,
} from './resultSql.ts'

export type ColumnProfile = {
  readonly column: AnswerColumn
  readonly rows: number
  readonly nulls: number
  readonly distinct: number
  readonly min: Cell
  readonly max: Cell
  readonly mean: number | null
  readonly median: number | null
  readonly top: readonly { readonly value: Cell; readonly rows: number }[]
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly rows: number }[]
}

const TOP_VALUES = 10
const HISTOGRAM_BARS = 20

/** Profiles a column over the rows that match the filters. */
export async function columnProfile(
  source: ResultSource,
  { column, filters }: { column: AnswerColumn; filters: readonly ResultFilter[] | undefined },
  { rowsOf }: ResultEngine,
): Promise<ColumnProfile> {
  const relation = `(\n${viewSql(source, { filters })}\n)`
  const name = quotedName(column.name)
  const hasNumbers = isNumber(column.type)
  const number = isTime(column.type) ? secondsOf(column.type, name) : `toFloat64(${name})`
  const [facts, top] = await Promise.all([
    rowsOf(
      `SELECT count(), countIf(isNull(${name})), uniqExact(${name}), min(${name}), max(${name})${
        hasNumbers ? `, avg(${number}), quantile(${number})` : ''
      } FROM ${relation}`,
    ),
    rowsOf(
      `SELECT ${name}, count() FROM ${relation}
WHERE isNotNull(${name}) GROUP BY ${name} ORDER BY count() DESC, ${name} LIMIT ${TOP_VALUES}`,
    ),
  ])
  const [rows, nulls, distinct, min = null, max = null, mean = null, median = null] = facts.rows[0] ?? []
  // The engine gives 0 as the minimum of no numbers.
  if (Number(rows) === 0) return emptyProfile(column)
  return {
    column,
    rows: Number(rows),
    nulls: Number(nulls),
    distinct: Number(distinct),
    min,
    max,
    mean: finite(mean),
    median: finite(median),
    top: top.rows.map(([value = null, count]) => ({ value, rows: Number(count) })),
    histogram: hasNumbers || isTime(column.type) ? await histogramOf(relation, name, number, rowsOf) : [],
  }
}

const finite = (value: Cell): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** The profile of a column without rows. */
export const emptyProfile = (column: AnswerColumn): ColumnProfile => ({
  column,
  rows: 0,
  nulls: 0,
  distinct: 0,
  min: null,
  max: null,
  mean: null,
  median: null,
  top: [],
  histogram: [],
})

/** Bars of equal width from the least to the greatest finite value. */
async function histogramOf(
  relation: string,
  name: string,
  number: string,
  rowsOf: ResultEngine['rowsOf'],
): Promise<ColumnProfile['histogram']> {
  const whereFinite = `isNotNull(${name}) AND isFinite(${number})`
  const ends = await rowsOf(
    `SELECT minOrNull(${number}), maxOrNull(${number}) FROM ${relation} WHERE ${whereFinite}`,
  )
  const [low, high] = ends.rows[0] ?? []
  if (typeof low !== 'number' || typeof high !== 'number') return []
  const width = (high - low) / HISTOGRAM_BARS
  if (!(width > 0) || !Number.isFinite(width)) return []
  const bar = `least(${HISTOGRAM_BARS - 1}, toUInt32(floor((${number} - (${low})) / ${width})))`
  const { rows } = await rowsOf(`SELECT ${bar}, count() FROM ${relation} WHERE ${whereFinite} GROUP BY 1`)
  const counts = new Map(rows.map(([at, count]) => [Number(at), Number(count)]))
  return Array.from({ length: HISTOGRAM_BARS }, (_, at) => ({
    from: low + at * width,
    to: at === HISTOGRAM_BARS - 1 ? high : low + (at + 1) * width,
    rows: counts.get(at) ?? 0,
  }))
}
