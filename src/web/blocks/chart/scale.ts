import { dayNumber, dayText, monthName } from '../../format/day.ts'
import { bucketDay, type PlotData } from './plotData.ts'

export type ValueScale = {
  ticks: number[]
  /** The value at the bottom. */
  floor: number
  /** 0 at the bottom, 1 at the top. */
  at: (value: number) => number
}

const STEPS: readonly number[] = [1, 2, 2.5, 5, 10]
/** Of counts and points, of which nobody thinks in quarters: an axis of theirs does not end at 7.25. */
export const PLAIN_STEPS: readonly number[] = [1, 2, 5, 10]

function niceStep(span: number, about: number, steps: readonly number[]): number {
  const raw = span / about
  const power = 10 ** Math.floor(Math.log10(raw))
  return (steps.find(step => step * power >= raw * 0.999) ?? 10) * power
}

/** A linear scale with round ticks; from 0 where the marks are areas or bars, or where the data come near it. */
export function linearScale(
  low: number,
  high: number,
  fromZero: boolean,
  about = 4,
  steps = STEPS,
): ValueScale {
  if (low === 0 && high === 0) return { ticks: [0], floor: 0, at: value => value }
  let min = fromZero || (low >= 0 && low < high * 0.45) ? Math.min(0, low) : low
  let max = fromZero ? Math.max(0, high) : high
  if (min === max) {
    max = min === 0 ? 1 : min + Math.abs(min) * 0.1
    min = Math.min(min, 0)
  }
  const step = niceStep(max - min, about, steps)
  const first = Math.floor(min / step + 1e-9) * step
  const count = Math.ceil((max - first) / step - 1e-9)
  const last = first + count * step
  const ticks = Array.from({ length: count + 1 }, (_, index) =>
    Number((first + index * step).toPrecision(12)),
  )
  return { ticks, floor: first, at: value => (value - first) / (last - first) }
}

const LOG_STEPS = [1, 2, 5] as const

/** The largest of 1, 2, 5 × 10ⁿ that does not pass `value`, or the smallest that reaches it. */
function logBound(value: number, side: 'below' | 'above'): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9)
  const steps = LOG_STEPS.map(step => step * power)
  const bound =
    side === 'below'
      ? steps.findLast(step => step <= value * (1 + 1e-9))
      : [...steps, power * 10].find(step => step >= value * (1 - 1e-9))
  return Number((bound ?? power).toPrecision(12))
}

/** A logarithmic scale over positive values, as close around them as 1, 2 and 5 allow. */
export function logScale(low: number, high: number): ValueScale {
  const first = logBound(low, 'below')
  const last = Math.max(logBound(high, 'above'), first * 2)
  const decades = Math.log10(last / first)
  const steps: readonly number[] = decades <= 3 ? LOG_STEPS : [1]
  const stride = Math.max(1, Math.ceil(decades / 8))
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(first)); power <= Math.ceil(Math.log10(last)); power += stride) {
    for (const step of steps) {
      const tick = Number((step * 10 ** power).toPrecision(12))
      if (tick >= first && tick <= last) ticks.push(tick)
    }
  }
  return { ticks, floor: first, at: value => Math.log10(value / first) / decades }
}

export type TimeTick = { index: number; text: string; strong: boolean }

const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 36, 60]

/** Five to nine ticks at the starts of days, months or years; a tick that opens a year is strong. */
export function timeTicks(plot: PlotData): TimeTick[] {
  const from = dayNumber(plot.start)
  const span = dayNumber(bucketDay(plot, plot.count - 1)) - from + 1
  return span <= 125 ? dayTicks(plot, span) : monthTicks(plot, span)
}

function dayTicks(plot: PlotData, span: number): TimeTick[] {
  const every = [1, 2, 3, 5, 7, 10, 14, 21].find(step => span / step <= 8) ?? 21
  const days = plot.grain === 'week' ? Math.max(7, Math.ceil(every / 7) * 7) : every
  const stride = plot.grain === 'week' ? days / 7 : days
  const ticks: TimeTick[] = []
  for (let index = plot.count - 1; index >= 0; index -= stride) {
    const day = bucketDay(plot, index)
    ticks.unshift({ index, text: dayText(day).slice(0, -5), strong: false })
  }
  return ticks
}

function monthTicks(plot: PlotData, span: number): TimeTick[] {
  const step = MONTH_STEPS.find(months => span / (months * 30.4) <= 8) ?? 60
  const ticks: TimeTick[] = []
  let previous = ''
  for (let index = 0; index < plot.count; index += 1) {
    const month = bucketDay(plot, index).slice(0, 7)
    if (month === previous) continue
    // The first bucket opens a tick only when it is the month’s first.
    const opens = previous !== '' || plot.grain === 'month' || bucketDay(plot, index).endsWith('-01')
    previous = month
    const [year = 0, monthNo = 1] = month.split('-').map(Number)
    if (!opens || (year * 12 + monthNo - 1) % step !== 0) continue
    const strong = monthNo === 1
    ticks.push({ index, text: strong ? String(year) : monthName(monthNo - 1), strong })
  }
  return ticks
}
