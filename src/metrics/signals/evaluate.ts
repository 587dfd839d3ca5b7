import type { CatalogSignal, SignalRule } from '#catalog/index.ts'
import { type GridCell, type Step, tryGrid, walkForward } from './grid.ts'
import { type Daily, NO_STATE, readingsOf, type States, statesOf } from './readings.ts'
import { corrected, entriesOf, HORIZONS, LAG, LEAST_EVENTS, recordOf, type SignalRecord } from './record.ts'

/** Days beside each other: the first one, and one figure or close for each from there. */
export type SignalInput = {
  /** First UTC day. */
  start: string
  figures: Daily
  closes: Daily
}

export type SignalState = 'bullish' | 'bearish' | 'neutral'
/** A run of days in one state. */
export type StateSpan = { from: string; to: string; state: SignalState }

/** Records of a signal's parts; `history` is in sample, `walk` by parameters of the year before, `since` out of sample. */
export type SignalRecords = { history: SignalRecord[]; walk: SignalRecord[]; since: SignalRecord[] }

/** The rule of a stretch of days that is over, and its record out of sample. */
export type RetiredRule = { fixed: string; until: string; since: SignalRecord[] }

/** An entry into a side, and the relative change of the close at each horizon; null where it is not known yet. */
export type SignalEntry = { day: string; state: SignalState; returns: (number | null)[] }

/** Whether the record of a signal shows an edge: by the tests of its history, corrected, and by what came since. */
export const VERDICTS = ['no-history', 'few-events', 'unproved', 'in-sample', 'held', 'not-held'] as const
export type Verdict = (typeof VERDICTS)[number]

export type Evaluation = {
  id: string
  /** The newest day with a reading, and the first. */
  day: string | null
  firstDay: string | null
  reading: number | null
  state: SignalState | null
  /** First day of the run of days in that state. */
  since: string | null
  /** Share of days so far with a reading as low or lower. */
  rank: number | null
  /** One letter for each day from the first: `+`, `-`, `0`, and `.` without a reading. */
  letters: string
  spans: StateSpan[]
  entries: SignalEntry[]
  records: SignalRecords
  grid: GridCell[]
  steps: Step[]
  retired: RetiredRule[]
}

/** A year and the first and last of its days among those at hand. */
export type Year = { year: number; from: number; to: number }

const DAY_MS = 86_400_000
export const dayAt = (start: string, index: number): string =>
  new Date(Date.parse(start) + index * DAY_MS).toISOString().slice(0, 10)
export const indexOf = (start: string, day: string): number =>
  Math.round((Date.parse(day) - Date.parse(start)) / DAY_MS)

export function yearsOf(start: string, count: number): Year[] {
  const [first, last] = [Number(start.slice(0, 4)), Number(dayAt(start, count - 1).slice(0, 4))]
  return Array.from({ length: count === 0 ? 0 : last - first + 1 }, (_, place) => {
    const year = first + place
    return {
      year,
      from: Math.max(0, indexOf(start, `${year}-01-01`)),
      to: Math.min(count - 1, indexOf(start, `${year}-12-31`)),
    }
  })
}

const WORD: Readonly<Record<number, SignalState>> = { 1: 'bullish', [-1]: 'bearish', 0: 'neutral' }

/** Everything that a signal says and said, by the rule in force; its days rest on what was known on each. */
export function evaluateSignal(signal: CatalogSignal, { start, figures, closes }: SignalInput): Evaluation {
  const rule = ruleOf(signal)
  const count = closes.length
  const readings = readingsOf(figures, rule.transform, signal.coverage)
  const states = statesOf(readings, rule)
  const fixed = Math.min(count - 1, indexOf(start, rule.fixed))
  const tried = tryGrid(signal, rule, { figures, closes }, fixed)
  const walk = walkForward(tried, closes, yearsOf(start, count))
  const newest = readings.findLastIndex(reading => !Number.isNaN(reading))
  const first = readings.findIndex(reading => !Number.isNaN(reading))
  const spans = spansOf(states, start)
  const current = spans.at(-1)
  return {
    id: signal.id,
    day: newest < 0 ? null : dayAt(start, newest),
    firstDay: first < 0 ? null : dayAt(start, first),
    reading: newest < 0 ? null : readings[newest]!,
    state: current?.state ?? null,
    since: current?.from ?? null,
    rank: newest < 0 ? null : rankOf(readings, newest),
    letters: lettersOf(states),
    spans,
    entries: entriesOf(states).map(at => ({
      day: dayAt(start, at),
      state: WORD[states[at]!]!,
      returns: HORIZONS.map(horizon => returnAfter(closes, at, horizon)),
    })),
    records: {
      history: HORIZONS.map(horizon => recordOf({ states, closes }, horizon, { to: fixed })),
      walk: HORIZONS.map(horizon => recordOf({ states: walk.states, closes }, horizon, { to: fixed })),
      since: HORIZONS.map(horizon => recordOf({ states, closes }, horizon, { from: fixed + 1 })),
    },
    grid: tried.map(({ cell }) => cell),
    steps: walk.steps,
    retired: signal.rules.slice(0, -1).map((old, index) => {
      const until = signal.rules[index + 1]!.fixed
      const then = statesOf(readingsOf(figures, old.transform, signal.coverage), old)
      const [from, to] = [indexOf(start, old.fixed) + 1, Math.min(count - 1, indexOf(start, until))]
      return {
        fixed: old.fixed,
        until,
        since: HORIZONS.map(horizon => recordOf({ states: then, closes }, horizon, { from, to })),
      }
    }),
  }
}

/** The rule in force: the last one of the list. */
export const ruleOf = ({ rules }: Pick<CatalogSignal, 'rules'>): SignalRule => rules.at(-1)!

/** A state holds for as many days without a reading: trading days pause over weekends and holidays. */
export const GOOD_FOR_DAYS = 7

/** Runs of days in one state, oldest first; days without a reading end one when they are more than a week. */
export function spansOf(states: States, start: string): StateSpan[] {
  const runs: { from: number; to: number; state: SignalState }[] = []
  for (let day = 0; day < states.length; day++) {
    const state = WORD[states[day]!]
    if (state === undefined) continue
    const last = runs.at(-1)
    if (last?.state === state && day - last.to <= GOOD_FOR_DAYS) last.to = day
    else runs.push({ from: day, to: day, state })
  }
  return runs.map(({ from, to, state }) => ({ from: dayAt(start, from), to: dayAt(start, to), state }))
}

/** Share of the readings up to a day that are as low as the day's or lower. */
function rankOf(readings: Daily, day: number): number {
  let [count, lower] = [0, 0]
  for (let at = 0; at <= day; at++) {
    if (Number.isNaN(readings[at]!)) continue
    count += 1
    if (readings[at]! <= readings[day]!) lower += 1
  }
  return lower / count
}

const LETTERS: Readonly<Record<number, string>> = { 1: '+', [-1]: '-', 0: '0', [NO_STATE]: '.' }
const STATES: Readonly<Record<string, number>> = { '+': 1, '-': -1, '0': 0 }

export const lettersOf = (states: States): string => Array.from(states, state => LETTERS[state]).join('')
export const statesOfLetters = (letters: string): States =>
  Int8Array.from(letters, letter => STATES[letter] ?? NO_STATE)

/** p-values of all signals and horizons in sample, corrected together: by signal, in the order of the horizons. */
export function correctedOf(evaluations: readonly Evaluation[]): Map<string, (number | null)[]> {
  const qs = corrected(evaluations.flatMap(({ records }) => records.history.map(({ p }) => p)))
  return new Map(
    evaluations.map(({ id }, index) => [
      id,
      qs.slice(index * HORIZONS.length, (index + 1) * HORIZONS.length),
    ]),
  )
}

/** An edge counts where its corrected p is at most this. */
export const EDGE_Q = 0.05

/** What the record of a signal shows, given the corrected p-values of its history. */
export function verdictOf({ day, records }: Evaluation, qs: readonly (number | null)[]): Verdict {
  if (day === null) return 'no-history'
  const { history, since } = records
  if (history.every(({ events }) => events < LEAST_EVENTS)) return 'few-events'
  const proved = HORIZONS.flatMap((_, index) => ((qs[index] ?? 1) <= EDGE_Q ? [since[index]!] : []))
  if (proved.length === 0) return 'unproved'
  const tried = proved.filter(({ events }) => events >= LEAST_EVENTS)
  if (tried.length === 0) return 'in-sample'
  return tried.some(({ p }) => (p ?? 1) <= EDGE_Q) ? 'held' : 'not-held'
}

const returnAfter = (closes: Daily, day: number, horizon: number): number | null => {
  const change = closes[day + LAG + horizon]! / closes[day + LAG]! - 1
  return Number.isFinite(change) ? change : null
}
