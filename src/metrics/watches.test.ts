/** Alerts would fire too often, never, or on missing data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type MetricDeclaration, metric, type Watch } from './metric.ts'
import { watchedOf } from './watches.ts'

const base = {
  id: 'made.figure',
  name: 'Made',
  unit: 'n',
  definition: 'd',
  why: 'w',
  how: 'h',
  misleads: 'm',
  sql: 'SELECT 1',
  sources: ['made'],
  cadence: 'day',
  aggregate: 'last',
  since: {},
  direction: 'up',
  references: [],
} as const satisfies MetricDeclaration

const dayOf = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)
type State = 'whole' | 'partial' | 'incomplete'
const points = (values: readonly (number | string | null)[], state: State = 'whole') =>
  values.map((value, index) => ({ day: dayOf(index), key: '', value, state, source: 'made' }))

function occurrences(watch: Watch, values: readonly (number | string | null)[]) {
  const entry = metric({ ...base, watches: [watch] })
  const [told] = watchedOf([entry], { metric: entry, entity: 'bitcoin', points: points(values) })
  assert.ok(told)
  return { ...told, days: told.occurrences.map(({ day }) => day) }
}

test('a level is told when it is crossed, and again only after it was left', () => {
  const below: Watch = { id: 'below', says: 'falls below one', when: 'below', level: 1 }
  const { days, isMet } = occurrences(below, [2, 0.9, 0.8, 1, 0.5])
  assert.deepEqual(days, [dayOf(1), dayOf(4)])
  assert.equal(isMet, true)
  // What held before the first day is no news of it; a day without a figure ends nothing.
  assert.deepEqual(occurrences(below, [0.5, null, 0.4]).days, [])
  assert.deepEqual(occurrences({ ...below, when: 'above' }, [1, 1.1, 1.2, 1]).days, [dayOf(1)])
})

test('a fall is measured against the figure so many days before, over days that are missing too', () => {
  const falls: Watch = { id: 'fell', says: 'falls', when: 'falls', level: 0.3, days: 7 }
  assert.deepEqual(occurrences(falls, [100, 99, 98, 97, 96, 95, 94, 71, 69, 60]).days, [dayOf(8)])
  // Nine days back, since the eighth has no figure.
  assert.deepEqual(occurrences(falls, [100, null, null, null, null, null, null, null, null, 60]).days, [
    dayOf(9),
  ])
  assert.deepEqual(occurrences({ ...falls, when: 'rises' }, [10, 10, 10, 10, 10, 10, 10, 13]).days, [
    dayOf(7),
  ])
})

test('from zero, from less and from nothing there is no rise and no fall', () => {
  const rises: Watch = { id: 'rose', says: 'rises', when: 'rises', level: 0.5, days: 1 }
  for (const before of [0, -1, null]) {
    assert.deepEqual(occurrences(rises, [before, 5]).days, [], `a rise from ${before}`)
    assert.deepEqual(occurrences({ ...rises, when: 'falls' }, [before, -5]).days, [], `a fall from ${before}`)
  }
  // Less than one is more than nothing.
  assert.deepEqual(occurrences(rises, [0.5, 0.75]).days, [dayOf(1)])
  assert.deepEqual(occurrences({ ...rises, when: 'falls' }, [0.5, 0.25]).days, [dayOf(1)])
})

test('a change is told each time, of integers beyond 2^53 too', () => {
  const changes: Watch = { id: 'moved', says: 'moves', when: 'changes' }
  const { occurrences: told } = occurrences(changes, [
    '9007199254740993',
    '9007199254740993',
    '9007199254740992',
  ])
  assert.deepEqual(told, [{ day: dayOf(2), value: '9007199254740992', before: '9007199254740993' }])
})

test('of a breakdown its headline is watched: a key, or the sum of all', () => {
  const watches = [{ id: 'out', says: 'leaves', when: 'below', level: 0 }] as const
  const rows = [5, -1].flatMap((a, index) => [
    { day: dayOf(index), key: 'a', value: a, state: 'whole' as const, source: 'made' },
    { day: dayOf(index), key: 'b', value: -3, state: 'whole' as const, source: 'made' },
  ])
  const told = (headline: string) => {
    const entry = metric({ ...base, breakdown: { name: 'part', values: ['a', 'b'] }, headline, watches })
    return watchedOf([entry], { metric: entry, entity: 'bitcoin', points: rows })[0]?.occurrences
  }
  assert.deepEqual(told('*'), [{ day: dayOf(1), value: -4, before: 2 }])
  assert.deepEqual(told('a'), [{ day: dayOf(1), value: -1, before: 5 }])
  assert.deepEqual(told('b'), [])
})

/** Values by member, a day each; null where a member has none. */
const sums = (members: Readonly<Record<string, readonly (number | string | null)[]>>, source = 'made') =>
  Object.entries(members).flatMap(([key, values]) =>
    values.map((value, index) => ({
      day: dayOf(index),
      key,
      value,
      state: value === null ? ('incomplete' as const) : ('whole' as const),
      source,
    })),
  )
const ofSum = (watch: Watch, points: ReturnType<typeof sums>, isComplete?: boolean) => {
  const breakdown = { name: 'part', values: ['a', 'b'], ...(isComplete !== undefined && { isComplete }) }
  const entry = metric({ ...base, breakdown, headline: '*', watches: [watch] })
  const [found] = watchedOf([entry], { metric: entry, entity: 'bitcoin', points })
  assert.ok(found)
  return found
}

test('a sum that lacks a member raises no alert, and none of its zero', () => {
  const below: Watch = { id: 'low', says: 'falls below five', when: 'below', level: 5 }
  // Member b is late on the third day, and the sum of the others is no fall.
  const late = { a: [4, 4, 4, 4], b: [3, 3, null, 3] }
  assert.deepEqual(ofSum(below, sums(late)), { ...below, isMet: false, occurrences: [] })
  assert.deepEqual(ofSum(below, sums({ a: [4, 4], b: [3, null] })).isMet, false)
  // It did fall once all members are there, and parts without a row are zero where all rows are counted.
  assert.deepEqual(ofSum(below, sums({ a: [4, 4, 4, 1], b: [3, 3, null, 3] })).occurrences, [
    { day: dayOf(3), value: 4, before: 7 },
  ])
  assert.deepEqual(ofSum(below, sums(late, 'bitcoin.chain')).occurrences, [
    { day: dayOf(2), value: 4, before: 7 },
  ])
  assert.deepEqual(ofSum(below, sums(late), true).occurrences, [{ day: dayOf(2), value: 4, before: 7 }])
})

test('a member that is gone for good is not waited for', () => {
  const below: Watch = { id: 'low', says: 'falls below five', when: 'below', level: 5 }
  const gone = { a: new Array(40).fill(4), b: [3, 3, ...new Array(38).fill(null)] }
  assert.deepEqual(ofSum(below, sums(gone)).occurrences, [{ day: dayOf(32), value: 4, before: 7 }])
})

test('a member that comes is no rise, and one that is gone no fall', () => {
  const rises: Watch = { id: 'up', says: 'rise', when: 'rises', level: 0.5, days: 1 }
  assert.deepEqual(ofSum(rises, sums({ a: [4, 4, 4], b: [null, 9, 9] })).occurrences, [])
  assert.deepEqual(ofSum(rises, sums({ a: [4, 8, 8], b: [null, 2, 2] })).occurrences, [
    { day: dayOf(1), value: 8, before: 4 },
  ])
  // A rise of less than 80% of the sum is not that of the sum.
  assert.deepEqual(ofSum(rises, sums({ a: [4, 8, 8], b: [null, 9, 9] })).occurrences, [])
  const falls: Watch = { id: 'down', says: 'fall', when: 'falls', level: 0.5, days: 1 }
  const gone = { a: new Array(40).fill(4), b: [9, 9, ...new Array(38).fill(null)] }
  assert.deepEqual(ofSum(falls, sums(gone)).occurrences, [])
  const changes: Watch = { id: 'moved', says: 'move', when: 'changes' }
  assert.deepEqual(ofSum(changes, sums({ a: [4, 4], b: [null, 9] })).occurrences, [])
})

test('a day that is not over tells nothing, and what comes later changes nothing that was told', () => {
  const level: Watch = { id: 'below', says: 'falls below', when: 'below', level: 0 }
  const entry = metric({ ...base, watches: [level] })
  const ask = (rows: ReturnType<typeof points>) =>
    watchedOf([entry], { metric: entry, entity: 'bitcoin', points: rows })[0]
  assert.equal(
    ask([...points([1]), { day: dayOf(1), key: '', value: -1, state: 'partial', source: 'made' }])?.isMet,
    false,
  )
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer({ min: -5, max: 5 })), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 0, max: 40 }),
      (values, cut) => {
        const all = ask(points(values))?.occurrences ?? []
        const first = ask(points(values.slice(0, cut)))?.occurrences ?? []
        assert.deepEqual(
          first,
          all.filter(({ day }) => day < dayOf(cut)),
        )
      },
    ),
  )
})
