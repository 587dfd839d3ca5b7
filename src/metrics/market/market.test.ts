import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { ask } from '../ask.ts'
import { openEmptyMetrics } from '../testing.ts'
import { marketMetrics } from './index.ts'
import { writeMadeFigures } from './testing.ts'

let site: Awaited<ReturnType<typeof openEmptyMetrics>>
before(async () => {
  site = await openEmptyMetrics()
  await writeMadeFigures(
    site.warehouse,
    [
      { metric: 'tvl.total', entity: 'stacks', day: '2026-08-01', value: 90, source: 'defillama.tvl' },
      {
        metric: 'tvl.total',
        entity: 'stacks',
        day: '2026-08-01',
        value: 95,
        source: 'defillama.tvl',
        later: 60,
      },
      {
        metric: 'tvl.total',
        entity: 'stacks',
        day: '2026-08-01',
        value: 80,
        source: 'defillama.tvl.recorded',
      },
      { metric: 'tvl.total', entity: 'zest', day: '2026-08-01', value: 40, source: 'defillama.protocols' },
      {
        metric: 'tvl.by_protocol',
        entity: 'stacks',
        day: '2026-08-01',
        key: 'zest',
        value: 40,
        source: 'defillama.protocols',
      },
      {
        metric: 'tvl.by_protocol',
        entity: 'stacks',
        day: '2026-08-01',
        key: 'bitflow',
        value: 20,
        source: 'defillama.protocols',
      },
      {
        metric: 'btc.bridged',
        entity: 'bob',
        day: '2026-08-01',
        amount: 97_400_000_000n,
        source: 'bitcoinlayers.supplies',
      },
      { metric: 'token.price', entity: 'stx', day: '2026-08-02', value: 0.5, source: 'coingecko.markets' },
      {
        metric: 'risk.custody',
        entity: 'stacks',
        day: '2025-10-05',
        value: 4,
        source: 'bitcoinlayers.assessments',
      },
      {
        metric: 'risk.data',
        entity: 'stacks',
        day: '2025-10-05',
        value: 2,
        source: 'bitcoinlayers.assessments',
      },
      {
        metric: 'risk.custody',
        entity: 'stacks',
        day: '2026-02-01',
        value: 3,
        source: 'bitcoinlayers.assessments',
      },
      {
        metric: 'risk.data',
        entity: 'stacks',
        day: '2026-02-01',
        value: 2,
        source: 'bitcoinlayers.assessments',
      },
    ],
    [
      { asset: 'STX', day: '2026-08-01', close: 0.4, quote: 'USDT', source: 'stxusdt.bybit' },
      { asset: 'STX', day: '2026-08-02', close: 0.51, quote: 'USDT', source: 'stxusdt.bybit' },
      { asset: 'STX', day: '2026-08-03', close: 0.6, quote: 'USDT', source: 'stxusdt.bybit' },
      { asset: 'STX', day: '2026-08-03', close: 0.5, source: 'defillama.coins' },
    ],
    { 'coingecko.markets': 10, 'defillama.coins': 11, 'stxusdt.bybit': 20 },
  )
})
after(() => site[Symbol.asyncDispose]())

const pointsOf = async (id: string, entity: string) =>
  (await site.metrics.series({ id, entity })).points.map(({ day, key, value, state, source }) => ({
    day,
    key,
    value,
    state,
    source,
  }))

test('every statement of publishers runs for two of its entities, with and without figures', async () => {
  for (const { id, sql, parameters, entities, sources } of marketMetrics(await testCatalog()))
    for (const entity of new Set([entities[0]!, entities.includes('stacks') ? 'stacks' : entities.at(-1)!])) {
      const values = Object.fromEntries(
        parameters.map(({ name, default: value }) => [name, name === 'entity' ? entity : value]),
      )
      const rows = await ask<Record<string, unknown>>(site.warehouse.guest, sql, values)
      for (const row of rows) assert.ok(sources.includes(String(row.source)), `${id}@${entity}`)
      const keys = rows.map(({ day, key }) => `${day} ${key}`)
      assert.equal(new Set(keys).size, keys.length, `${id}@${entity} has a day twice`)
    }
})

test('the newest word of the publisher that is trusted most wins a day, and the others stand beside it', async () => {
  const found = await site.metrics.series({ id: 'tvl.total', entity: 'stacks' })
  assert.deepEqual(
    found.points.map(({ value, source }) => [value, source]),
    [[95, 'defillama.tvl']],
  )
  assert.deepEqual(found.differences, [
    { day: '2026-08-01', key: '', source: 'defillama.tvl.recorded', value: 80, chosen: 95 },
  ])
  assert.deepEqual(
    found.restatements.map(({ oldValue, newValue, source }) => [oldValue, newValue, source]),
    [[90, 95, 'defillama.tvl']],
  )
})

test('one id is a figure of layers and of protocols, each by its own statement', async () => {
  assert.equal((await pointsOf('tvl.total', 'zest'))[0]?.value, 40)
  const figure = await site.metrics.figure({ id: 'tvl.by_protocol', entity: 'stacks', changeRange: '30d' })
  assert.equal(figure.point?.value, 60)
  assert.equal((await pointsOf('btc.bridged', 'bob'))[0]?.value, 97_400_000_000)
})

test('a day on which two publishers’ prices differ by more than 5 % has no sure price', async () => {
  assert.deepEqual(
    (await pointsOf('token.price', 'stx')).map(({ day, value, state, source }) => [
      day,
      value,
      state,
      source,
    ]),
    [
      ['2026-08-01', 0.4, 'whole', 'stxusdt.bybit'],
      ['2026-08-02', 0.5, 'whole', 'coingecko.markets'],
      ['2026-08-03', 0.5, 'incomplete', 'defillama.coins'],
    ],
  )
  const spread = await pointsOf('price.spread', 'stx')
  assert.deepEqual(
    spread.map(({ day }) => day),
    ['2026-08-02', '2026-08-03'],
  )
  assert.ok(Math.abs(Number(spread[0]?.value) - 0.02) < 1e-12)
  assert.ok(Math.abs(Number(spread[1]?.value) - 0.2) < 1e-12)
})

test('an assessment counts the grades that it changed', async () => {
  assert.deepEqual(
    (await pointsOf('risk.changed_at', 'stacks')).map(({ day, value }) => [day, value]),
    [
      ['2025-10-05', 2],
      ['2026-02-01', 1],
    ],
  )
  assert.equal((await pointsOf('risk.custody', 'stacks')).at(-1)?.value, 3)
})
