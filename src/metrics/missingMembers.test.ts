/** A sum would drop when one of its sources is late. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingByDay, wholeSum } from './missingMembers.ts'

const row = (day: string, key: string, source = 'defillama.protocols') => ({ day, key, source })
const OPTIONS = { name: 'protocols', freshDays: 2, silentDays: 30 }

test('a sum lacks what was reported before it, unless that was long ago or is counted from blocks', () => {
  const rows = [
    row('2026-06-01', 'closed'),
    row('2026-08-03', 'zest'),
    row('2026-08-03', 'quiet', 'stacks.chain'),
    row('2026-08-03', 'alex'),
    row('2026-08-04', 'alex'),
  ]
  const missing = missingByDay(rows, 30)
  assert.deepEqual(missing.get('2026-08-04'), ['zest'])
  assert.equal(missing.get('2026-08-03'), undefined)
})

test('a member lacks on the days until it is reported again, and nowhere once it is gone', () => {
  const days = Array.from({ length: 60 }, (_, index) =>
    row(`2026-0${index < 30 ? 6 : 7}-${String((index % 30) + 1).padStart(2, '0')}`, 'alex'),
  )
  const back = [row('2026-06-02', 'zest'), row('2026-06-05', 'zest')]
  const missing = missingByDay([...days, ...back, row('2026-06-01', 'closed')], 20)
  assert.deepEqual(
    ['2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05', '2026-06-06', '2026-07-30'].map(day =>
      missing.get(day),
    ),
    [undefined, ['zest'], ['zest'], undefined, undefined, undefined],
  )
})

test('a fresh day that lacks no member is taken before a newer one that does, and a stale one is not', () => {
  const rows = [row('2026-08-03', 'zest'), row('2026-08-03', 'alex'), row('2026-08-04', 'alex')]
  const days = [{ day: '2026-08-04' }, { day: '2026-08-03' }]
  assert.deepEqual(wholeSum(days, rows, OPTIONS), { row: { day: '2026-08-03' }, missing: null })
  const late = [{ day: '2026-08-06' }, ...days]
  assert.deepEqual(wholeSum(late, [...rows, row('2026-08-06', 'alex')], OPTIONS), {
    row: { day: '2026-08-06' },
    missing: { name: 'protocols', of: 2, keys: ['zest'] },
  })
  assert.equal(wholeSum([], [], OPTIONS), undefined)
})

test('a late member lacks on each day up to its end of patience, and not beyond the days that there are', () => {
  const daysOf = (rows: Parameters<typeof missingByDay>[0], silent: number) => [
    ...missingByDay(rows, silent).entries(),
  ]
  const late = [row('2026-03-01', 'b'), row('2026-03-01', 'a'), row('2026-03-03', 'c')]
  assert.deepEqual(daysOf(late, 2), [
    ['2026-03-02', ['a', 'b']],
    ['2026-03-03', ['a', 'b']],
    ['2026-03-04', ['c']],
    ['2026-03-05', ['c']],
  ])
  // One more day, and both have been silent for longer than that.
  assert.deepEqual(daysOf([...late, row('2026-03-04', 'c')], 2), [
    ['2026-03-05', ['c']],
    ['2026-03-06', ['c']],
  ])
  assert.deepEqual(daysOf([], 2), [])
})

test('a day as old as is still fresh is taken, an older one is not', () => {
  const rows = [row('2026-08-01', 'zest'), row('2026-08-01', 'alex'), row('2026-08-03', 'alex')]
  const days = [{ day: '2026-08-03' }, { day: '2026-08-01' }]
  const of = (freshDays: number) => wholeSum(days, rows, { ...OPTIONS, freshDays })
  assert.deepEqual(of(2), { row: { day: '2026-08-01' }, missing: null })
  assert.deepEqual(of(1), {
    row: { day: '2026-08-03' },
    missing: { name: 'protocols', of: 2, keys: ['zest'] },
  })
})
