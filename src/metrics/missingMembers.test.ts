/** A sum would drop when one of its sources is late. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeMadeFigures } from './market/testing.ts'
import { missingByDay, wholeSum } from './missingMembers.ts'
import { openEmptyMetrics, type TestMetrics } from './testing.ts'

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

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
})
after(() => site[Symbol.asyncDispose]())

test('the key figure of a sum says what it lacks, and shows the whole day before where it is fresh', async () => {
  const write = (day: string, values: Readonly<Record<string, number>>) =>
    writeMadeFigures(
      site.warehouse,
      Object.entries(values).map(([key, value]) => ({
        ...{ metric: 'tvl.by_protocol', entity: 'stacks', key, day, value },
        source: 'defillama.protocols',
      })),
    )
  const figure = async () => {
    const { point, missing } = await site.metrics.figure({
      id: 'tvl.by_protocol',
      entity: 'stacks',
      changeRange: '7d',
    })
    return [point?.day, point?.value, point?.state, missing]
  }
  await write('2026-08-03', { alex: 10, zest: 30 })
  await write('2026-08-04', { alex: 11 })
  assert.deepEqual(await figure(), ['2026-08-03', 40, 'whole', null])
  for (const day of ['2026-08-05', '2026-08-06', '2026-08-07']) await write(day, { alex: 12 })
  assert.deepEqual(await figure(), [
    '2026-08-07',
    12,
    'incomplete',
    { name: 'protocols', of: 2, keys: ['zest'] },
  ])
  // Between its ends its course has no sum of one protocol alone.
  const spark = async () =>
    (await site.metrics.figure({ id: 'tvl.by_protocol', entity: 'stacks', changeRange: '7d' })).spark
  assert.deepEqual(await spark(), [null, null, null, 40, null, null, null, 12])
  await write('2026-08-08', { alex: 13, zest: 31 })
  assert.deepEqual(await spark(), [null, null, 40, null, null, null, null, 44])
})

test('a total of daily reported members says what it lacks, in a comparison too', async () => {
  const days = [
    '2026-08-01',
    '2026-08-02',
    '2026-08-03',
    '2026-08-04',
    '2026-08-05',
    '2026-08-06',
    '2026-08-07',
  ]
  await writeMadeFigures(
    site.warehouse,
    days.flatMap((day, index) =>
      ['a-one', 'b-two'].slice(0, index < 2 ? 2 : 1).map(key => ({
        ...{ metric: 'btc.by_token', entity: 'bob', key, day, amount: 10n },
        source: 'bitcoinlayers.supplies',
      })),
    ),
  )
  const missing = { name: 'tokens', of: 2, keys: ['b-two'] }
  const unique = await site.metrics.figure({ id: 'btc.unique', entity: 'bob', changeRange: '7d' })
  assert.deepEqual([unique.point?.value, unique.point?.state, unique.missing], [10, 'incomplete', missing])
  assert.deepEqual(unique.spark, [null, 20, 20, null, null, null, null, 10])
  const { figures } = await site.metrics.comparison(
    { metrics: [{ id: 'btc.unique', grain: 'day' }], entities: ['bob'], changeRange: '7d' },
    await site.metrics.standing(),
  )
  assert.deepEqual(figures[0]?.missing, missing)
})
