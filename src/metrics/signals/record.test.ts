/** A record would count events that overlap, or test what is too rare to be tested. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingsOf } from './readings.ts'
import { corrected, recordOf, wilson } from './record.ts'

/** Neutral days with entries into a side on the given ones. */
function statesWith(count: number, entries: Readonly<Record<number, number>>): Int8Array {
  const states = new Int8Array(count)
  for (const [day, state] of Object.entries(entries)) states[Number(day)] = state
  return states
}
const flat = (count: number, close = 100) => new Float64Array(count).fill(close)

test('events a horizon apart both count, a day less and the second does not', () => {
  const of = (second: number) =>
    recordOf({ states: statesWith(60, { 10: 1, [second]: -1 }), closes: flat(60) }, 7).events
  assert.deepEqual([of(16), of(17)], [1, 2])
})

test('five events are tested, four are not', () => {
  const entries = { 10: 1, 20: 1, 30: 1, 40: 1 }
  const closes = flat(80)
  assert.equal(recordOf({ states: statesWith(80, entries), closes }, 7).p, null)
  const five = recordOf({ states: statesWith(80, { ...entries, 50: 1 }), closes }, 7)
  // Nothing happens on any day, so every shift brings as much, and nothing is a hit.
  assert.deepEqual([five.events, five.p, five.hits, five.hitRate], [5, 1, 0, 0])
  const untested = recordOf({ states: statesWith(80, { ...entries, 50: 1 }), closes }, 7, {
    isUntested: true,
  })
  assert.deepEqual({ ...untested, p: 1 }, five)
})

test('five events that alone bring something are met by no other shift', () => {
  const days = [10, 20, 32, 43, 54]
  // The close of a week after each entry is double, and only there.
  const closes = flat(80)
  for (const day of days) closes[day + 8] = 200
  const record = recordOf(
    { states: statesWith(80, Object.fromEntries(days.map(day => [day, 1]))), closes },
    7,
  )
  assert.deepEqual([record.days, record.events, record.hits], [72, 5, 5])
  assert.equal(record.p, 1 / 72)
})

test('days without a close ahead, or with one of zero, have no return', () => {
  const states = new Int8Array(20)
  assert.equal(recordOf({ states, closes: flat(20, 0.25) }, 7).days, 12)
  const closes = flat(20, 0.25)
  closes[3] = 0
  // No return begins with the close of day 3, and none could end with it yet.
  assert.equal(recordOf({ states, closes }, 7).days, 11)
  // With that of day 12 one begins and one ends.
  closes[12] = 0
  assert.equal(recordOf({ states, closes }, 7).days, 9)
  closes[3] = -1
  closes[12] = Number.NaN
  assert.equal(recordOf({ states, closes }, 7).days, 9)
})

test('a stretch holds its first and its last day', () => {
  const states = statesWith(60, { 10: 1, 30: -1 })
  const of = (from: number, to: number) => recordOf({ states, closes: flat(60) }, 7, { from, to })
  assert.deepEqual([of(10, 30).events, of(10, 30).days], [2, 21])
  assert.equal(of(11, 30).events, 1)
  assert.equal(of(10, 29).events, 1)
  assert.deepEqual(of(0, 59), recordOf({ states, closes: flat(60) }, 7))
  const pending = recordOf({ states: statesWith(60, { 51: 1, 52: 0, 59: -1 }), closes: flat(60) }, 7)
  assert.deepEqual([pending.events, pending.pending], [1, 1])
})

test('without an event nothing is said of events', () => {
  const { hitRate, hitLow, hitHigh, afterBullish, afterBearish, excess, unconditional } = recordOf(
    { states: new Int8Array(40), closes: Float64Array.from({ length: 40 }, (_, day) => 2 ** day) },
    7,
  )
  assert.deepEqual([hitRate, hitLow, hitHigh, afterBullish, afterBearish, excess], Array(6).fill(null))
  // Doubling every day: 2⁷ − 1.
  assert.equal(unconditional?.toFixed(6), '127.000000')
})

test('Wilson’s interval ends at one, and is as in the tables', () => {
  const rounded = (hits: number, count: number) => wilson(hits, count).map(bound => bound?.toFixed(4))
  assert.deepEqual(rounded(1, 10), ['0.0179', '0.4042'])
  assert.deepEqual(rounded(5, 5), ['0.5655', '1.0000'])
  assert.deepEqual(rounded(0, 10), ['0.0000', '0.2775'])
  assert.ok(wilson(5, 5)[1]! <= 1 && wilson(0, 3)[0]! >= 0)
})

test('a corrected p-value never exceeds that of a larger one', () => {
  assert.deepEqual(corrected([]), [])
  assert.deepEqual(corrected([0.5]), [0.5])
  // 0.04 · 3 ÷ 2 = 0.06 is above 0.05 · 3 ÷ 3, so both are 0.05.
  assert.deepEqual(
    corrected([0.05, 0.01, 0.04]).map(q => q && Number(q.toFixed(9))),
    [0.05, 0.03, 0.05],
  )
})

test('a volatility needs two returns, a window its share of days', () => {
  const figures = Float64Array.of(1, 2, 1, 2, Number.NaN, 2)
  const volatility = readingsOf(figures, { kind: 'volatility', days: [3] }, 0.3)
  // ln 2 and −ln 2: a deviation of ln 2 · √2.
  assert.equal(volatility[2]?.toFixed(9), (Math.log(2) * Math.sqrt(2 * 365)).toFixed(9))
  assert.deepEqual(
    [0, 1, 4, 5].map(day => Number.isNaN(volatility[day]!)),
    [true, true, true, true],
  )
  // A window of one day by default; equal figures are their own highest.
  assert.deepEqual([...readingsOf(Float64Array.of(3, 3), { kind: 'mean', days: [] }, 1)], [3, 3])
  assert.deepEqual(
    [...readingsOf(Float64Array.of(3, 3, 1), { kind: 'drawdown', days: [2] }, 1)],
    [Number.NaN, 0, 1 / 3 - 1],
  )
})
