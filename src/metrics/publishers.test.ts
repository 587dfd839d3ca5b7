/** Figures would name the wrong source or compare different publishers. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { writeMadeFigures } from './market/testing.ts'
import { loadTreasuries } from './snapshot/loadTreasuries.ts'
import { openEmptyMetrics, type TestMetrics } from './testing.ts'
import { everyDay, insertBitcoinCloses, insertStatements, madeHolder } from './treasuries/made.testing.ts'

// A figure over parts of several publishers must name all of them, and a change of publisher is no growth.

const ONE = 'bitcoinlayers.supplies'
const RECORDED = 'bitcoinlayers.supplies.recorded'
const OTHER = 'explorers.recorded'

let site: TestMetrics
beforeEach(async () => {
  site = await openEmptyMetrics()
})
afterEach(() => site[Symbol.asyncDispose]())

const token = (day: string, key: string, amount: bigint, source: string) => ({
  metric: 'btc.by_token',
  entity: 'bob',
  day,
  key,
  amount,
  source,
})
const figure = (id: string, entity: string) => site.metrics.figure({ id, entity, changeRange: '7d' })
const pointsOf = async (id: string, entity: string, more: { from: string; to: string; grain?: 'week' }) =>
  (await site.metrics.series({ id, entity, ...more })).points
    .filter(({ value }) => value !== null)
    .map(({ day, key, value, source }) => [day, key, Number(value), source])

test('a sum names all publishers of its parts and compares the parts that one of them reports on both days', async () => {
  await writeMadeFigures(site.warehouse, [
    token('2026-08-01', 'a', 100n, RECORDED),
    token('2026-08-01', 'b', 10n, ONE),
    token('2026-08-08', 'a', 110n, ONE),
    token('2026-08-08', 'b', 20n, OTHER),
  ])
  for (const id of ['btc.by_token', 'btc.unique']) {
    const { point, change, changeOver } = await figure(id, 'bob')
    assert.deepEqual([Number(point?.value), point?.source], [130, `${ONE}, ${OTHER}`], id)
    assert.equal(change?.toFixed(6), '0.100000', id)
    assert.deepEqual([changeOver?.count, changeOver?.of], [1, 2], id)
  }
  const { sources, asOf } = await site.metrics.series({ id: 'btc.unique', entity: 'bob' })
  assert.deepEqual(sources.map(({ id }) => id).sort(), [ONE, RECORDED, OTHER])
  assert.notEqual(asOf.state, 'live')
})

test('what another publisher counts on the next day did not come in', async () => {
  await writeMadeFigures(
    site.warehouse,
    [
      token('2026-08-01', 'a', 100_000_000n, ONE),
      token('2026-08-02', 'a', 150_000_000n, RECORDED),
      token('2026-08-03', 'a', 900_000_000n, OTHER),
    ],
    ['2026-08-01', '2026-08-02', '2026-08-03'].map(day => ({
      asset: 'BTC',
      day,
      close: 100,
      source: 'btcusd.brk',
    })),
    { 'btcusd.brk': 1 },
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(await pointsOf('inflow.usd', 'bob', { from: '2026-08-01', to: '2026-08-03' }), [
    ['2026-08-02', 'a', 50, `${ONE}, ${RECORDED}`],
  ])
})

test('a ratio names the publishers of both parts and has no change where one of them is another', async () => {
  const day = (date: string, volume: number, source: string) => [
    { metric: 'tvl.total', entity: 'rootstock', day: date, value: 1000, source: 'defillama.tvl' },
    { metric: 'addresses.senders', entity: 'rootstock', day: date, amount: BigInt(volume), source },
  ]
  await writeMadeFigures(site.warehouse, [
    ...day('2026-07-25', 20, 'growthepie.metrics'),
    ...day('2026-08-01', 10, 'growthepie.metrics'),
    ...day('2026-08-08', 5, 'l2beat.activity'),
  ])
  const { point, change } = await figure('tvl.per_user', 'rootstock')
  assert.deepEqual([point?.value, point?.source, change], [200, 'defillama.tvl, l2beat.activity', null])
  const before = await site.metrics.figure({
    id: 'tvl.per_user',
    entity: 'rootstock',
    changeRange: '7d',
    to: '2026-08-01',
  })
  assert.deepEqual([before.point?.source, before.change], ['defillama.tvl, growthepie.metrics', 1])
})

test('a week that is summed over days of two publishers names both, and one that stands at its end names the last', async () => {
  const days = Array.from({ length: 7 }, (_, place) => `2026-08-0${place + 3}`)
  await writeMadeFigures(
    site.warehouse,
    days.flatMap((day, place) => [
      {
        metric: 'dex.volume',
        entity: 'rootstock',
        day,
        value: 10,
        source: place < 3 ? 'defillama.dexs.recorded' : 'defillama.dexs',
      },
      {
        metric: 'tvl.total',
        entity: 'rootstock',
        day,
        value: 10,
        source: place < 3 ? 'defillama.tvl.recorded' : 'defillama.tvl',
      },
    ]),
  )
  const week = { from: '2026-08-03', to: '2026-08-09', grain: 'week' } as const
  assert.deepEqual(await pointsOf('dex.volume', 'rootstock', week), [
    ['2026-08-03', '', 70, 'defillama.dexs, defillama.dexs.recorded'],
  ])
  assert.deepEqual(await pointsOf('tvl.total', 'rootstock', week), [['2026-08-03', '', 10, 'defillama.tvl']])
})

test('what treasuries hold names the sources of the newest statement of each holder, on days without one too', async () => {
  const { warehouse } = site
  await loadTreasuries(warehouse, {
    treasuries: [madeHolder({ id: 'made' }), madeHolder({ id: 'other', ticker: 'OTHER' })],
  })
  await insertBitcoinCloses(warehouse, everyDay('2026-01-01', 40, 100_000))
  await insertStatements(warehouse, [
    { entity: 'made', day: '2026-01-05', heldSat: 100n, source: 'made.filings' },
    { entity: 'other', day: '2026-01-07', heldSat: 40n, source: 'made.press', grade: 'D' },
    { entity: 'made', day: '2026-01-09', heldSat: 120n, source: 'made.announced' },
    { entity: 'other', day: '2026-01-12', heldSat: 30n, source: 'made.press', grade: 'D' },
  ])
  const range = { from: '2026-01-05', to: '2026-01-12' }
  const held = (await pointsOf('btc.held', 'bitcoin', range)).filter(([, key]) => key === 'company')
  assert.deepEqual(
    held.map(([day, , value, source]) => [day, value, source]),
    [
      ['2026-01-05', 100, 'made.filings'],
      ['2026-01-06', 100, 'made.filings'],
      ['2026-01-07', 140, 'made.filings, made.press'],
      ['2026-01-08', 140, 'made.filings, made.press'],
      ['2026-01-09', 160, 'made.announced, made.press'],
      ['2026-01-10', 160, 'made.announced, made.press'],
      ['2026-01-11', 160, 'made.announced, made.press'],
      ['2026-01-12', 150, 'made.announced, made.press'],
    ],
  )
  const share = (await pointsOf('supply.share', 'bitcoin', { from: '2026-01-10', to: '2026-01-10' }))[0]
  assert.equal(share?.[3], 'made.announced, made.press')
  const grades = await pointsOf('btc.by_evidence', 'bitcoin', { from: '2026-01-10', to: '2026-01-10' })
  assert.deepEqual(
    grades.filter(([, , value]) => value !== 0),
    [
      ['2026-01-10', 'B', 120, 'made.announced'],
      ['2026-01-10', 'D', 40, 'made.press'],
    ],
  )
})
