import { ApiError, problemOf } from './apiError.ts'
import type { Range, Series, SeriesQuery } from './contract.ts'

type Span = Exclude<Range, 'max'>
type PlainQuery = Omit<SeriesQuery, 'range'>

const DAYS: Readonly<Record<Span, number>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }
const DAY_MS = 86_400_000
/** A series that ends within a month of the newest block is up to date: longer buckets begin that much earlier. */
const LAG_DAYS = 31

/** Days that a range may end with. */
export type NewestDays = {
  readonly ofBlocks: string
  /** The metric's own newest day with a figure, null without one; undefined where only reading tells. */
  readonly own: string | null | undefined
}

/**
 * A series with its range as days. A range ends with the metric's own newest day. Where that is not at hand, the newest
 * block is tried first, which most metrics follow; one that runs ahead of it or stopped long before is asked for again.
 * Throws `http.parameter`.
 */
export async function readOver(
  { range, ...query }: SeriesQuery,
  newestDays: (query: PlainQuery) => Promise<NewestDays>,
  read: (query: PlainQuery) => Promise<Series>,
): Promise<Series> {
  if (range !== undefined && query.from !== undefined) {
    throw parameterError('range', 'replaces `from`: use one of the two')
  }
  if (query.from !== undefined && query.to !== undefined && query.from > query.to) {
    throw parameterError('from', `is after \`to\`: ${query.from} > ${query.to}`)
  }
  if (range === undefined || range === 'max') return read(query)
  if (query.to !== undefined) return read({ ...query, from: firstDayOf(range, query.to) })
  const { ofBlocks, own } = await newestDays({ ...query, ...(isFine(query.grain) && { grain: 'day' }) })
  const follows = (day: string): boolean => day <= ofBlocks && day >= daysBefore(ofBlocks, LAG_DAYS)
  if (isFine(query.grain)) {
    const last =
      own === undefined
        ? newestDayOf(await read({ ...query, grain: 'day', figuresOnly: true }))
        : (own ?? undefined)
    return read({ ...query, from: firstDayOf(range, last ?? ofBlocks), to: last ?? ofBlocks })
  }
  if (own !== undefined) {
    const last = own === null || follows(own) ? ofBlocks : own
    return read({ ...query, from: firstDayOf(range, last) })
  }
  const tried = await read({ ...query, from: firstDayOf(range, ofBlocks) })
  const found = newestDayOf(tried)
  if (found !== undefined && follows(found)) return tried
  const newest = found ?? newestDayOf(await read(query))
  return newest === undefined ? tried : read({ ...query, from: firstDayOf(range, newest) })
}

/** Blocks and hours are read over a range with two ends. */
const isFine = (grain: SeriesQuery['grain']): boolean => grain === 'block' || grain === 'hour'

const newestDayOf = ({ points }: Series): string | undefined =>
  points.reduce<string | undefined>(
    (newest, { day, value }) => (value !== null && (newest === undefined || day > newest) ? day : newest),
    undefined,
  )

/** First day of the span of that length which ends with `lastDay`, both inclusive. */
const firstDayOf = (range: Span, lastDay: string): string => daysBefore(lastDay, DAYS[range] - 1)

const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS).toISOString().slice(0, 10)

const parameterError = (parameter: string, message: string): ApiError =>
  new ApiError(
    problemOf('http.parameter', `\`${parameter}\` ${message}.`, { errors: [{ parameter, message }] }),
  )
