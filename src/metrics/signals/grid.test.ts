/** A signal would choose its parameters by what was not known yet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordsBefore, tryGrid, walkForward } from './grid.ts'
import { type Daily, NO_STATE, readingsOf, type States, statesOf } from './readings.ts'
import { entriesOf, recordOf } from './record.ts'
import { madeSignal, randomOf, walkOf } from './testing.ts'

/** The same from the whole series cut off before the day. */
function plainRecord(
  { states, closes }: { states: States; closes: Daily },
  horizon: number,
  before: number,
): { events: number; excess: number } {
  const returnOf = (day: number) => Math.log(closes[day + 1 + horizon]! / closes[day + 1]!)
  const isKnown = (day: number) =>
    states[day] !== NO_STATE && day + 1 + horizon < before && Number.isFinite(returnOf(day))
  const days = [...states.keys()].filter(isKnown)
  const mean = days.reduce((sum, day) => sum + returnOf(day), 0) / days.length
  const events: number[] = []
  for (const day of entriesOf(states).filter(isKnown))
    if (day >= (events.at(-1) ?? Number.NEGATIVE_INFINITY) + horizon) events.push(day)
  const beyond = events.reduce((sum, day) => sum + states[day]! * (returnOf(day) - mean), 0)
  return { events: events.length, excess: events.length === 0 ? 0 : beyond / events.length }
}

test('a record before a day is that of the days whose returns had come, worked out anew for each', t => {
  for (const seed of [1, 2, 3, 4]) {
    t.diagnostic(`seed ${seed}`)
    const random = randomOf(seed)
    const states = Int8Array.from({ length: 300 }, () => [1, 0, -1, NO_STATE][Math.floor(random() * 4)]!)
    const closes = walkOf(300, seed, seed > 2 ? 0.2 : 0)
    const at = [0, 1, 8, 9, 10, 40, 41, 150, 299, 300, 400]
    for (const horizon of [7, 30]) {
      const found = recordsBefore({ states, closes }, horizon, at)
      for (const [index, before] of at.entries()) {
        const expected = plainRecord({ states, closes }, horizon, before)
        assert.equal(found[index]!.events, expected.events, `before ${before}`)
        assert.ok(Math.abs(found[index]!.excess - expected.excess) < 1e-12, `before ${before}`)
      }
    }
  }
})

test('a return counts on the day after it came', () => {
  // Neutral, then bullish on day 1: its return over a week runs from the close of day 2 to that of day 9.
  const states = Int8Array.from({ length: 12 }, (_, day) => (day === 1 ? 1 : 0))
  const closes = Float64Array.from({ length: 12 }, (_, day) => (day >= 9 ? 200 : 100))
  const events = recordsBefore({ states, closes }, 7, [9, 10]).map(each => each.events)
  assert.deepEqual(events, [0, 1])
  const [only] = recordsBefore({ states, closes }, 7, [10])
  // Days 0 and 1 have a return by then, zero and ln 2.
  assert.ok(Math.abs(only!.excess - Math.log(2) / 2) < 1e-12)
})

const RULE = {
  fixed: '2013-01-01',
  transform: { kind: 'cross' as const, days: [5, 40] },
  bullish: { above: 0.02 },
  bearish: { below: -0.02 },
  reason: 'A test.',
}

test('a grid tries every pair of windows and thresholds, on the side on which the rule has them', () => {
  const [figures, closes] = [walkOf(500, 1), walkOf(500, 2)]
  const signal = madeSignal({
    coverage: 0.8,
    rules: [RULE],
    grid: {
      days: [
        [5, 40],
        [10, 40],
      ],
      thresholds: [
        [0.02, -0.02],
        [0.02, -0.03],
        [0.03, -0.02],
        [0.02, null],
        [null, -0.02],
      ],
    },
  })
  const tried = tryGrid(signal, RULE, { figures, closes }, 350)
  assert.equal(tried.length, 10)
  for (const { cell, states } of tried) {
    const { days, bullish, bearish } = cell
    const expected = statesOf(readingsOf(figures, { kind: 'cross', days }, 0.8), {
      ...(bullish !== null && { bullish: { above: bullish } }),
      ...(bearish !== null && { bearish: { below: bearish } }),
    })
    assert.deepEqual(states, expected)
    const { events, hitRate, excess } = recordOf({ states, closes }, 30, { to: 350 })
    assert.deepEqual([cell.events, cell.hitRate, cell.excess], [events, hitRate, excess])
    assert.equal(cell.isRule, days[0] === 5 && bullish === 0.02 && bearish === -0.02)
  }
  // The other way round: bullish below, bearish above; a side that the rule lacks is tried above.
  const turned = { ...RULE, bullish: { below: -0.1 }, bearish: { above: 0.1 } }
  const { bullish: _, ...without } = RULE
  const only = (rule: Parameters<typeof tryGrid>[1], bullish: number | null, bearish: number | null) => {
    const grid = { days: [[5, 40]], thresholds: [[bullish, bearish] as [number | null, number | null]] }
    return tryGrid({ coverage: 0.8, grid }, rule, { figures, closes }, 350)[0]!
  }
  const readings = readingsOf(figures, { kind: 'cross', days: [5, 40] }, 0.8)
  const contrary = only(turned, -0.1, 0.1)
  assert.ok(contrary.cell.isRule)
  assert.deepEqual(contrary.states, statesOf(readings, { bullish: { below: -0.1 }, bearish: { above: 0.1 } }))
  assert.ok(only(without, null, -0.02).cell.isRule)
  assert.deepEqual(
    only(without, 0.01, -0.02).states,
    statesOf(readings, { bullish: { above: 0.01 }, bearish: { below: -0.02 } }),
  )
})

test('a walk forward takes for each year the parameters with the best record before it', () => {
  const closes = walkOf(1500, 9)
  const years = [
    { year: 2012, from: 0, to: 299 },
    { year: 2013, from: 300, to: 664 },
    { year: 2014, from: 665, to: 1029 },
    { year: 2015, from: 1030, to: 1499 },
  ]
  const signal = madeSignal({
    rules: [RULE],
    grid: {
      days: [
        [5, 40],
        [10, 40],
        [3, 20],
      ],
      thresholds: [
        [0.02, -0.02],
        [0.05, -0.05],
        [0.3, -0.3],
      ],
    },
  })
  const figures = walkOf(1500, 10)
  const tried = tryGrid(signal, RULE, { figures, closes }, 1499)
  const { states, steps } = walkForward(tried, closes, years)
  const expected = years.map(({ year, from }) => {
    const known = tried.map(({ cell, states: own }) => ({
      cell,
      own,
      ...plainRecord({ states: own, closes }, 30, from),
    }))
    const best = known.filter(({ events }) => events >= 5).sort((a, b) => b.excess - a.excess)[0]
    return { year, best }
  })
  assert.deepEqual(
    steps,
    expected.map(({ year, best }) => ({
      year,
      days: best?.cell.days ?? null,
      bullish: best?.cell.bullish ?? null,
      bearish: best?.cell.bearish ?? null,
    })),
  )
  assert.equal(steps[0]?.days, null)
  assert.ok(new Set(steps.map(step => JSON.stringify(step))).size > 2, 'parameters change')
  for (const [index, { from, to }] of years.entries()) {
    const own = expected[index]!.best?.own
    assert.deepEqual(
      states.slice(from, to + 1),
      own?.slice(from, to + 1) ?? new Int8Array(to + 1 - from).fill(NO_STATE),
    )
  }
})
