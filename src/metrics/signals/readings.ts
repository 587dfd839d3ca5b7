import type { SignalRule, SignalSide } from '#catalog/index.ts'

/** One number for each day of a run of UTC days; NaN where none is known. */
export type Daily = Float64Array

/** State of a day: bullish 1, bearish −1, neutral 0, or that there is no reading. */
export const NO_STATE = 9
export type States = Int8Array

/** Days that a window of `days` must have figures of. */
export const leastDays = (days: number, coverage: number): number => Math.ceil(days * coverage - 1e-9)

/**
 * The reading of each day by a rule's transform; it rests on figures up to the day alone. NaN where a window lacks days.
 * Time is linear in the number of days.
 */
export function readingsOf(figures: Daily, { kind, days }: SignalRule['transform'], coverage: number): Daily {
  const [first = 1, second = 1] = days
  switch (kind) {
    case 'mean':
      return means(figures, first, coverage)
    case 'sum':
      return windows(figures, first, coverage, sum => sum)
    case 'multiple':
      return joined(means(figures, first, coverage), means(figures, second, coverage), ratio)
    case 'cross':
      return joined(
        means(figures, first, coverage),
        means(figures, second, coverage),
        (a, b) => ratio(a, b) - 1,
      )
    case 'change':
      return joined(figures, delayed(figures, first), (now, then) => ratio(now, then) - 1)
    case 'drawdown':
      return joined(figures, highest(figures, first, coverage), (now, high) => ratio(now, high) - 1)
    case 'volatility':
      return volatility(figures, first, coverage)
    default: {
      const never: never = kind
      return never
    }
  }
}

/** The state of each day: a reading beyond a side's threshold is in it, strictly. */
export function statesOf(
  readings: Daily,
  { bullish, bearish }: Pick<SignalRule, 'bullish' | 'bearish'>,
): States {
  const states = new Int8Array(readings.length)
  for (let day = 0; day < readings.length; day++) {
    const reading = readings[day]!
    states[day] = Number.isNaN(reading)
      ? NO_STATE
      : isIn(reading, bullish)
        ? 1
        : isIn(reading, bearish)
          ? -1
          : 0
  }
  return states
}

const isIn = (reading: number, side: SignalSide | undefined): boolean =>
  side !== undefined && ('above' in side ? reading > side.above : reading < side.below)

/** No quotient of what is not there or of zero. */
const ratio = (a: number, b: number): number => (b === 0 ? Number.NaN : a / b)

function joined(a: Daily, b: Daily, of: (a: number, b: number) => number): Daily {
  const out = new Float64Array(a.length)
  for (let day = 0; day < a.length; day++) out[day] = of(a[day]!, b[day]!)
  return out
}

const delayed = (figures: Daily, days: number): Daily => {
  const out = new Float64Array(figures.length).fill(Number.NaN)
  out.set(figures.subarray(0, Math.max(0, figures.length - days)), Math.min(days, figures.length))
  return out
}

const means = (figures: Daily, days: number, coverage: number): Daily =>
  windows(figures, days, coverage, (sum, count) => sum / count)

/** Of each window its sum and count, where it has enough days: by running sums from the first day on. */
function windows(
  figures: Daily,
  days: number,
  coverage: number,
  of: (sum: number, count: number) => number,
): Daily {
  const out = new Float64Array(figures.length)
  const sums = new Float64Array(figures.length + 1)
  const counts = new Int32Array(figures.length + 1)
  const least = leastDays(days, coverage)
  for (let day = 0; day < figures.length; day++) {
    const figure = figures[day]!
    const isKnown = !Number.isNaN(figure)
    sums[day + 1] = sums[day]! + (isKnown ? figure : 0)
    counts[day + 1] = counts[day]! + (isKnown ? 1 : 0)
    const from = Math.max(0, day + 1 - days)
    const count = counts[day + 1]! - counts[from]!
    out[day] = count < least || !isKnown ? Number.NaN : of(sums[day + 1]! - sums[from]!, count)
  }
  return out
}

/** The highest figure of each window that has enough days: candidates in falling order, the oldest first. */
function highest(figures: Daily, days: number, coverage: number): Daily {
  const out = new Float64Array(figures.length)
  const candidates = new Int32Array(figures.length)
  const least = leastDays(days, coverage)
  const counts = new Int32Array(figures.length + 1)
  let head = 0
  let tail = 0
  for (let day = 0; day < figures.length; day++) {
    const figure = figures[day]!
    const isKnown = !Number.isNaN(figure)
    counts[day + 1] = counts[day]! + (isKnown ? 1 : 0)
    while (head < tail && candidates[head]! <= day - days) head++
    if (isKnown) {
      while (head < tail && figures[candidates[tail - 1]!]! <= figure) tail--
      candidates[tail++] = day
    }
    const count = counts[day + 1]! - counts[Math.max(0, day + 1 - days)]!
    out[day] = count < least || !isKnown ? Number.NaN : figures[candidates[head]!]!
  }
  return out
}

/** Days by which a year’s volatility follows from a day’s. */
const DAYS_A_YEAR = 365

function volatility(figures: Daily, days: number, coverage: number): Daily {
  const returns = joined(figures, delayed(figures, 1), (now, then) =>
    now > 0 && then > 0 ? Math.log(now / then) : Number.NaN,
  )
  const squares = joined(returns, returns, (a, b) => a * b)
  const sums = windows(returns, days, coverage, sum => sum)
  const counts = windows(returns, days, coverage, (_, count) => count)
  const squared = windows(squares, days, coverage, sum => sum)
  const out = new Float64Array(figures.length)
  for (let day = 0; day < out.length; day++) {
    const count = counts[day]!
    const variance = (squared[day]! - (sums[day]! * sums[day]!) / count) / (count - 1)
    out[day] = count < 2 ? Number.NaN : Math.sqrt(Math.max(0, variance) * DAYS_A_YEAR)
  }
  return out
}
