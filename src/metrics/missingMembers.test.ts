import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeMadeFigures } from './market/testing.ts'
import { missingOn, wholeSum } from './missingMembers.ts'
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
  assert.deepEqual(missingOn('2026-08-04', rows, 30), ['zest'])
  assert.deepEqual(missingOn('2026-08-03', rows, 30), [])
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
})
