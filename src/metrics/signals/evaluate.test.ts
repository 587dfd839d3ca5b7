/** A signal would show the wrong day, state, rank or verdict. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  correctedOf,
  dayAt,
  type Evaluation,
  evaluateSignal,
  indexOf,
  lettersOf,
  spansOf,
  statesOfLetters,
  verdictOf,
  yearsOf,
} from './evaluate.ts'
import { NO_STATE } from './readings.ts'
import { HORIZONS, recordOf, type SignalRecord } from './record.ts'
import { madeSignal, walkOf } from './testing.ts'

const START = '2012-02-27'

test('days and their places follow each other across a leap day', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map(index => dayAt(START, index)),
    ['2012-02-27', '2012-02-28', '2012-02-29', '2012-03-01'],
  )
  assert.deepEqual(
    ['2012-02-27', '2012-03-01', '2012-02-26'].map(day => indexOf(START, day)),
    [0, 3, -1],
  )
})

test('years hold the days at hand: the first and the last one are cut', () => {
  assert.deepEqual(yearsOf(START, 700), [
    { year: 2012, from: 0, to: 308 },
    { year: 2013, from: 309, to: 673 },
    { year: 2014, from: 674, to: 699 },
  ])
  assert.deepEqual(yearsOf('2013-01-01', 1), [{ year: 2013, from: 0, to: 0 }])
  assert.deepEqual(yearsOf(START, 0), [])
})

test('letters and states are the same, and an unknown letter is no state', () => {
  const states = Int8Array.of(1, -1, 0, NO_STATE)
  assert.equal(lettersOf(states), '+-0.')
  assert.deepEqual(statesOfLetters('+-0.?'), Int8Array.of(1, -1, 0, NO_STATE, NO_STATE))
})

test('a run of days in one state bridges a week without a reading, and no more', () => {
  const of = (letters: string) =>
    spansOf(statesOfLetters(letters), START).map(({ from, to, state }) => [
      indexOf(START, from),
      indexOf(START, to),
      state,
    ])
  assert.deepEqual(of('..++......+'), [[2, 10, 'bullish']])
  assert.deepEqual(of('..++.......+'), [
    [2, 3, 'bullish'],
    [11, 11, 'bullish'],
  ])
  assert.deepEqual(of('+-0-'), [
    [0, 0, 'bullish'],
    [1, 1, 'bearish'],
    [2, 2, 'neutral'],
    [3, 3, 'bearish'],
  ])
  assert.deepEqual(of('...'), [])
})

test('a signal worked by hand: its newest reading, state, rank, entries and what came after them', () => {
  const figures = new Float64Array(60).fill(Number.NaN)
  figures.set([0, 0, 2, 2, 0, -2, 0, 0, 0.5, 0], 3)
  figures.set([2, 0.5, 2], 55)
  const closes = Float64Array.from({ length: 60 }, (_, day) => 100 + day)
  const signal = madeSignal({
    coverage: 1,
    rules: [
      {
        fixed: dayAt(START, 30),
        transform: { kind: 'mean', days: [1] },
        bullish: { above: 1 },
        bearish: { below: -1 },
        reason: 'A test.',
      },
    ],
    grid: { days: [[1]], thresholds: [[1, -1]] },
  })
  const { records, grid, steps, ...rest } = evaluateSignal(signal, { start: START, figures, closes })
  const letters = `...00++0-0000${'.'.repeat(42)}+0+..`
  const after = (day: number, horizon: number) => (100 + day + 1 + horizon) / (100 + day + 1) - 1
  assert.deepEqual(rest, {
    id: 'made',
    day: dayAt(START, 57),
    firstDay: dayAt(START, 3),
    reading: 2,
    state: 'bullish',
    since: dayAt(START, 57),
    rank: 1,
    letters,
    spans: spansOf(statesOfLetters(letters), START),
    entries: [
      { day: dayAt(START, 5), state: 'bullish', returns: [after(5, 7), after(5, 30), null] },
      { day: dayAt(START, 8), state: 'bearish', returns: [after(8, 7), after(8, 30), null] },
      { day: dayAt(START, 55), state: 'bullish', returns: [null, null, null] },
      { day: dayAt(START, 57), state: 'bullish', returns: [null, null, null] },
    ],
    retired: [],
  })
  const states = statesOfLetters(letters)
  const parts = (stretch: { from?: number; to?: number }) =>
    HORIZONS.map(horizon => recordOf({ states, closes }, horizon, stretch))
  assert.deepEqual(records.history, parts({ to: 30 }))
  assert.deepEqual(records.since, parts({ from: 31 }))
  assert.deepEqual(
    steps.map(({ year, days }) => [year, days]),
    [[2012, null]],
  )
  assert.deepEqual(
    grid.map(({ isRule, events }) => [isRule, events]),
    [[true, parts({ to: 30 })[1]!.events]],
  )
  // Of the readings so far, 0.5 is above one half, eight are as low or lower, and three are 2.
  const until = (end: number) =>
    evaluateSignal(signal, { start: START, figures: figures.slice(0, end), closes: closes.slice(0, end) })
  assert.equal(until(57).rank, 9 / 12)
  assert.equal(until(57).reading, 0.5)
  assert.equal(until(9).rank, 1 / 6)
  // A reading of the very first day is the first and the newest.
  const first = evaluateSignal(signal, {
    start: START,
    figures: Float64Array.of(2, Number.NaN),
    closes: Float64Array.of(1, 2),
  })
  assert.deepEqual(
    [first.day, first.firstDay, first.reading, first.rank, first.since],
    [START, START, 2, 1, START],
  )
})

test('a rule that was replaced is judged from the day after it was fixed to the day of its successor', () => {
  const closes = walkOf(900, 5)
  const rule = (fixed: number, above: number) => ({
    fixed: dayAt(START, fixed),
    transform: { kind: 'change' as const, days: [7] },
    bullish: { above },
    reason: 'A test.',
  })
  const rules = [rule(200, 0.01), rule(500, 0.03), rule(700, 0.02)]
  const evaluate = (count: number, of: typeof rules) =>
    evaluateSignal(madeSignal({ rules: of }), {
      start: START,
      figures: closes.slice(0, count),
      closes: closes.slice(0, count),
    })
  const found = evaluate(900, rules)
  const alone = (index: number) => statesOfLetters(evaluate(900, [rules[index]!]).letters)
  assert.deepEqual(
    found.retired,
    [
      [0, 201, 500],
      [1, 501, 700],
    ].map(([index = 0, from = 0, to = 0]) => ({
      fixed: rules[index]!.fixed,
      until: rules[index + 1]!.fixed,
      since: HORIZONS.map(horizon => recordOf({ states: alone(index), closes }, horizon, { from, to })),
    })),
  )
  assert.ok(found.retired.every(({ since }) => since[0]!.events > 2))
  // The data may end before a successor was fixed.
  const short = evaluate(600, rules)
  const states = alone(1).slice(0, 600)
  assert.deepEqual(
    short.retired[1]?.since,
    HORIZONS.map(horizon =>
      recordOf({ states, closes: closes.slice(0, 600) }, horizon, { from: 501, to: 599 }),
    ),
  )
})

const record = (given: Partial<SignalRecord>): SignalRecord => ({
  ...{ horizon: 7, days: 0, events: 0, bullish: 0, bearish: 0, pending: 0, hits: 0, hitRate: null },
  ...{ hitLow: null, hitHigh: null, afterBullish: null, afterBearish: null, unconditional: null },
  ...{ excess: null, p: null },
  ...given,
})
const evaluation = (
  history: readonly Partial<SignalRecord>[],
  since: readonly Partial<SignalRecord>[] = [{}, {}, {}],
  given: Partial<Evaluation> = {},
): Evaluation => ({
  ...{ id: 'made', day: START, firstDay: START, reading: 1, state: 'neutral', since: START, rank: 1 },
  ...{ letters: '', spans: [], entries: [], grid: [], steps: [], retired: [] },
  records: { history: history.map(record), walk: [], since: since.map(record) },
  ...given,
})

test('p-values of all signals are corrected together, and given back by signal', () => {
  const one = evaluation([{ p: 0.01 }, { p: null }, { p: 0.5 }], undefined, { id: 'one' })
  const other = evaluation([{ p: 0.9 }, { p: 0.02 }, { p: null }], undefined, { id: 'other' })
  const found = correctedOf([one, other])
  assert.deepEqual(
    [...found].map(([id, qs]) => [id, qs.map(q => q && Number(q.toFixed(9)))]),
    [
      ['one', [0.06, null, 1]],
      ['other', [1, 0.06, null]],
    ],
  )
})

test('a verdict follows from events, corrected p-values and what came since', () => {
  const enough = [{ events: 5 }, { events: 5 }, { events: 5 }]
  const tested = (
    since: readonly Partial<SignalRecord>[],
    qs: readonly (number | null)[],
    history = enough,
  ) => verdictOf(evaluation(history, since), qs)
  assert.equal(verdictOf(evaluation(enough, enough, { day: null }), [0, 0, 0]), 'no-history')
  assert.equal(tested(enough, [0, 0, 0], [{ events: 4 }, { events: 4 }, { events: 4 }]), 'few-events')
  assert.notEqual(tested(enough, [0, 0, 0], [{ events: 4 }, { events: 4 }, { events: 5 }]), 'few-events')
  assert.equal(tested(enough, [0.051, null, 1]), 'unproved')
  assert.equal(tested(enough, []), 'unproved')
  assert.equal(tested([{ events: 4, p: 0 }, { events: 9, p: 0 }, {}], [0.05, 0.06, 1]), 'in-sample')
  assert.equal(tested([{ events: 5, p: 0.05 }, {}, {}], [0.05, 1, 1]), 'held')
  assert.equal(tested([{ events: 5, p: 0.051 }, {}, {}], [0.05, 1, 1]), 'not-held')
  assert.equal(tested([{ events: 5, p: null }, {}, {}], [0.05, 1, 1]), 'not-held')
  // One horizon that held is enough; one that was not proved before does not count.
  assert.equal(
    tested(
      [
        { events: 5, p: 0.9 },
        { events: 5, p: 0.01 },
        { events: 5, p: 0.9 },
      ],
      [0.01, 0.01, 1],
    ),
    'held',
  )
  assert.equal(
    tested(
      [
        { events: 5, p: 0.9 },
        { events: 5, p: 0.01 },
        { events: 5, p: 0.9 },
      ],
      [0.01, 1, 1],
    ),
    'not-held',
  )
})
