/** The composite signal would count signals that were not chosen, or days that are too old. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMPOSITE_SIDE, compositeOf, LEAST_MEMBERS } from './composite.ts'
import { dayAt, GOOD_FOR_DAYS, indexOf, lettersOf, spansOf, statesOfLetters } from './evaluate.ts'
import { GRID_HORIZON, recordsBefore } from './grid.ts'
import { type Daily, NO_STATE, type States } from './readings.ts'
import { HORIZONS, LAG, LEAST_EVENTS, recordOf } from './record.ts'
import { randomOf, walkOf } from './testing.ts'

const START = '2012-03-01'
const DAYS = 1300

/** A signal that is right so often about the next thirty days, and silent on some days. */
function madeLetters(closes: Daily, seed: number, { right, gaps }: { right: number; gaps: number }): string {
  const random = randomOf(seed)
  const hold = 3 + Math.floor(random() * 20)
  let letter = '0'
  return Array.from(closes, (_, day) => {
    const change = closes[day + LAG + GRID_HORIZON]! / closes[day + LAG]! - 1
    if (day % hold === 0) {
      const isRight = random() < right
      letter = random() < 0.3 ? '0' : change > 0 === isRight ? '+' : '-'
    }
    return random() < gaps ? '.' : letter
  }).join('')
}

const newest = (states: States, day: number): number | undefined => {
  const from = Math.max(0, day - GOOD_FOR_DAYS + 1)
  return states.subarray(from, day + 1).findLast(state => state !== NO_STATE)
}

test('members are chosen at the start of a year by their records, and their states are averaged each day', t => {
  for (const seed of [1, 2, 3]) {
    t.diagnostic(`seed ${seed}`)
    const closes = walkOf(DAYS, seed)
    const signals = Array.from({ length: 7 }, (_, index) => ({
      id: `s${index}`,
      letters: madeLetters(closes, 10 * seed + index, {
        right: index < 4 ? 0.9 : 0.3,
        gaps: index % 2 === 0 ? 0.9 : 0.02,
      }),
    }))
    const fixed = 900
    const composite = compositeOf(signals, { start: START, closes }, fixed)
    const expected = new Int8Array(DAYS).fill(NO_STATE)
    let [value, day]: [number | null, string | null] = [null, null]
    const years = [2012, 2013, 2014, 2015].map(year => {
      const from = Math.max(0, indexOf(START, `${year}-01-01`))
      const members = signals.filter(({ letters }) => {
        const known = recordsBefore({ states: statesOfLetters(letters), closes }, GRID_HORIZON, [from])[0]!
        return known.events >= LEAST_EVENTS && known.excess > 0
      })
      for (let at = from; at < DAYS && dayAt(START, at) <= `${year}-12-31`; at++) {
        const states = members.flatMap(({ letters }) => newest(statesOfLetters(letters), at) ?? [])
        if (states.length < LEAST_MEMBERS) continue
        value = states.reduce((sum, state) => sum + state, 0) / states.length
        day = dayAt(START, at)
        expected[at] = value > COMPOSITE_SIDE ? 1 : value < -COMPOSITE_SIDE ? -1 : 0
      }
      return { year, members: members.map(({ id }) => id) }
    })
    assert.deepEqual(composite.years, years)
    assert.deepEqual(years[0]?.members, [])
    assert.ok(years.some(({ members }) => members.length >= LEAST_MEMBERS && members.length < signals.length))
    assert.equal(composite.letters, lettersOf(expected))
    assert.deepEqual(new Set(composite.letters), new Set('+-0.'))
    const spans = spansOf(expected, START)
    const last = spans.at(-1)!
    assert.deepEqual(composite.spans, spans)
    assert.deepEqual(
      [composite.day, composite.value, composite.state, composite.since],
      [day, value, last.state, last.from],
    )
    const parts = (stretch: { from?: number; to?: number }) =>
      HORIZONS.map(horizon => recordOf({ states: expected, closes }, horizon, stretch))
    assert.deepEqual(composite.walk, parts({ to: fixed }))
    assert.deepEqual(composite.afterFixed, parts({ from: fixed + 1 }))
    // A rule that was fixed after the last close leaves nothing out of sample.
    const later = compositeOf(signals, { start: START, closes }, DAYS + 50)
    assert.deepEqual(later.walk, parts({ to: DAYS - 1 }))
    assert.ok(later.afterFixed.every(({ days }) => days === 0))
  }
})

test('three of three signals make a composite, two do not; a mean of one third takes no side', () => {
  // Closes that rise and fall by turns, so that each signal below is right about the next thirty days.
  const closes = Float64Array.from({ length: 800 }, (_, day) => 100 + 50 * Math.sin((day * Math.PI) / 40))
  const right = Array.from(closes, (_, day) =>
    Math.sin(((day + LAG + GRID_HORIZON) * Math.PI) / 40) > Math.sin(((day + LAG) * Math.PI) / 40)
      ? '+'
      : '-',
  ).join('')
  const from = indexOf(START, '2014-01-01')
  const ending = (letters: string) => right.slice(0, from) + letters
  const of = (...endings: string[]) => {
    const signals = endings.map((letters, index) => ({ id: String(index), letters: ending(letters) }))
    const { letters, value, day } = compositeOf(signals, { start: START, closes }, 100)
    return { letters: letters.slice(from, from + 9), value, day }
  }
  const rest = '.'.repeat(20)
  assert.equal(of(`+${rest}`, `0${rest}`, `0${rest}`).letters, '0000000..')
  assert.equal(of(`-${rest}`, `0${rest}`, `0${rest}`).letters, '0000000..')
  assert.equal(of(`+${rest}`, `+${rest}`, `0${rest}`).letters, '+++++++..')
  assert.equal(of(`-${rest}`, `-${rest}`, `0${rest}`).letters, '-------..')
  // A state holds for a week, and a newer one replaces it.
  assert.equal(of(`+.0${rest}`, `+${rest}`, `+..-${rest}`).letters, '+++0000..')
  assert.deepEqual(of('+', '+', '+'), { letters: '+++++++..', value: 1, day: dayAt(START, from + 6) })
  const two = of('+', '+')
  assert.deepEqual([two.value, two.day, new Set(two.letters)], [null, null, new Set('.')])
})

test('without a close there is nothing to compose', () => {
  const none = { start: START, closes: new Float64Array(0) }
  const { years, day, value, state, since, letters, spans } = compositeOf([], none, 10)
  assert.deepEqual(
    { years, day, value, state, since, letters, spans },
    { years: [], day: null, value: null, state: null, since: null, letters: '', spans: [] },
  )
})

test('letters beyond the closes are left out', () => {
  const closes = walkOf(400, 1)
  const letters = '+'.repeat(500)
  const { letters: found } = compositeOf([{ id: 'a', letters }], { start: START, closes }, 10)
  assert.equal(found.length, 400)
})
