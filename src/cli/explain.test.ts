/** The explanation of a figure on the command line would show SQL that does not give it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import { openEmptyMetrics } from '#metrics/testing.ts'
import { explanationLines, filledIn, readExplanation } from './explain.ts'

const ofStacks = { metric: 'tvl.total', entity: 'stacks' }

test('an explanation names figure, sources, others and revisions, and its SQL runs as it is printed', async () => {
  await using site = await openEmptyMetrics()
  await writeMadeFigures(site.warehouse, [
    { ...ofStacks, day: '2026-08-01', value: 90, source: 'defillama.tvl' },
    { ...ofStacks, day: '2026-08-02', value: 96, source: 'defillama.tvl' },
    { ...ofStacks, day: '2026-08-02', value: 100, source: 'defillama.tvl', later: 60 },
    { ...ofStacks, day: '2026-08-02', value: 80, source: 'defillama.tvl.recorded' },
  ])
  const found = await readExplanation(site.metrics, { id: 'tvl.total', entity: 'stacks' })
  const text = explanationLines(found).join('\n')
  for (const part of [
    'tvl.total of stacks: TVL, USD',
    '2026-08-02  100 USD  by defillama.tvl',
    '2026-08-01  90  whole, defillama.tvl',
    '80 by defillama.tvl.recorded, −20.00 %',
    '96 became 100, from defillama.tvl',
    'defillama.tvl: DefiLlama',
  ])
    assert.ok(text.includes(part), `${part} is not in:\n${text}`)

  assert.doesNotMatch(found.sql, /\{\w+:\w+\}/)
  const answer = await site.warehouse.guest.query({ query: found.sql, format: 'JSONEachRow' })
  const rows = await answer.json<{ day: string; value: number }>()
  assert.deepEqual(
    rows.map(({ day, value }) => [day, value]),
    [
      ['2026-08-01', 90],
      ['2026-08-02', 100],
    ],
  )

  const early = await readExplanation(site.metrics, { id: 'tvl.total', entity: 'stacks', day: '2026-08-01' })
  assert.deepEqual(
    early.series.points.map(({ day }) => day),
    ['2026-08-01'],
  )
  await assert.rejects(
    readExplanation(site.metrics, { id: 'tvl.total', entity: 'stacks', day: 'yesterday' }),
    {
      code: 'metrics.from',
    },
  )
  await assert.rejects(readExplanation(site.metrics, { id: 'tvl.total', entity: 'nowhere' }), {
    code: 'metrics.unknown_entity',
  })
})

test('a value never leaves its quotes', () => {
  assert.equal(
    filledIn('SELECT {entity:String}, {from:Date}, {other:String}', {
      entity: "x' OR 1 = 1 --",
      from: '2026-08-01',
    }),
    "SELECT 'x\\' OR 1 = 1 --', CAST('2026-08-01' AS Date), {other:String}",
  )
})
