/** The directory of layers would contradict the layer pages or show zero for unknown. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { observations } from '#warehouse/tables/observations.ts'
import type { LayerDirectory, LayerProfile, Problem } from './contract.ts'
import { directory, layerProfile } from './schemas/directory.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
/** TVL of a layer on a day, as a source reported it. */
const locked = (entity: string, day: string, value: number) => ({
  metric: 'tvl.total',
  entity,
  breakdown: '',
  day,
  amount: null,
  value,
  source: 'defillama.tvl',
  observedAt: Date.parse(`${day}T12:00:00Z`) / 1000,
})

before(async () => {
  site = await openTestSite()
  await site.warehouse.insertRows(observations, [
    locked('rootstock', '2026-01-30', 1_000_000.5),
    locked('rootstock', '2026-01-31', 2_000_000.25),
    locked('bob', '2026-01-31', 3_000_000),
  ])
})
after(() => site[Symbol.asyncDispose]())

const ask = async <Answer>(url: string): Promise<{ status: number; body: Answer }> => {
  const answer = await site.app.inject({ url })
  return { status: answer.statusCode, body: answer.json<Answer>() }
}

test('the list of layers and the page of each fit their schemas, and say the same', async () => {
  const { body: list } = await ask<LayerDirectory>('/api/v1/layers')
  directory.parse(list)
  assert.ok(list.items.length >= 63)
  for (const item of list.items) {
    const { status, body } = await ask<LayerProfile>(`/api/v1/layers/${item.slug}`)
    assert.equal(status, 200, item.slug)
    layerProfile.parse(body)
    for (const key of ['name', 'status', 'grades', 'figures'] as const)
      assert.deepEqual(body[key], item[key], `${item.slug} ${key}`)
  }
})

test('a layer tells how bitcoin gets in, whom to trust, and by which rule it is told on Bitcoin', async () => {
  const { body: stacks } = await ask<LayerProfile>('/api/v1/layers/stacks')
  assert.deepEqual(
    stacks.paths.map(({ direction, steps }) => [direction, steps[0]?.where, steps.at(-1)?.where]),
    [
      ['in', 'bitcoin', 'layer'],
      ['out', 'layer', 'layer'],
    ],
  )
  assert.equal(stacks.grades.finality, 'Low')
  assert.deepEqual(
    stacks.rules.map(({ tag }) => tag),
    ['ST', 'X2'],
  )
  assert.ok(stacks.tokens.some(({ id, claimOn }) => id === 'sbtc' && claimOn === 'btc'))
  assert.ok(stacks.incidents.some(({ protocol }) => protocol === 'ALEX'))
})

test('what nobody has checked is told as such', async () => {
  const { body: arkade } = await ask<LayerProfile>('/api/v1/layers/arkade')
  assert.ok(arkade.fromMemory.includes('bridge'))
  assert.ok(arkade.paths.every(({ origin }) => origin.isFromMemory))
  const { body: core } = await ask<LayerProfile>('/api/v1/layers/core')
  assert.equal(core.launch?.origin.isFromMemory, true)
})

test('a name that is no layer is a 404 with the nearest names; routes of EVM layers stay their own', async () => {
  const { status, body } = await ask<Problem>('/api/v1/layers/rotstock')
  assert.equal(status, 404)
  assert.equal(body.code, 'http.layer')
  assert.match(body.hint ?? '', /rootstock/)
  assert.equal((await ask('/api/v1/layers/Stacks')).status, 400)
  const { body: about } = await ask<{ id: string }>('/api/v1/rootstock/about')
  assert.equal(about.id, 'rootstock')
})

test('the newest figure of a layer is the newest point of its metric, with its day; none is null and never zero', async () => {
  const { body: list } = await ask<LayerDirectory>('/api/v1/layers')
  const tvlOf = (slug: string) => list.items.find(item => item.slug === slug)?.figures.tvl
  const { body: series } = await ask<{ points: { day: string; value: number }[] }>(
    '/api/v1/metrics/tvl.total?entity=rootstock',
  )
  const newest = series.points.at(-1)
  assert.deepEqual([tvlOf('rootstock')?.value, tvlOf('rootstock')?.day], [2_000_000.25, '2026-01-31'])
  assert.deepEqual([newest?.value, newest?.day], [2_000_000.25, '2026-01-31'])
  assert.equal(tvlOf('bob')?.value, 3_000_000)
  assert.equal(tvlOf('merlin'), null)
  const counted = list.items.filter(({ figures }) => figures.btc !== null)
  assert.equal(list.totals.covers, counted.length)
  assert.equal(
    list.totals.btcSat,
    counted.length === 0
      ? null
      : String(counted.reduce((sum, { figures }) => sum + BigInt(figures.btc?.value ?? 0), 0n)),
  )
})
