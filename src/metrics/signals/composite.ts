import {
  GOOD_FOR_DAYS,
  lettersOf,
  type SignalState,
  type StateSpan,
  spansOf,
  statesOfLetters,
  yearsOf,
} from './evaluate.ts'
import { GRID_HORIZON, recordsBefore } from './grid.ts'
import { type Daily, NO_STATE } from './readings.ts'
import { HORIZONS, LEAST_EVENTS, recordOf, type SignalRecord } from './record.ts'

/** Members without which there is no composite. */
export const LEAST_MEMBERS = 3
/** Beyond this mean of its members’ states it takes a side. */
export const COMPOSITE_SIDE = 1 / 3

export type Composite = {
  /** Ids of the members of each year: chosen at its start. */
  years: { year: number; members: string[] }[]
  day: string | null
  /** Mean of the members’ states, −1 to 1. */
  value: number | null
  state: SignalState | null
  since: string | null
  /** As of an evaluation. */
  letters: string
  spans: StateSpan[]
  /** Every day was by members chosen before its year: out of sample in the choice of members. */
  walk: SignalRecord[]
  /** Days after the last rule was fixed: out of sample in everything. */
  afterFixed: SignalRecord[]
}

/**
 * Signals taken together: at the start of each year those that had five independent events of 30 days or more and an excess
 * above zero by then; each day the mean of their states. `fixed` is the index of the day of the youngest rule.
 */
export function compositeOf(
  signals: readonly { id: string; letters: string }[],
  { start, closes }: { start: string; closes: Daily },
  fixed: number,
): Composite {
  const count = closes.length
  const years = yearsOf(start, count)
  const all = signals.map(({ id, letters }) => {
    // Of days without a close nothing is said.
    const states = statesOfLetters(letters.slice(0, count).padEnd(count, '.'))
    const starts = years.map(({ from }) => from)
    return { id, states, known: recordsBefore({ states, closes }, GRID_HORIZON, starts) }
  })
  const states = new Int8Array(count).fill(NO_STATE)
  const values = new Float64Array(count).fill(Number.NaN)
  const chosen = years.map(({ year, from, to }, index) => {
    const members = all.filter(({ known }) => {
      const { events, excess } = known[index]!
      return events >= LEAST_EVENTS && excess > 0
    })
    for (let day = from; day <= to; day++) {
      const said = members.flatMap(({ states: own }) => latest(own, day))
      if (said.length < LEAST_MEMBERS) continue
      const value = said.reduce((sum, state) => sum + state, 0) / said.length
      values[day] = value
      states[day] = value > COMPOSITE_SIDE ? 1 : value < -COMPOSITE_SIDE ? -1 : 0
    }
    return { year, members: members.map(({ id }) => id) }
  })
  const spans = spansOf(states, start)
  const newest = values.findLastIndex(value => !Number.isNaN(value))
  return {
    years: chosen,
    day: spans.at(-1)?.to ?? null,
    value: newest < 0 ? null : values[newest]!,
    state: spans.at(-1)?.state ?? null,
    since: spans.at(-1)?.from ?? null,
    letters: lettersOf(states),
    spans,
    walk: HORIZONS.map(horizon => recordOf({ states, closes }, horizon, { to: Math.min(count - 1, fixed) })),
    afterFixed: HORIZONS.map(horizon => recordOf({ states, closes }, horizon, { from: fixed + 1 })),
  }
}

/** The newest state up to a day that is not too old; none else. */
function latest(states: Int8Array, day: number): number[] {
  for (let at = day; at >= 0 && at > day - GOOD_FOR_DAYS; at--)
    if (states[at] !== NO_STATE) return [states[at]!]
  return []
}
