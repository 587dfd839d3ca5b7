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
  values.map((value, index) => ({ day: dayOf(index), key: '', value, state }))

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
    { day: dayOf(index), key: 'a', value: a, state: 'whole' as const },
    { day: dayOf(index), key: 'b', value: -3, state: 'whole' as const },
  ])
  const told = (headline: string) => {
    const entry = metric({ ...base, breakdown: { name: 'part', values: ['a', 'b'] }, headline, watches })
    return watchedOf([entry], { metric: entry, entity: 'bitcoin', points: rows })[0]?.occurrences
  }
  assert.deepEqual(told('*'), [{ day: dayOf(1), value: -4, before: 2 }])
  assert.deepEqual(told('a'), [{ day: dayOf(1), value: -1, before: 5 }])
  assert.deepEqual(told('b'), [])
})

test('a day that is not over tells nothing, and what comes later changes nothing that was told', () => {
  const level: Watch = { id: 'below', says: 'falls below', when: 'below', level: 0 }
  const entry = metric({ ...base, watches: [level] })
  const ask = (rows: ReturnType<typeof points>) =>
    watchedOf([entry], { metric: entry, entity: 'bitcoin', points: rows })[0]
  assert.equal(ask([...points([1]), { day: dayOf(1), key: '', value: -1, state: 'partial' }])?.isMet, false)
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
