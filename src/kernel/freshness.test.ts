/** A stale figure would pass for a fresh one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshestFirst, freshnessOf, type Headline, headlineSpan } from './freshness.ts'

const daily = (day: string): Headline => ({ from: day, to: day, cadenceDays: 1 })
const monthly = (day: string): Headline => ({ from: day, to: day, cadenceDays: 31 })
const orderOf = (figures: Record<string, Headline | undefined>, today: string) =>
  freshestFirst(Object.keys(figures), name => figures[name], today)

test('beyond twice the cadence is stale, beyond four times overdue', () => {
  assert.deepEqual(
    [0, 2, 3, 4, 5].map(age => freshnessOf(age, 1)),
    ['live', 'live', 'stale', 'stale', 'overdue'],
  )
  assert.equal(freshnessOf(62, 31), 'live')
})

test('a page is as of its oldest to its newest key figure, and as late as the worst of them', () => {
  assert.deepEqual(headlineSpan([daily('2026-11-24'), daily('2026-11-25')], '2026-11-26'), {
    from: '2026-11-24',
    to: '2026-11-25',
    state: 'live',
  })
  const sum = { from: '2024-10-22', to: '2026-11-26', cadenceDays: 1 }
  assert.deepEqual(headlineSpan([daily('2026-11-25'), sum], '2026-11-26'), {
    from: '2024-10-22',
    to: '2026-11-26',
    state: 'overdue',
  })
  assert.equal(headlineSpan([daily('2026-11-23')], '2026-11-26')?.state, 'stale')
  assert.equal(headlineSpan([], '2026-11-26'), undefined)
})

test('a figure of a month is not stale after three days', () => {
  assert.equal(headlineSpan([daily('2026-11-25'), monthly('2026-10-01')], '2026-11-26')?.state, 'live')
})

test('a stale figure never leads: a sum is as old as its oldest part, and figures without a value come last', () => {
  assert.deepEqual(
    orderOf(
      {
        none: undefined,
        sum: { from: '2024-10-22', to: '2026-11-26', cadenceDays: 1 },
        late: daily('2026-11-23'),
        price: daily('2026-11-25'),
        tvl: daily('2026-11-24'),
      },
      '2026-11-26',
    ),
    ['price', 'tvl', 'late', 'sum', 'none'],
  )
})

test('where all are old, those lead that keep up with the newest', () => {
  assert.deepEqual(
    orderOf(
      { fees: daily('2026-01-31'), price: daily('2026-08-21'), hashprice: daily('2026-08-22') },
      '2026-11-26',
    ),
    ['price', 'hashprice', 'fees'],
  )
})

test('a fresh figure of a slow metric leads an old one of a day, though that is of a later day', () => {
  assert.deepEqual(orderOf({ tvl: daily('2026-11-06'), retained: monthly('2026-10-01') }, '2026-11-26'), [
    'retained',
    'tvl',
  ])
})

test('the order is kept where all are equally fresh', () => {
  const day = daily('2026-11-25')
  assert.deepEqual(orderOf({ b: day, a: day, c: day }, '2026-11-26'), ['b', 'a', 'c'])
})
