/** The key figure of a sum would drop when one of its sources is late. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeMadeFigures } from './market/testing.ts'
import { openEmptyMetrics, type TestMetrics } from './testing.ts'

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
