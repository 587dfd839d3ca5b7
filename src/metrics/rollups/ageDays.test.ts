/** Coin age, realized value and profit would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prices, sources } from '#warehouse/tables/observations.ts'
import { AGE_BANDS } from '#warehouse/tables/rollups.ts'
import { COIN, DAY_S, decide, type MadeBlock, type MadeTx, writeMadeChain } from '../madeChain.testing.ts'
import { openEmptyMetrics } from '../testing.ts'

/** A hundred days of six blocks from 2020-01-20 on: several months end in them, none with the first or the last day. */
const START = Date.UTC(2020, 0, 20) / 1000
const DAYS = 80
const A_DAY = 6
const dayOf = (n: number) => new Date((START + n * DAY_S) * 1000).toISOString().slice(0, 10)
const heightDay = (height: number) => Math.floor(height / A_DAY)

/** Coins wait 1 to 97 blocks, or for ever; a third of the blocks has a payment. */
const isSpentAt = (made: number): number | undefined => {
  const wait = 1 + ((made * 37) % 97)
  return made % 3 === 0 && made > 0 ? made + wait : undefined
}
const spentIn = (height: number, last: number): number[] =>
  Array.from({ length: Math.min(height, last) }, (_, made) => made).filter(made => isSpentAt(made) === height)

function blocksOf(count: number): MadeBlock[] {
  return Array.from({ length: count }, (_, height) => {
    const payments = spentIn(height, count).map(
      (made): MadeTx => ({
        name: `payment of ${made}`,
        spends: [[`coinbase ${made}`, 0]],
        outputs: [{ to: `ann ${made}`, sat: 50n * COIN }],
      }),
    )
    const coinbase: MadeTx = {
      name: `coinbase ${height}`,
      outputs: [{ to: `miner ${height}`, sat: 50n * COIN }],
    }
    return { timeS: START + (height * DAY_S) / A_DAY, txs: [coinbase, ...payments] }
  })
}

const closeOf = (n: number): number => 100 + ((n * 53) % 41)

/** Coins unspent at the end of a day by the day they were made, told from the rules above. */
function unspentAt(day: number): Map<number, bigint> {
  const coins = new Map<number, bigint>()
  const add = (made: number, sat: bigint) => coins.set(made, (coins.get(made) ?? 0n) + sat)
  for (let height = 1; heightDay(height) <= day; height++) {
    const spent = isSpentAt(height)
    if (spent === undefined || heightDay(spent) > day) add(heightDay(height), 50n * COIN)
    else add(heightDay(spent), 50n * COIN)
  }
  return coins
}

let site: Awaited<ReturnType<typeof openEmptyMetrics>>
before(async () => {
  site = await openEmptyMetrics()
  await site.warehouse.insertRows(sources, [
    {
      id: 'made',
      name: 'made',
      url: '',
      licence: '',
      rank: 10n,
      cadenceSeconds: null,
      recordedAt: START,
      about: '',
    },
  ])
  await setPrices(Array.from({ length: DAYS }, (_, n) => n))
  await writeMadeChain(site.warehouse, blocksOf(DAYS * A_DAY))
  await site.metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())

const setPrices = (days: readonly number[], factor = 1, observedAt = START) =>
  site.warehouse.insertRows(
    prices,
    days.map(n => ({
      asset: 'BTC',
      quote: 'USD',
      day: dayOf(n),
      open: null,
      high: null,
      low: null,
      close: closeOf(n) * factor,
      source: 'made',
      observedAt,
    })),
  )

const series = async (id: string) => (await site.metrics.series({ id, entity: 'bitcoin' })).points
const sumOf = (coins: Map<number, bigint>, weight: (made: number) => number = () => 1): number =>
  [...coins].reduce((sum, [made, sat]) => sum + Number(sat) * weight(made), 0)
const near = (value: unknown, expected: number, what: string) =>
  assert.ok(
    Math.abs(Number(value) - expected) <= 1e-9 * Math.abs(expected),
    `${what}: ${value}, not ${expected}`,
  )

test('ages, realised value and profit of every day follow from the coins that are left', async () => {
  const [ages, realised, profit, supply] = await Promise.all(
    ['utxo.age_bands', 'cap.realised', 'supply.in_profit', 'supply.spendable'].map(series),
  )
  assert.equal(realised!.length, DAYS)
  for (let day = 0; day < DAYS; day++) {
    const coins = unspentAt(day)
    const name = dayOf(day)
    const of = (points: typeof ages, key = '') =>
      points!.find(point => point.day === name && point.key === key)?.value
    for (const [i, band] of AGE_BANDS.entries()) {
      const most = AGE_BANDS[i + 1]?.least ?? Number.POSITIVE_INFINITY
      const expected = sumOf(coins, made => (day - made >= band.least && day - made < most ? 1 : 0))
      assert.equal(of(ages, band.name), expected, `${name} ${band.name}`)
    }
    assert.equal(of(supply), sumOf(coins), name)
    near(
      of(realised),
      sumOf(coins, made => closeOf(made) / 1e8),
      `realised ${name}`,
    )
    near(
      of(profit),
      sumOf(coins, made => (closeOf(made) < closeOf(day) ? 1 : 0)) / sumOf(coins),
      `in profit ${name}`,
    )
  }
})

test('a month that is over is kept by the day its coins were made, and none that is not', async () => {
  const result = await site.warehouse.reader.query({
    query:
      'SELECT bucket, toFloat64(sum(value_sat)) AS sat FROM btc_cohort_months GROUP BY bucket ORDER BY bucket',
    format: 'JSONEachRow',
  })
  assert.deepEqual(
    await result.json(),
    ['2020-01-31', '2020-02-29', '2020-03-31'].map(end => ({
      bucket: `${end.slice(0, 8)}01`,
      sat: sumOf(unspentAt((Date.parse(end) / 1000 - START) / DAY_S)),
    })),
  )
})

const prints = () =>
  Promise.all(
    ['btc_band_days', 'btc_cohort_months', 'btc_age_days'].map(async table => {
      const result = await site.warehouse.reader.query({
        query: `SELECT count() AS rows, groupBitXor(cityHash64(*)) AS print FROM ${table}`,
        format: 'JSONEachRow',
      })
      return result.json()
    }),
  )

test('a revised price changes what rests on it from its day on, and back', async () => {
  const before = await prints()
  const buckets = async () => (await site.metrics.refreshRollups()).buckets
  await setPrices([60], 2, START + 1)
  assert.equal(await buckets(), DAYS - 60)
  assert.notDeepEqual(await prints(), before)
  await setPrices([60], 1, START + 2)
  assert.equal(await buckets(), DAYS - 60)
  assert.deepEqual(await prints(), before)
})

test('a reorg across the end of a month leaves what a clean run gives', async () => {
  const before = await prints()
  const cut = 40 * A_DAY
  await decide(site.warehouse, 1, false, 0, DAYS * A_DAY - 1)
  await writeMadeChain(site.warehouse, blocksOf(cut), 2)
  await site.metrics.refreshRollups()
  assert.equal((await series('cap.realised')).length, 40)
  await decide(site.warehouse, 2, false, 0, cut - 1)
  await writeMadeChain(site.warehouse, blocksOf(DAYS * A_DAY), 3)
  await site.metrics.refreshRollups()
  assert.deepEqual(await prints(), before)
})
