/** Bitcoin supply, rewards and prices would be wrong in rare cases of the chain. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, test } from 'node:test'
import { parseCsv } from '#sources/csv.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { BASE_DATABASE, schemaOf } from '#warehouse/index.ts'
import { observations, prices, sources } from '#warehouse/tables/observations.ts'
import { truncateTables } from '#warehouse/testing.ts'
import { COIN, DAY_S, decide, type MadeBlock, type MadeTx, writeMadeChain } from './madeChain.testing.ts'
import { openEmptyMetrics } from './testing.ts'

let site: Awaited<ReturnType<typeof openEmptyMetrics>>
before(async () => {
  site = await openEmptyMetrics()
})
after(() => site[Symbol.asyncDispose]())
const TABLES = schemaOf({ evm: [], stacksApps: [] }).tables.map(({ name }) => name)
beforeEach(() => truncateTables(site.warehouse, TABLES))

const START = Date.UTC(2020, 0, 1) / 1000
const dayOf = (n: number) => new Date((START + n * DAY_S) * 1000).toISOString().slice(0, 10)

const coinbase = (height: number, sat = 50n * COIN, name = `coinbase ${height}`): MadeTx => ({
  name,
  outputs: [{ to: `miner ${height}`, sat }],
})

/** Twelve blocks a day from 2020-01-01 on, so that medians close each day but the last; `change` replaces transactions. */
function chain(
  days: number,
  change: (height: number) => readonly MadeTx[] | undefined = () => undefined,
): MadeBlock[] {
  return Array.from({ length: days * 12 }, (_, height) => ({
    timeS: START + height * 7200,
    txs: change(height) ?? [coinbase(height)],
  }))
}

const series = async (id: string, more: { from?: string; to?: string; grain?: string; unit?: 'usd' } = {}) =>
  site.metrics.series({ id, entity: 'bitcoin', ...more })
const values = async (id: string) => (await series(id)).points.map(({ value }) => value)
const near = (value: unknown, expected: number) =>
  assert.ok(Math.abs(Number(value) - expected) <= 1e-12 * Math.abs(expected), `${value} is not ${expected}`)

const source = (id: string, rank: bigint) => ({
  id,
  name: id,
  url: '',
  licence: '',
  rank,
  cadenceSeconds: null,
  recordedAt: START,
  about: '',
})

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

test('a figure over a week names the sources of all its days', async () => {
  await writeMadeChain(site.warehouse, chain(5))
  // From the sixth day on only a node's statistics tell of the blocks; of the ninth both do.
  await site.warehouse.writer.command({
    query: `INSERT INTO base.btc_block_stats (height, hash, block_time, median_time, tx_count, subsidy_sat)
SELECT number + 60, unhex(leftPad(hex(number + 60), 64, 'a')), ${START} + (number + 60) * 7200, ${START} + (number + 55) * 7200, 1, 5000000000
FROM numbers(84)`,
  })
  await site.warehouse.writer.command({
    query: `INSERT INTO base.btc_difficulty_epochs (epoch, bits, source) VALUES (0, ${0x1d00ffff}, 'electrum.checkpoints')`,
  })
  await writeMadeChain(site.warehouse, chain(9).slice(100), 2, 100)
  await site.metrics.refreshRollups()
  const { points } = await series('miners.hashrate')
  const sourceOf = (n: number, window: string) =>
    points.find(({ day, key }) => day === dayOf(n) && key === window)?.source
  const both = 'bitcoin.chain, bitcoin.getblockstats'
  assert.deepEqual(
    [4, 5, 8].map(n => sourceOf(n, '1d')),
    ['bitcoin.chain', 'bitcoin.getblockstats', both],
  )
  assert.deepEqual(
    [6, 7].map(n => sourceOf(n, '7d')),
    [both, both],
  )
})

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

test('a reward that a miner leaves unclaimed is scheduled, and neither issued nor spendable', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(2, height => (height === 5 ? [coinbase(5, 20n * COIN)] : undefined)),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(
    await values('supply.unclaimed'),
    [30, 30].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('supply.scheduled'),
    [600, 1200].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('supply.issued'),
    [570, 1170].map(btc => btc * 1e8),
  )
  // Genesis is issued and can never be spent.
  assert.deepEqual(
    await values('supply.unspendable'),
    [50, 50].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('supply.spendable'),
    [520, 1120].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('miners.subsidy_claimed'),
    [570, 600].map(btc => btc * 1e8),
  )
})

test('a coinbase that repeats an unspent one destroys it', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(2, height => (height === 15 ? [coinbase(15, 50n * COIN, 'coinbase 3')] : undefined)),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(
    await values('supply.unspendable'),
    [50, 100].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('supply.spendable'),
    [550, 1100].map(btc => btc * 1e8),
  )
  assert.deepEqual(await values('utxo.count'), [11, 22])
  const issued = await values('supply.issued')
  const unspendable = await values('supply.unspendable')
  assert.deepEqual(
    await values('supply.spendable'),
    issued.map((value, i) => Number(value) - Number(unspendable[i])),
  )
  const funded = (await series('addresses.funded')).points.filter(({ key }) => key === '>0')
  assert.deepEqual(
    funded.map(({ value }) => value),
    [11, 22],
  )
})

test('a coinbase that repeats a spent one destroys nothing', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(2, height => {
      if (height === 6) {
        return [
          coinbase(6),
          { name: 'payment', spends: [['coinbase 3', 0]], outputs: [{ to: 'ann', sat: 50n * COIN }] },
        ]
      }
      return height === 15 ? [coinbase(15, 50n * COIN, 'coinbase 3')] : undefined
    }),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(
    await values('supply.unspendable'),
    [50, 50].map(btc => btc * 1e8),
  )
  assert.deepEqual(await values('utxo.count'), [11, 23])
})

test('values of OP_RETURN outputs are issued and not spendable', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(1, height =>
      height === 4
        ? [
            coinbase(4),
            {
              name: 'burn',
              spends: [['coinbase 2', 0]],
              outputs: [{ to: '', sat: 50n * COIN, isOpReturn: true }],
            },
          ]
        : undefined,
    ),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(await values('supply.unspendable'), [100e8])
  assert.deepEqual(await values('utxo.count'), [10])
})

test('change to a script among the inputs is no adjusted transfer; change to a fresh one is', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(1, height =>
      height === 4
        ? [
            coinbase(4, 51n * COIN),
            {
              name: 'payment',
              spends: [['coinbase 2', 0]],
              outputs: [
                { to: 'ann', sat: 10n * COIN },
                { to: 'miner 2', sat: 39n * COIN },
              ],
            },
          ]
        : undefined,
    ),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(await values('value.transferred'), [49e8])
  assert.deepEqual(await values('value.transferred_adjusted'), [10e8])
  assert.deepEqual(await values('fees.total'), [1e8])
  assert.deepEqual(await values('tx.batching'), [2])
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

test('a reorg leaves nothing of the orphaned branch in any rollup', async () => {
  const spent = (height: number) =>
    height === 30
      ? [
          coinbase(30),
          { name: 'lost', spends: [['coinbase 20', 0]] as const, outputs: [{ to: 'ann', sat: 50n * COIN }] },
        ]
      : undefined
  const blocks = chain(4, spent)
  const kept = chain(4)
  await writeMadeChain(site.warehouse, blocks.slice(0, 24), 1, 0)
  await writeMadeChain(
    site.warehouse,
    chain(4)
      .slice(24)
      .map((block, i) => ({ ...block, timeS: block.timeS + i })),
    2,
    24,
  )
  await site.metrics.refreshRollups()
  await decide(site.warehouse, 2, false, 24, 47)
  await site.metrics.refreshRollups()
  assert.deepEqual(await values('blocks.count'), [12, 12])
  await writeMadeChain(site.warehouse, kept.slice(24), 3, 24)
  await site.metrics.refreshRollups()
  const after = await Promise.all(
    ['blocks.count', 'utxo.count', 'supply.spendable', 'addresses.new', 'coin.days_destroyed'].map(values),
  )
  for (const { name } of schemaOf({ evm: [], stacksApps: [] }).tables) {
    await site.warehouse.writer.command({ query: `TRUNCATE TABLE ${BASE_DATABASE}.${name}` })
  }
  await writeMadeChain(site.warehouse, kept)
  await site.metrics.refreshRollups()
  assert.deepEqual(
    await Promise.all(
      ['blocks.count', 'utxo.count', 'supply.spendable', 'addresses.new', 'coin.days_destroyed'].map(values),
    ),
    after,
  )
})

test('a missing block makes its days incomplete, and running sums end before it', async () => {
  const blocks = chain(5)
  await writeMadeChain(site.warehouse, blocks.slice(0, 30), 1, 0)
  await writeMadeChain(site.warehouse, blocks.slice(31), 2, 31)
  await site.metrics.refreshRollups()
  const { points, heights } = await series('blocks.count')
  assert.deepEqual(
    points.map(({ value, state }) => [value, state]),
    [
      [12, 'whole'],
      [12, 'whole'],
      [11, 'incomplete'],
      [12, 'incomplete'],
      [12, 'incomplete'],
    ],
  )
  assert.deepEqual(heights, [
    { from: 0, to: 29 },
    { from: 31, to: 59 },
  ])
  assert.equal((await series('utxo.count')).points.length, 3)
})

test('a week is whole only when its seven days are', async () => {
  await writeMadeChain(site.warehouse, chain(14))
  await site.metrics.refreshRollups()
  const { points } = await series('blocks.count', { grain: 'week' })
  // 2020-01-01 is a Wednesday.
  assert.deepEqual(
    points.map(({ day, value, state }) => [day, value, state]),
    [
      ['2019-12-30', 60, 'incomplete'],
      ['2020-01-06', 84, 'whole'],
      ['2020-01-13', 24, 'incomplete'],
    ],
  )
})

test('a figure that its source restates stays beside the new one', async () => {
  const observed = (amount: bigint, observedAt: number) => ({
    metric: 'fees.total',
    entity: 'bitcoin',
    breakdown: '',
    day: '2020-01-01',
    amount,
    value: null,
    source: 'blockchain.com',
    observedAt,
  })
  await site.warehouse.insertRows(sources, [source('blockchain.com', 30n)])
  await site.warehouse.insertRows(observations, [observed(100n, START)])
  await site.warehouse.insertRows(observations, [
    observed(120n, START + DAY_S),
    observed(120n, START + 2 * DAY_S),
  ])
  const { points, restatements } = await series('fees.total')
  assert.deepEqual(
    points.map(({ value, source: from }) => [value, from]),
    [[120, 'blockchain.com']],
  )
  assert.deepEqual(restatements, [
    {
      day: '2020-01-01',
      key: '',
      oldValue: 100,
      newValue: 120,
      source: 'blockchain.com',
      observedAt: '2020-01-02T00:00:00Z',
    },
  ])
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
