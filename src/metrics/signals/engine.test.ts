/** Signals would fire on the wrong days or claim a wrong record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CatalogSignal, SignalRule, TransformKind } from '#catalog/index.ts'
import { readCatalog } from '#catalog/index.ts'
import { compositeOf } from './composite.ts'
import { dayAt, evaluateSignal, indexOf } from './evaluate.ts'
import { type Daily, leastDays, NO_STATE, readingsOf, statesOf } from './readings.ts'
import { corrected, entriesOf, HORIZONS, recordOf, wilson } from './record.ts'
import { madeSignal, randomOf, walkOf } from './testing.ts'

const { signals } = await readCatalog('catalog')
const START = '2012-01-01'
const DAYS = 2600

const near = (value: number, expected: number, what: string): void =>
  assert.ok(
    Object.is(value, expected) || Math.abs(value - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${value}, not ${expected}`,
  )

/** A reading straight from its definition, each window gathered anew. */
function plainReading(
  figures: Daily,
  day: number,
  { kind, days }: { kind: TransformKind; days: readonly number[] },
  coverage: number,
): number {
  const window = (series: Daily, length: number): number[] | undefined => {
    const known = [...series.subarray(Math.max(0, day + 1 - length), day + 1)].filter(x => !Number.isNaN(x))
    return known.length >= leastDays(length, coverage) && !Number.isNaN(series[day]!) ? known : undefined
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const mean = (length = 1): number => {
    const known = window(figures, length)
    return known === undefined ? Number.NaN : sum(known) / known.length
  }
  const [first = 1, second] = days
  switch (kind) {
    case 'mean':
      return mean(first)
    case 'sum':
      return sum(window(figures, first) ?? [Number.NaN])
    case 'multiple':
      return mean(first) / mean(second)
    case 'cross':
      return mean(first) / mean(second) - 1
    case 'change':
      return figures[day]! / (figures[day - first] ?? Number.NaN) - 1
    case 'drawdown':
      return figures[day]! / Math.max(...(window(figures, first) ?? [Number.NaN])) - 1
    case 'volatility': {
      const returns = figures.map((now, at) => Math.log(now / (figures[at - 1] ?? Number.NaN)))
      const known = window(returns, first)
      if (known === undefined) return Number.NaN
      const middle = sum(known) / known.length
      return Math.sqrt((sum(known.map(x => (x - middle) ** 2)) / (known.length - 1)) * 365)
    }
  }
}

test('readings are those of their definitions, worked out again window by window', () => {
  const cases: SignalRule['transform'][] = [
    { kind: 'mean', days: [14] },
    { kind: 'sum', days: [28] },
    { kind: 'multiple', days: [1, 200] },
    { kind: 'cross', days: [30, 60] },
    { kind: 'change', days: [28] },
    { kind: 'drawdown', days: [120] },
    { kind: 'volatility', days: [30] },
  ]
  for (const [seed, gaps] of [
    [1, 0],
    [2, 0.04],
    [3, 0.3],
  ] as const) {
    const figures = walkOf(500, seed, gaps)
    for (const transform of cases)
      for (const coverage of [0.6, 0.9]) {
        const readings = readingsOf(figures, transform, coverage)
        for (let day = 0; day < figures.length; day++)
          near(
            readings[day]!,
            plainReading(figures, day, transform, coverage),
            `${transform.kind} of day ${day}, seed ${seed}`,
          )
      }
  }
})

test('a threshold itself belongs to no side, and a day without a reading has no state', () => {
  const readings = Float64Array.of(0.05, 0.0500001, -0.05, -0.06, Number.NaN, 0)
  assert.deepEqual(
    [...statesOf(readings, { bullish: { above: 0.05 }, bearish: { below: -0.05 } })],
    [0, 1, 0, -1, NO_STATE, 0],
  )
  assert.deepEqual([...statesOf(readings, { bearish: { above: 0.05 } })], [0, -1, 0, 0, NO_STATE, 0])
})

test('the first reading is no entry, and one after a gap counts against the last known state', () => {
  assert.deepEqual(entriesOf(Int8Array.of(1, 1, 0, 1, NO_STATE, 1, NO_STATE, -1, -1, 0, -1)), [3, 7, 10])
})

test('a record worked by hand: two events a week apart, one too near, one still open', () => {
  // The close doubles from day 9 to day 16 and is the same on all other days.
  const closes = Float64Array.from({ length: 40 }, (_, day) => (day >= 16 ? 200 : 100))
  const states = new Int8Array(40)
  states[8] = 1 // from the close of day 9 to that of day 16: doubled
  states[12] = 1 // four days later: its window would overlap
  states[20] = -1 // nothing happens
  states[35] = 1 // day 43 is not there yet
  const record = recordOf({ states, closes }, 7)
  // Days 0 to 31 have a return ahead; of the days 8 to 14 it is ln 2.
  const mean = (7 * Math.log(2)) / 32
  assert.equal(record.days, 32)
  assert.deepEqual([record.events, record.bullish, record.bearish, record.pending], [2, 1, 1, 1])
  // Bearish, and less than the mean came: both are hits.
  assert.deepEqual([record.hits, record.hitRate], [2, 1])
  near(record.afterBullish!, 1, 'after bullish')
  near(record.afterBearish!, 0, 'after bearish')
  near(record.unconditional!, Math.expm1(mean), 'unconditional')
  near(record.excess!, Math.expm1((Math.log(2) - mean + mean) / 2), 'excess')
  assert.equal(record.p, null, 'two events are not tested')
})

test('windows of events never overlap, and every event is an entry with a return', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(-1, 0, 1, NO_STATE), { minLength: 120, maxLength: 300 }), list => {
      const states = Int8Array.from(list)
      const closes = walkOf(list.length, list.length)
      for (const horizon of HORIZONS) {
        const { events, pending, bullish, bearish, hits } = recordOf({ states, closes }, horizon)
        assert.equal(events, bullish + bearish)
        assert.ok(hits <= events && events + pending <= entriesOf(states).length)
        assert.ok(events <= Math.ceil((list.length - 1 - horizon) / horizon) || events === 0)
      }
    }),
  )
})

test('chance of a record is the share of circular shifts that do as well, counted here one by one', () => {
  const closes = walkOf(400, 5)
  const readings = readingsOf(closes, { kind: 'cross', days: [3, 12] }, 1)
  const states = statesOf(readings, { bullish: { above: 0.01 }, bearish: { below: -0.01 } })
  const record = recordOf({ states, closes }, 7)
  assert.ok(record.events > 10)
  const days = [...states.keys()].filter(day => states[day] !== NO_STATE && day + 8 < 400)
  const returns = days.map(day => Math.log(closes[day + 8]! / closes[day + 1]!))
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length
  const events: number[] = []
  for (const day of entriesOf(states))
    if (day + 8 < 400 && day >= (events.at(-1) ?? -100) + 7) events.push(day)
  const brought = (shift: number) =>
    events.reduce(
      (sum, day) => sum + states[day]! * (returns[(days.indexOf(day) + shift) % days.length]! - mean),
      0,
    )
  const own = brought(0)
  const asMuch = days.filter((_, shift) => brought(shift) >= own - 1e-10).length
  assert.equal(record.events, events.length)
  assert.equal(record.p, asMuch / days.length)
  near(record.excess!, Math.expm1(own / events.length), 'excess')
})

test('Wilson’s interval and the correction of Benjamini and Hochberg give the figures of the literature', () => {
  // Four of seven: 25.0 % to 84.2 % (Wilson 1927, as tables have it).
  const [low, high] = wilson(4, 7)
  near(Math.round(low! * 1000), 250, 'low')
  near(Math.round(high! * 1000), 842, 'high')
  assert.deepEqual(wilson(0, 0), [null, null])
  assert.deepEqual(wilson(0, 5)[0], 0)
  // The fifteen p-values of Benjamini and Hochberg (1995), section 4: four are significant at 0.05.
  const ps = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
    0.759, 1,
  ]
  const qs = corrected(ps)
  assert.equal(qs.filter(q => q! <= 0.05).length, 4)
  near(qs[3]!, (0.0095 * 15) / 4, 'fourth')
  // A test that could not be made still counts as one that was tried.
  assert.deepEqual(corrected([0.01, null, null]), [0.03, null, null])
})

/** What is said of the days up to one, as it stood on each. */
const pastOf = <Step extends { year: number }>(
  { letters, steps }: { letters: string; steps: readonly Step[] },
  cut: number,
) => ({
  letters: letters.slice(0, cut + 1),
  steps: steps.filter(({ year }) => year <= Number(dayAt(START, cut).slice(0, 4))),
})

/** The same series with what comes after a day shuffled, and cut off there. */
function otherFutures(series: Daily, cut: number, seed: number): Daily[] {
  const random = randomOf(seed)
  const shuffled = series.slice()
  for (let at = series.length - 1; at > cut + 1; at--) {
    const other = cut + 1 + Math.floor(random() * (at - cut))
    ;[shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!]
  }
  return [shuffled, series.slice(0, cut + 1)]
}

test('no past value changes when the future is shuffled or cut off: states, parameters, composite', () => {
  const inputs = signals.map((signal, index) => ({
    signal,
    figures: walkOf(DAYS, 100 + index, signal.coverage < 0.9 ? 0.3 : 0.01),
  }))
  const closes = walkOf(DAYS, 7)
  const evaluate = (end: (series: Daily, seed: number) => Daily) => {
    const cutCloses = end(closes, 1)
    const evaluations = inputs.map(({ signal, figures }, index) =>
      evaluateSignal(signal, { start: START, figures: end(figures, index + 2), closes: cutCloses }),
    )
    const composite = compositeOf(evaluations, { start: START, closes: cutCloses }, DAYS - 400)
    return { evaluations, composite }
  }
  const whole = evaluate(series => series)
  assert.ok(whole.composite.spans.length > 0, 'the composite says something')
  assert.ok(whole.evaluations.filter(({ spans }) => spans.length > 5).length >= 15, 'signals say something')
  for (const cut of [900, 1461, 2000])
    for (const future of [0, 1]) {
      const other = evaluate((series, seed) => otherFutures(series, cut, seed)[future]!)
      for (const [index, evaluation] of other.evaluations.entries())
        assert.deepEqual(pastOf(evaluation, cut), pastOf(whole.evaluations[index]!, cut), evaluation.id)
      const composite = ({ letters, years }: typeof whole.composite) => pastOf({ letters, steps: years }, cut)
      assert.deepEqual(composite(other.composite), composite(whole.composite))
    }
})

test('what came after a rule was fixed is in no figure of before, and the other way round', () => {
  const fixed = dayAt(START, 1800)
  const signal = madeSignal({
    rules: [
      {
        fixed,
        transform: { kind: 'cross', days: [5, 40] },
        bullish: { above: 0.02 },
        bearish: { below: -0.02 },
        reason: 'A test.',
      },
    ],
    grid: {
      days: [
        [5, 40],
        [10, 40],
      ],
      thresholds: [
        [0.02, -0.02],
        [0.04, -0.04],
      ],
    },
  })
  const figures = walkOf(DAYS, 11)
  const closes = walkOf(DAYS, 12)
  const of = (series: { figures: Daily; closes: Daily }) =>
    evaluateSignal(signal, { start: START, ...series })
  const both = of({ figures, closes })
  const cut = of({ figures: figures.slice(0, 1801 + 91), closes: closes.slice(0, 1801 + 91) })
  assert.deepEqual(both.records.history, cut.records.history)
  assert.deepEqual(both.grid, cut.grid)
  assert.ok(both.records.since[0]!.events > 3)
  assert.equal(
    both.records.since[0]!.days,
    DAYS - 1801 - 8,
    'every day after the one on which it was fixed, but the newest',
  )
  assert.deepEqual(
    both.grid.filter(({ isRule }) => isRule).map(({ excess }) => excess),
    [both.records.history[1]!.excess],
    'the cell of the rule has the figure of its record',
  )
})

test('a rule that was replaced keeps its record', () => {
  const rule = (fixed: number, above: number): CatalogSignal['rules'][number] => ({
    fixed: dayAt(START, fixed),
    transform: { kind: 'change', days: [7] },
    bullish: { above },
    reason: 'A test.',
  })
  const closes = walkOf(DAYS, 21)
  const input = { start: START, figures: closes, closes }
  const first = evaluateSignal(madeSignal({ rules: [rule(1000, 0.02)] }), input)
  const second = evaluateSignal(madeSignal({ rules: [rule(1000, 0.02), rule(2000, 0.05)] }), input)
  const [retired] = second.retired
  assert.deepEqual([retired?.fixed, retired?.until], [dayAt(START, 1000), dayAt(START, 2000)])
  assert.ok(retired!.since[0]!.events > 5)
  assert.ok(retired!.since[0]!.events < first.records.since[0]!.events)
  assert.equal(indexOf(START, retired!.until), 2000)
})

test('a signal without a figure stands with nothing, and says nothing', () => {
  const empty = new Float64Array(DAYS).fill(Number.NaN)
  const [signal] = signals
  const evaluation = evaluateSignal(signal!, { start: START, figures: empty, closes: walkOf(DAYS, 1) })
  assert.deepEqual(
    [evaluation.day, evaluation.state, evaluation.reading, evaluation.rank, evaluation.spans],
    [null, null, null, null, []],
  )
  for (const record of Object.values(evaluation.records).flat())
    assert.deepEqual([record.events, record.hitRate, record.p, record.unconditional], [0, null, null, null])
})

test('there are 21 signals, each with its rule dated and its parameters among those it is tried with', () => {
  assert.equal(signals.length, 21)
  for (const { id, rules, grid } of signals) {
    assert.ok(
      rules.every(({ fixed }) => fixed >= '2026-11-23'),
      id,
    )
    assert.ok(grid.days.length * grid.thresholds.length >= 15, id)
  }
})
