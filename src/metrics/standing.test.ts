/** The same request would get different figures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { observations, sources } from '#warehouse/tables/observations.ts'
import { openEmptyMetrics } from './testing.ts'

const SEEN_S = Date.UTC(2026, 0, 1) / 1000
const QUESTION = { id: 'mempool.count', entity: 'bitcoin', from: '2025-12-01', to: '2025-12-31' }

let site: Awaited<ReturnType<typeof openEmptyMetrics>>
before(async () => {
  site = await openEmptyMetrics()
  await site.warehouse.insertRows(sources, [
    {
      id: 'made.up',
      name: 'made.up',
      url: '',
      licence: '',
      rank: 10n,
      cadenceSeconds: null,
      recordedAt: SEEN_S,
      about: '',
    },
  ])
})
after(() => site[Symbol.asyncDispose]())

const observe = (amount: bigint, observedAt: number) =>
  site.warehouse.insertRows(observations, [
    {
      metric: QUESTION.id,
      entity: QUESTION.entity,
      breakdown: '',
      day: '2025-12-24',
      amount,
      value: null,
      source: 'made.up',
      observedAt,
    },
  ])

test('an answer is the same whether its standing is read or handed in', async () => {
  await observe(1000n, SEEN_S)
  const standing = await site.metrics.standing()
  assert.equal(standing.revised.size, 0)
  assert.deepEqual(
    await site.metrics.series(QUESTION, undefined, standing),
    await site.metrics.series(QUESTION),
  )
})

test('a figure that its source gave twice is restated in answers of the next standing', async () => {
  await observe(1001n, SEEN_S + 60)
  const standing = await site.metrics.standing()
  assert.deepEqual([...standing.revised], ['mempool.count bitcoin'])
  const { restatements } = await site.metrics.series(QUESTION, undefined, standing)
  assert.deepEqual(
    restatements.map(({ day, oldValue, newValue }) => [day, oldValue, newValue]),
    [['2025-12-24', 1000, 1001]],
  )
})
