import type { AsOf, Grain, SourceRef } from '#http/contract.ts'
import { addDays, dayNumber, dayText, monthName } from '../../format/day.ts'

/** One line of a chart on the regular grid of its buckets. */
export type PlotLine = {
  key: string
  label: string
  /** Name of a colour token without the dashes: `series-bitcoin`. */
  colour: string
  /** One value a bucket; null where nothing is known. */
  values: (number | null)[]
  /** Buckets with a gap in their base rows: drawn hollow. */
  incomplete: number[]
  /** Buckets in which the value is a sum that lacks an unknown member. */
  lacking?: number[]
  isFaint?: boolean
  /** Drawn as quiet bars behind the others. */
  isBars?: boolean
  /** What happened on it, one figure a bucket: null where nothing did. */
  sized?: { label: string; unit: string; values: (number | null)[]; assay: string }
  /** What the assay view of this line is called: `fees.total@bitcoin`. */
  assay: string
}

/** Everything a chart draws, small enough to travel with the page. */
export type PlotData = {
  /** First day of the first bucket. */
  start: string
  grain: Grain
  count: number
  /** True when the last bucket is not over: drawn dashed. */
  isPartial: boolean
  lines: PlotLine[]
  /** The whole of which the lines are parts, by its own source, one a bucket; absent where their sum is the whole. */
  totals?: (number | null)[]
  unit: string
  asOf: AsOf
  sources: Pick<SourceRef, 'id' | 'name'>[]
}

/** First day of the n-th bucket. */
export function bucketDay(plot: Pick<PlotData, 'start' | 'grain'>, index: number): string {
  if (plot.grain === 'month') {
    const [year = 1970, month = 1] = plot.start.split('-').map(Number)
    const months = year * 12 + month - 1 + index
    return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
  }
  return addDays(plot.start, plot.grain === 'week' ? index * 7 : index)
}

/** First day of the bucket that holds a day; weeks begin on Monday. */
export function bucketStart(day: string, grain: Grain): string {
  if (grain === 'month') return `${day.slice(0, 8)}01`
  // 1 January 1970 was a Thursday.
  return grain === 'week' ? addDays(day, -((dayNumber(day) + 3) % 7)) : day
}

/** Index of the bucket that holds a day; below 0 or beyond `count` where the chart does not reach. */
export function bucketIndex(plot: Pick<PlotData, 'start' | 'grain'>, day: string): number {
  if (plot.grain === 'month') {
    const [year = 0, month = 1] = day.split('-').map(Number)
    const [startYear = 0, startMonth = 1] = plot.start.split('-').map(Number)
    return (year - startYear) * 12 + month - startMonth
  }
  return Math.floor((dayNumber(day) - dayNumber(plot.start)) / (plot.grain === 'week' ? 7 : 1))
}

/**
 * Buckets in which some lines have a value and others do not, or in which a value lacks a member. Their sum is not that
 * of all lines: no total and no share follows from them.
 */
export function partialSums(lines: readonly Pick<PlotLine, 'values' | 'lacking'>[]): Set<number> {
  const partial = new Set(lines.flatMap(({ lacking }) => lacking ?? []))
  const count = lines[0]?.values.length ?? 0
  for (let index = 0; index < count; index += 1) {
    const known = lines.filter(({ values }) => (values[index] ?? null) !== null).length
    if (known > 0 && known < lines.length) partial.add(index)
  }
  return partial
}

/**
 * Values of a bucket for `sharesOf`, one per line. Where one of `all` lines is unknown or a value lacks a member, an unknown
 * part stands at the end: a line that the reader hides is no less unknown.
 */
export function partsOf(
  lines: readonly Pick<PlotLine, 'values' | 'lacking'>[],
  all: readonly Pick<PlotLine, 'values' | 'lacking'>[],
): (index: number) => (number | null)[] {
  const isPartial = partialSums(all)
  return index => [
    ...lines.map(({ values }) => values[index] ?? null),
    ...(isPartial.has(index) ? [null] : []),
  ]
}

/** Index of the newest bucket that is over, without a gap and known: what may be ranked. Undefined where there is none. */
export function newestWholeBucket({
  lines,
  count,
  isPartial,
}: Pick<PlotData, 'lines' | 'count' | 'isPartial'>): number | undefined {
  const gaps = new Set(lines.flatMap(({ incomplete }) => incomplete))
  for (let index = count - (isPartial ? 2 : 1); index >= 0; index--)
    if (!gaps.has(index) && lines.some(({ values }) => typeof values[index] === 'number')) return index
  return undefined
}

/** A value of a line, and in which bucket. `isPartial`: it is not that of a whole bucket. */
export type PlotPoint = { index: number; value: number; isPartial: boolean }

/**
 * The values of a line that a text may name, oldest first: those of whole buckets. Only a line without any has those of
 * buckets that are not over, have gaps or lack an unknown member: one block of a day is no lowest day.
 */
export function namedPoints(
  plot: Pick<PlotData, 'isPartial' | 'count'>,
  { values, incomplete, lacking = [] }: Pick<PlotLine, 'values' | 'incomplete' | 'lacking'>,
): PlotPoint[] {
  const partial = new Set([...incomplete, ...lacking, ...(plot.isPartial ? [plot.count - 1] : [])])
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ index, value, isPartial: partial.has(index) }],
  )
  const whole = points.filter(({ isPartial }) => !isPartial)
  return whole.length > 0 ? whole : points
}

/** How a bucket is called: a day, a week by its first day, a month by its name. */
export function bucketText(plot: Pick<PlotData, 'start' | 'grain'>, index: number): string {
  const day = bucketDay(plot, index)
  if (plot.grain === 'week') return `week of ${dayText(day)}`
  if (plot.grain === 'month') return `${monthName(Number(day.slice(5, 7)) - 1)} ${day.slice(0, 4)}`
  return dayText(day)
}
