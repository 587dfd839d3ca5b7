/** Bitcoin’s realized cap, SOPR or MVRV would be wrong in rare cases of the chain. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseCsv } from '#sources/csv.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { observations, prices, sources } from '#warehouse/tables/observations.ts'
import { COIN, DAY_S, type MadeTx, writeMadeChain } from './madeChain.testing.ts'
import { chain, coinbase, dayOf, START, series, site, source, values } from './sharedMadeChain.testing.ts'

const near = (value: unknown, expected: number) =>
  assert.ok(Math.abs(Number(value) - expected) <= 1e-12 * Math.abs(expected), `${value} is not ${expected}`)

async function setPrices(closes: Record<string, number>): Promise<void> {
  await site.warehouse.insertRows(sources, [source('made.prices', 10n)])
  await site.warehouse.insertRows(
    prices,
    Object.entries(closes).map(([day, close]) => ({
      asset: 'BTC',
      quote: 'USD',
      day,
      open: null,
      high: null,
      low: null,
      close,
      source: 'made.prices',
      observedAt: START,
    })),
  )
}

test('an amount in US dollars names the source of its price, and only where it has one', async () => {
  await writeMadeChain(site.warehouse, chain(3))
  await site.warehouse.insertRows(
    sources,
    ['btcusd.brk', 'btcusd.typedcypher'].map((id, index) => source(id, BigInt(10 + index))),
  )
  const close = (day: string, id: string) => ({
    ...{ asset: 'BTC', quote: 'USD', day, open: null, high: null, low: null, close: 7000 },
    ...{ source: id, observedAt: START },
  })
  await site.warehouse.insertRows(prices, [
    close(dayOf(0), 'btcusd.brk'),
    close(dayOf(1), 'btcusd.brk'),
    close(dayOf(1), 'btcusd.typedcypher'),
    close(dayOf(9), 'btcusd.typedcypher'),
  ])
  await site.metrics.refreshRollups()
  const sourcesOf = async (unit?: 'usd', id = 'miners.revenue') =>
    (await series(id, { ...(unit && { unit }), to: dayOf(1) })).sources.map(({ id }) => id).sort()
  assert.deepEqual(await sourcesOf(), ['bitcoin.chain'])
  assert.deepEqual(await sourcesOf('usd'), ['bitcoin.chain', 'btcusd.brk'])
  // Its own statement values it.
  assert.deepEqual(await sourcesOf(undefined, 'cap.market'), ['bitcoin.chain', 'btcusd.brk'])
})

/** 10 BTC made at 10 USD, 1 at 500, 2 at 20,000, all spent at 7,500. */
const soprChain = () =>
  chain(5, height => {
    const paid = (name: string, btc: bigint): MadeTx => ({
      name,
      spends: [[`coinbase ${height - 1}`, 0]],
      outputs: [{ to: name, sat: btc * COIN }],
    })
    switch (height) {
      case 5:
        return [coinbase(5), paid('cheap', 10n)]
      case 17:
        return [coinbase(17), paid('middle', 1n)]
      case 29:
        return [coinbase(29), paid('dear', 2n)]
      case 41:
        return [
          coinbase(41),
          {
            name: 'sale',
            spends: [
              ['cheap', 0],
              ['middle', 0],
              ['dear', 0],
            ],
            outputs: [{ to: 'buyer', sat: 13n * COIN }],
          },
        ]
      default:
        return undefined
    }
  })

test('SOPR of the worked example of Coin Metrics is 97,500 ÷ 40,600', async () => {
  await setPrices({ [dayOf(0)]: 10, [dayOf(1)]: 500, [dayOf(2)]: 20_000, [dayOf(3)]: 7_500 })
  await writeMadeChain(site.warehouse, soprChain())
  await site.metrics.refreshRollups()
  const { points } = await series('cap.sopr', { from: dayOf(3), to: dayOf(3) })
  near(points[0]?.value, 2.4014778325123154)
  near(
    (await series('cap.sopr_adjusted', { from: dayOf(3), to: dayOf(3) })).points[0]?.value,
    2.4014778325123154,
  )
})

test('SOPR adjusted leaves out what was spent within an hour', async () => {
  await setPrices({ [dayOf(0)]: 10, [dayOf(1)]: 20 })
  const blocks = chain(3, height => {
    if (height === 11)
      return [
        coinbase(11),
        { name: 'hop', spends: [['coinbase 3', 0]], outputs: [{ to: 'a', sat: 50n * COIN }] },
      ]
    if (height === 12)
      return [coinbase(12), { name: 'hop on', spends: [['hop', 0]], outputs: [{ to: 'b', sat: 50n * COIN }] }]
    return undefined
  }).map((block, height) => (height === 11 ? { ...block, timeS: START + DAY_S - 60 } : block))
  await writeMadeChain(site.warehouse, blocks)
  await site.metrics.refreshRollups()
  const range = { from: dayOf(1), to: dayOf(1) }
  near((await series('cap.sopr', range)).points[0]?.value, 2)
  assert.equal((await series('cap.sopr_adjusted', range)).points[0]?.value, null)
})

test('the realised cap ends where a close is missing: coins of that day did not cost nothing', async () => {
  await setPrices({ [dayOf(0)]: 10, [dayOf(1)]: 500, [dayOf(3)]: 7_500 })
  await writeMadeChain(site.warehouse, soprChain())
  await site.metrics.refreshRollups()
  for (const id of ['cap.realised', 'cap.realised_price'])
    assert.deepEqual(
      (await values(id)).slice(0, 4).map(value => value !== null),
      [true, true, false, false],
      id,
    )
  for (const id of ['cap.mvrv', 'supply.in_profit'])
    assert.equal((await series(id)).points.find(({ day }) => day === dayOf(3))?.value, null, id)
})

test('the realised cap prices each coin at the day it last moved, and MVRV, NUPL follow', async () => {
  await setPrices({ [dayOf(0)]: 10, [dayOf(1)]: 500, [dayOf(2)]: 20_000, [dayOf(3)]: 7_500 })
  await writeMadeChain(site.warehouse, soprChain())
  await site.metrics.refreshRollups()
  // Made: day 0 eleven coinbases less one spent plus 10; day 1 and 2 twelve less one plus 1 and 2.
  const first = (10 * 50 + 10) * 10
  const second = first + (11 * 50 + 1) * 500
  const third = second + (11 * 50 + 2) * 20_000
  const fourth = third - (10 * 10 + 500 + 2 * 20_000) + (12 * 50 + 13) * 7_500
  const realised = (await series('cap.realised')).points.slice(0, 4).map(({ value }) => value)
  assert.equal(realised.length, 4)
  for (const [i, expected] of [first, second, third, fourth].entries()) near(realised[i], expected)
  const supply = 510 + 551 + 552 + 600
  const at = { from: dayOf(3), to: dayOf(3) }
  near((await series('cap.market', at)).points[0]?.value, supply * 7_500)
  near((await series('cap.mvrv', at)).points[0]?.value, (supply * 7_500) / fourth)
  near((await series('cap.nupl', at)).points[0]?.value, 1 - fourth / (supply * 7_500))
  near((await series('cap.realised_price', at)).points[0]?.value, fourth / supply)
  // In profit: made at 10 or 500, less what was sold.
  near((await series('supply.in_profit', at)).points[0]?.value, (500 + 550) / supply)
  const bands = (await series('cap.realised_bands', at)).points
  near(
    bands.reduce((sum, { value }) => sum + Number(value), 0),
    fourth,
  )
})

test('coins grow into older bands as days go by', async () => {
  await writeMadeChain(site.warehouse, chain(40))
  await site.metrics.refreshRollups()
  const { points } = await series('utxo.age_bands', { from: dayOf(38), to: dayOf(38) })
  const btc = new Map(points.map(({ key, value }) => [key, Number(value) / 1e8]))
  const perDay = 12 * 50
  assert.equal(btc.get('<1d'), perDay)
  assert.equal(btc.get('1d-1w'), 6 * perDay)
  assert.equal(btc.get('1w-1m'), 23 * perDay)
  assert.equal(btc.get('1m-3m'), 9 * perDay - 50)
  assert.equal(btc.get('>10y'), 0)
})

test(
  'MVRV Z-score and NUPL of 2021-04-13 come out of the caps of Coin Metrics',
  skipWithoutShared,
  async () => {
    const rows = parseCsv(
      readFileSync(shared('data/bitcoin/series/valuation-daily.csv'), 'utf8'),
      ['date', 'market_cap_usd', 'mvrv'],
      'valuation',
    )
    await site.warehouse.insertRows(sources, [source('test.caps', 90n)])
    const observed = (metric: string, day: string, value: number) => ({
      metric,
      entity: 'bitcoin',
      breakdown: '',
      day,
      amount: null,
      value,
      source: 'test.caps',
      observedAt: START,
    })
    await site.warehouse.insertRows(
      observations,
      rows.flatMap(row => {
        const market = Number(row.market_cap_usd)
        return [
          observed('cap.market', row.date, market),
          observed('cap.realised', row.date, market / Number(row.mvrv)),
        ]
      }),
    )
    const at = { from: '2021-04-13', to: '2021-04-13' }
    near((await series('cap.mvrv_z', at)).points[0]?.value, 5.378129580844353)
    near((await series('cap.nupl', at)).points[0]?.value, 0.7088394132579606)
  },
)
