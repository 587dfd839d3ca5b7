/** Times of a result as regular buckets, so that a bucket without rows is a gap. All times are UTC. */

const DAY = 86_400
/** Buckets of an axis; more would not be told apart. */
export const MOST_BUCKETS = 2000
const STEPS = [1, 60, 300, 900, 3600, 4 * 3600, DAY, 7 * DAY] as const

export type TimeGrid = {
  /** First second of the first bucket, since 1970. */
  start: number
  /** Seconds, or calendar months. */
  step: number | 'month'
  count: number
}

/** `2026-01-31` or `2026-01-31 14:00:00` as seconds since 1970; undefined for everything else. */
export function secondsOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const found = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.\d+)?Z?)?$/.exec(text)
  if (!found) return undefined
  const ms = Date.parse(`${found[1]}T${found[2] ?? '00:00:00'}Z`)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
const monthOf = (seconds: number): number => {
  const date = new Date(seconds * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The coarsest regular grid on which all times lie, or, where that has too many buckets, one that groups them. */
export function timeGridOf(times: readonly number[]): TimeGrid | undefined {
  if (times.length === 0) return undefined
  const sorted = [...new Set(times)].sort((a, b) => a - b)
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)]
  const isMonthly = sorted.every(time => time % DAY === 0 && new Date(time * 1000).getUTCDate() === 1)
  if (isMonthly && sorted.length > 1)
    return { start: first, step: 'month', count: monthOf(last) - monthOf(first) + 1 }
  let step = 0
  for (const time of sorted) step = gcd(step, time - first)
  if (step === 0) return { start: first, step: DAY, count: 1 }
  const countAt = (size: number) => Math.floor((last - first) / size) + 1
  // A common step that is mostly empty is chance, not the pace of the data.
  if (countAt(step) <= MOST_BUCKETS && countAt(step) <= Math.max(60, sorted.length * 4))
    return { start: first, step, count: countAt(step) }
  const coarser = STEPS.find(size => size >= step && countAt(size) <= MOST_BUCKETS / 2)
  if (coarser === undefined) return { start: first, step: 'month', count: monthOf(last) - monthOf(first) + 1 }
  // Weeks begin on Monday; 1 January 1970 was a Thursday.
  const origin = coarser === 7 * DAY ? 4 * DAY : 0
  const start = Math.floor((first - origin) / coarser) * coarser + origin
  return { start, step: coarser, count: Math.floor((last - start) / coarser) + 1 }
}

/** Shortest distance between two of these ascending times, seconds. */
export const paceOf = (sorted: readonly number[]): number =>
  sorted
    .slice(1)
    .reduce((least, time, at) => Math.min(least, time - (sorted[at] ?? 0)), Number.POSITIVE_INFINITY)

/**
 * Times that are too sparse for regular buckets, in order, each a place of its own, with one empty place in every hole: rows
 * of different times are never added up for want of room. Undefined where a regular grid keeps all times apart, and where
 * there are too many.
 */
export function sparseTimes(times: readonly number[], grid: TimeGrid): number[] | undefined {
  const sorted = [...new Set(times)].sort((a, b) => a - b)
  const occupied = new Set(sorted.map(time => bucketOf(grid, time)))
  if (occupied.size === sorted.length || sorted.length > MOST_BUCKETS / 2) return undefined
  const pace = paceOf(sorted)
  return sorted.flatMap((time, at) => {
    const before = sorted[at - 1]
    return before !== undefined && time - before > pace ? [before + pace, time] : [time]
  })
}

export const bucketOf = ({ start, step }: TimeGrid, time: number): number =>
  step === 'month' ? monthOf(time) - monthOf(start) : Math.floor((time - start) / step)

/** First second of a bucket. */
export function bucketTime({ start, step }: TimeGrid, index: number): number {
  if (step !== 'month') return start + index * step
  const months = monthOf(start) + index
  return Date.UTC(Math.floor(months / 12), months % 12, 1) / 1000
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** `31 Jan 2026`, `31 Jan 2026, 14:00` or `Jan 2026`. */
export function timeLabel(seconds: number, step: TimeGrid['step']): string {
  const date = new Date(seconds * 1000)
  const month = `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  if (step === 'month') return month
  const day = `${date.getUTCDate()} ${month}`
  if (step % DAY === 0) return day
  return `${day}, ${date.toISOString().slice(11, step % 60 === 0 ? 16 : 19)}`
}

/** What a chart's bucket is called: `hour`, `5 minutes`, `day`. */
export function stepWords(step: TimeGrid['step']): string {
  if (step === 'month') return 'month'
  const units = [
    [7 * DAY, 'week'],
    [DAY, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const
  const [size, name] = units.find(([each]) => step % each === 0) ?? units[4]
  return step === size ? name : `${step / size} ${name}s`
}

/** A short label for an axis of this span, seconds. */
export function tickLabel(seconds: number, span: number): string {
  const date = new Date(seconds * 1000)
  const iso = date.toISOString()
  if (span <= 600) return iso.slice(11, 19)
  if (span <= 2 * DAY) return iso.slice(11, 16)
  const month = MONTHS[date.getUTCMonth()] ?? ''
  if (span <= 150 * DAY) return `${date.getUTCDate()} ${month}`
  return date.getUTCMonth() === 0 && span > 900 * DAY
    ? String(date.getUTCFullYear())
    : `${month} ${date.getUTCFullYear()}`
}
