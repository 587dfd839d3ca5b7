import { type Daily, NO_STATE, type States } from './readings.ts'

/** Days ahead that a record looks. */
export const HORIZONS = [7, 30, 90] as const
export type Horizon = (typeof HORIZONS)[number]

/** A figure of a day is known once the day is over: returns count from the close of the day after. */
export const LAG = 1
/** Fewer events say nothing: no test is made of them. */
export const LEAST_EVENTS = 5

/** The record of one stretch of days at one horizon. Returns are relative changes; means of them are of logarithms. */
export type SignalRecord = {
  horizon: Horizon
  /** Days with a reading and a return ahead. */
  days: number
  /** Entries into a side, at least a horizon apart. */
  events: number
  bullish: number
  bearish: number
  /** Entries whose return is not known yet. */
  pending: number
  hits: number
  hitRate: number | null
  /** 95 %, Wilson. */
  hitLow: number | null
  hitHigh: number | null
  /** Mean return after an entry into each side, and of all days. */
  afterBullish: number | null
  afterBearish: number | null
  unconditional: number | null
  /** Mean of what events brought beyond all days, in the direction of their side. */
  excess: number | null
  /** Share of all circular shifts of the events that bring as much or more; null with fewer than five events. */
  p: number | null
}

type Event = { readonly day: number; readonly direction: number; readonly place: number }

/** The place of a day that has none. */
const NONE = -1

/** Days with a reading and a return `horizon` days ahead, from `from` to `to`, and the logarithms of these returns. */
function returnsOf(states: States, closes: Daily, horizon: number, from: number, to: number) {
  const places = new Int32Array(states.length).fill(NONE)
  const returns: number[] = []
  for (let day = from; day <= to; day++) {
    const then = closes[day + LAG] ?? Number.NaN
    const later = closes[day + LAG + horizon] ?? Number.NaN
    if (states[day] === NO_STATE || !(then > 0 && later > 0)) continue
    places[day] = returns.length
    returns.push(Math.log(later / then))
  }
  return { places, returns }
}

/** Days of entry: the state is a side’s, and that of the last day with a reading was another. The first reading is no entry. */
export function entriesOf(states: States): number[] {
  const entries: number[] = []
  let before = NO_STATE
  for (let day = 0; day < states.length; day++) {
    const state = states[day]!
    if (state === NO_STATE) continue
    if (state !== 0 && before !== NO_STATE && state !== before) entries.push(day)
    before = state
  }
  return entries
}

type Stretch = {
  readonly from?: number
  readonly to?: number
  /** Without p, which takes most of the time. */
  readonly isUntested?: boolean
}

/** The record of a stretch of days, all of them unless said: windows of its events do not overlap. */
export function recordOf(
  { states, closes }: { states: States; closes: Daily },
  horizon: Horizon,
  { from = 0, to = states.length - 1, isUntested = false }: Stretch = {},
): SignalRecord {
  const { places, returns } = returnsOf(states, closes, horizon, from, to)
  const entries = entriesOf(states).filter(day => day >= from && day <= to)
  const events: Event[] = []
  let pending = 0
  for (const day of entries) {
    const place = places[day]!
    if (place === NONE) pending++
    else if (events.length === 0 || day >= events.at(-1)!.day + horizon)
      events.push({ day, direction: states[day]!, place })
  }
  const mean = meanOf(returns)
  const beyond = events.map(({ direction, place }) => direction * (returns[place]! - mean))
  const hits = beyond.filter(value => value > 0).length
  const [hitLow, hitHigh] = wilson(hits, events.length)
  const after = (side: number) =>
    relative(meanOf(events.flatMap(({ direction, place }) => (direction === side ? [returns[place]!] : []))))
  return {
    horizon,
    days: returns.length,
    events: events.length,
    bullish: events.filter(({ direction }) => direction === 1).length,
    bearish: events.filter(({ direction }) => direction === -1).length,
    pending,
    hits,
    hitRate: events.length === 0 ? null : hits / events.length,
    hitLow,
    hitHigh,
    afterBullish: after(1),
    afterBearish: after(-1),
    unconditional: relative(mean),
    excess: relative(meanOf(beyond)),
    p: isUntested || events.length < LEAST_EVENTS ? null : chanceOf(events, returns, mean),
  }
}

/** Two sums of the same numbers in another order differ by less. */
const SAME = 1e-10

/** How many of all circular shifts of the events over the days bring as much: exact, so it needs no seed. */
function chanceOf(events: readonly Event[], returns: readonly number[], mean: number): number {
  const count = returns.length
  const beyond = Float64Array.from(returns, value => value - mean)
  let observed = 0
  let asMuch = 0
  for (let shift = 0; shift < count; shift++) {
    let sum = 0
    for (const { place, direction } of events) {
      const at = place + shift
      sum += direction * beyond[at < count ? at : at - count]!
    }
    if (shift === 0) observed = sum
    if (sum >= observed - SAME) asMuch++
  }
  return asMuch / count
}

const Z95 = 1.959963984540054

/** Bounds of Wilson’s interval of 95 % for `hits` of `count`; null of none. */
export function wilson(hits: number, count: number): [number, number] | [null, null] {
  if (count === 0) return [null, null]
  const share = hits / count
  const square = Z95 * Z95
  const middle = (share + square / (2 * count)) / (1 + square / count)
  const half =
    (Z95 / (1 + square / count)) * Math.sqrt((share * (1 - share)) / count + square / (4 * count * count))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** p-values corrected for all tests made (Benjamini and Hochberg, 1995); a test that could not be made counts as p = 1 and stays null. */
export function corrected(ps: readonly (number | null)[]): (number | null)[] {
  const order = ps.map((p, index) => ({ p: p ?? 1, index })).sort((a, b) => b.p - a.p)
  const out = new Array<number | null>(ps.length).fill(null)
  let least = 1
  for (const [place, { p, index }] of order.entries()) {
    least = Math.min(least, (p * ps.length) / (ps.length - place))
    if (ps[index] !== null) out[index] = least
  }
  return out
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length

/** A logarithm of a return as the relative change; null of none. */
const relative = (log: number): number | null => (Number.isNaN(log) ? null : Math.expm1(log))
