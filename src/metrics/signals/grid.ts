import type { CatalogSignal, SignalRule, SignalSide } from '#catalog/index.ts'
import { type Daily, NO_STATE, readingsOf, type States, statesOf } from './readings.ts'
import { entriesOf, LAG, LEAST_EVENTS, recordOf } from './record.ts'

/** The horizon at which parameters are compared. */
export const GRID_HORIZON = 30

/** A rule with other parameters near its own, and what it would have brought. */
export type GridCell = {
  days: number[]
  bullish: number | null
  bearish: number | null
  events: number
  hitRate: number | null
  excess: number | null
  isRule: boolean
}

type Tried = { readonly cell: GridCell; readonly states: States }

/** The signal with every pair of windows and thresholds of its grid, over the days up to `to`. */
export function tryGrid(
  { coverage, grid }: Pick<CatalogSignal, 'coverage' | 'grid'>,
  rule: SignalRule,
  { figures, closes }: { figures: Daily; closes: Daily },
  to: number,
): Tried[] {
  return grid.days.flatMap(days => {
    const readings = readingsOf(figures, { kind: rule.transform.kind, days }, coverage)
    return grid.thresholds.map(([bullish, bearish]) => {
      const states = statesOf(readings, {
        ...(bullish !== null && { bullish: moved(rule.bullish, bullish) }),
        ...(bearish !== null && { bearish: moved(rule.bearish, bearish) }),
      })
      const { events, hitRate, excess } = recordOf({ states, closes }, GRID_HORIZON, {
        to,
        isUntested: true,
      })
      const isRule =
        days.join() === rule.transform.days.join() &&
        bullish === numberOf(rule.bullish) &&
        bearish === numberOf(rule.bearish)
      return { cell: { days: [...days], bullish, bearish, events, hitRate, excess, isRule }, states }
    })
  })
}

const numberOf = (side: SignalSide | undefined): number | null =>
  side === undefined ? null : 'above' in side ? side.above : side.below

const moved = (side: SignalSide | undefined, to: number): SignalSide =>
  side !== undefined && 'below' in side ? { below: to } : { above: to }

/** What is known of a record at the end of a day: events whose returns had come by then. */
export type KnownRecord = { readonly events: number; readonly excess: number }

/**
 * The record of `states` as it was known before each of the days `at` (rising): the mean of what events brought beyond all
 * days of which the return had come by then, in logarithms.
 */
export function recordsBefore(
  { states, closes }: { states: States; closes: Daily },
  horizon: number,
  at: readonly number[],
): KnownRecord[] {
  const returnAt = (day: number): number => Math.log(closes[day + LAG + horizon]! / closes[day + LAG]!)
  const entries = entriesOf(states)
  let [day, sum, count, entry, last] = [0, 0, 0, 0, Number.NEGATIVE_INFINITY]
  let [events, directed, directions] = [0, 0, 0]
  return at.map(before => {
    for (; day + LAG + horizon < before; day++) {
      const value = states[day] === NO_STATE ? Number.NaN : returnAt(day)
      if (!Number.isFinite(value)) continue
      sum += value
      count += 1
    }
    for (; entry < entries.length && entries[entry]! + LAG + horizon < before; entry++) {
      const at = entries[entry]!
      const value = returnAt(at)
      if (!Number.isFinite(value) || at < last + horizon) continue
      last = at
      events += 1
      directed += states[at]! * value
      directions += states[at]!
    }
    const mean = count === 0 ? 0 : sum / count
    return { events, excess: events === 0 ? 0 : (directed - directions * mean) / events }
  })
}

/** The parameters that a walk forward took for a year: those with the best record before it. */
export type Step = { year: number; days: number[] | null; bullish: number | null; bearish: number | null }

/**
 * States by parameters chosen anew at the start of each year from what was known before it: of those with five events or
 * more the one with the largest excess. A year without such parameters has no state.
 */
export function walkForward(
  tried: readonly Tried[],
  closes: Daily,
  years: readonly { year: number; from: number; to: number }[],
): { states: States; steps: Step[] } {
  const states = new Int8Array(closes.length).fill(NO_STATE)
  const starts = years.map(({ from }) => from)
  const known = tried.map(one => recordsBefore({ ...one, closes }, GRID_HORIZON, starts))
  const steps = years.map(({ year, from, to }, index) => {
    let best: { excess: number; one: Tried } | undefined
    for (const [place, one] of tried.entries()) {
      const { events, excess } = known[place]![index]!
      if (events >= LEAST_EVENTS && (best === undefined || excess > best.excess)) best = { excess, one }
    }
    if (best === undefined) return { year, days: null, bullish: null, bearish: null }
    states.set(best.one.states.subarray(from, to + 1), from)
    const { days, bullish, bearish } = best.one.cell
    return { year, days, bullish, bearish }
  })
  return { states, steps }
}
