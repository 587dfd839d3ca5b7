/** TVL and token prices from pools would be wrong or easy to manipulate. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { STACKS_TABLES } from '#explorer/stacks/tables/index.ts'
import { observations, prices } from '#warehouse/tables/observations.ts'
import { finePegSql } from '../apps/pegs.ts'
import { ask } from '../ask.ts'
import { decideStacks, type MadeStacksBlock, writeMadeStacks } from '../madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'
import { ALEX_POOLS, alexPool, BITFLOW_POOL, bitflowPool, SBTC, velarPool, WELSH } from './madeDex.testing.ts'

const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const BOB = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
/** A token that anyone made, and calls a dollar. */
const LIAR = `${BOB}.usd-coin`
const LIARS_POOL = 'SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.univ2-pool-v1_0_0-0099'
/** A token whose decimals the catalogue knows, in a pool that holds too little to give it a price. */
const UNPRICED = 'SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM.token-alex'
const POOR_POOL = 'SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.univ2-pool-v1_0_0-0100'
const FIRST_DAY = '2026-05-01'
const START = Date.parse(`${FIRST_DAY}T00:00:00Z`) / 1000
const DAY_S = 86_400
const DAYS = 40
const dayOf = (n: number): string => new Date((START + n * DAY_S) * 1000).toISOString().slice(0, 10)
const STX = 1_000_000n

const [bitflow, alex, velar] = [bitflowPool(), alexPool(), velarPool()]
const [liars, poor] = [velarPool(LIAR, LIARS_POOL), velarPool(UNPRICED, POOR_POOL)]
type Txs = NonNullable<MadeStacksBlock['txs']>
let name = 0
/** ALEX’s pool before its last swap. */
let before35: [x: number, y: number] = [0, 0]
const tx = (...events: Txs[number]['events'][]): Txs[number] => ({
  name: `tx ${name++}`,
  events: events.flat(),
})

/** Two blocks a day. Day 0: pools are made; day 1: swaps; day 2: trades with oneself; day 35: WELSH has doubled on ALEX. */
const BLOCKS: MadeStacksBlock[] = Array.from({ length: 2 * DAYS }, (_, n) => ({
  height: 1000 + n,
  timeS: START + n * (DAY_S / 2) + 3600,
  burnHeight: 900_000 + n,
  txs: txsOf(n),
}))

function txsOf(n: number): Txs {
  if (n === 0)
    return [
      tx(bitflow.create(ALICE, 10n * 10n ** 8n, 2_000_000n * STX)),
      tx(alex.add(ALICE, 10n ** 14n, 5n * 10n ** 17n)),
      tx(velar.mint(ALICE, 10_000n * STX, 50_000_000n * STX)),
      // One STX against a thousand billion tokens.
      tx(liars.mint(ALICE, 1n * STX, 10n ** 18n)),
      tx(poor.mint(ALICE, 2n * STX, 5n * 10n ** 8n)),
    ]
  if (n === 2) {
    const route = bitflow.swap(BOB, 'x', 1_000_000n)
    return [tx(route, alex.swap(BOB, 'x', 2_000n * 10n ** 8n)), tx(bitflow.swap(ALICE, 'y', 1_000n * STX))]
  }
  // Back and forth with oneself, a hundred times, in a pool that holds more than the floor; and what a liar says of his token.
  if (n === 4)
    return [
      ...Array.from({ length: 50 }, () =>
        tx(velar.swap(BOB, 0, 1_000n * STX), velar.swap(BOB, 1, 4_000_000n * STX)),
      ),
      tx(liars.swap(BOB, 1, 10n ** 17n)),
    ]
  if (n === 70) {
    before35 = alex.reserves().map(Number) as [number, number]
    return [tx(alex.swap(BOB, 'x', 415_000n * 10n ** 8n))]
  }
  return []
}

let made: TestMetrics
before(async () => {
  made = await openEmptyMetrics()
  await made.warehouse.insertRows(
    prices,
    Array.from({ length: DAYS }, (_, n) => ({
      asset: 'STX',
      quote: 'USD',
      day: dayOf(n),
      open: 0.5,
      high: 0.5,
      low: 0.5,
      close: 0.5,
      source: 'bybit.daily',
      observedAt: START + (n + 1) * DAY_S,
    })),
  )
  await writeMadeStacks(made.warehouse, BLOCKS)
  await made.metrics.refreshRollups()
})
after(() => made[Symbol.asyncDispose]())

const rows = <T>(sql: string): Promise<T[]> => ask<T>(made.warehouse.reader, sql)
async function figures(
  id: string,
  entity: string,
  more: { switches?: string[]; grain?: 'day' | 'week' } = {},
) {
  const { points } = await made.metrics.series({ id, entity, from: dayOf(0), to: dayOf(DAYS), ...more })
  return points
}
const on = async (id: string, entity: string, day: number, key = '', switches: string[] = []) =>
  (await figures(id, entity, { switches })).find(point => point.day === dayOf(day) && point.key === key)
const close = (found: unknown, expected: number, most = 1e-9): void =>
  assert.ok(Math.abs(Number(found) / expected - 1) < most, `${found} is not ${expected}`)

const WELSH_ON_ALEX = 'STX/WELSH #7'

test('reserves that no print tells are what came less what left since the pool was made', async () => {
  const [last] = await rows<{ x: string; y: string }>(
    `SELECT toString(reserve_x) AS x, toString(reserve_y) AS y FROM stx_pool_reserves WHERE pool = '${BITFLOW_POOL}' ORDER BY day DESC LIMIT 1`,
  )
  assert.deepEqual([last?.x, last?.y], bitflow.reserves().map(String))
})

test('a reserve counts whole tokens where their decimals are known, with a price or without one', async () => {
  const prices = await rows(`SELECT 1 FROM stx_token_prices WHERE token = '${UNPRICED}'`)
  const told = await rows<{ x: number; y: number }>(
    `SELECT DISTINCT reserve_x AS x, reserve_y AS y FROM stx_pool_values WHERE pool = '${POOR_POOL}'`,
  )
  assert.deepEqual([prices, told], [[], [{ x: 2, y: 5 }]])
})

test('tokens are priced by the pool with most behind it; a liar’s pool prices nothing, and trades with oneself move no price', async () => {
  const found = await rows<{ day: string; token: string; usd: number; pool: string; steps: number }>(
    `SELECT day, token, usd, pool, steps FROM stx_token_prices WHERE steps > 0 ORDER BY day, token`,
  )
  assert.ok(found.every(({ token }) => token !== LIAR))
  const of = (day: number, token: string) =>
    found.find(price => price.day === dayOf(day) && price.token === token)
  // 10 sBTC stand against 2,000,000 STX at half a dollar.
  close(of(0, SBTC)?.usd, 100_000 / 1e8)
  assert.equal(of(1, WELSH)?.pool, `${ALEX_POOLS}#7`)
  // A hundred trades with oneself on Velar leave the price where the deeper pool has it.
  assert.equal(of(2, WELSH)?.pool, `${ALEX_POOLS}#7`)
  assert.equal(of(2, WELSH)?.usd, of(1, WELSH)?.usd)
})

test('a token that no publisher is asked about has the price of its pools, and the word of one that prices it stands beside', async () => {
  const day = dayOf(1)
  await made.warehouse.insertRows(observations, [
    {
      metric: 'token.price',
      entity: 'sbtc',
      breakdown: '',
      day,
      amount: null,
      value: 90_000,
      source: 'tenero.tokens',
      observedAt: Date.parse(`${day}T12:00:00Z`) / 1000,
    },
  ])
  const { points, differences } = await made.metrics.series({
    id: 'token.price',
    entity: 'sbtc',
    from: day,
    to: day,
  })
  assert.deepEqual(
    points.map(({ source }) => source),
    ['stacks.chain'],
  )
  close(points[0]?.value, 100_000, 0.01)
  assert.deepEqual(
    differences.map(({ source, value }) => [source, value]),
    [['tenero.tokens', 90_000]],
  )
  const liquidity = await made.metrics.series({ id: 'token.liquidity', entity: 'sbtc', from: day, to: day })
  const [held] = await rows<{ usd: number }>(
    `SELECT sum(tvl_usd) AS usd FROM stx_pool_values WHERE day = '${day}' AND (token_x = '${SBTC}' OR token_y = '${SBTC}')`,
  )
  assert.ok(held !== undefined && held.usd > 0)
  close(liquidity.points[0]?.value, held.usd)
  const caps = await made.metrics.series({ id: 'token.mcap', entity: 'alex', from: day, to: day })
  assert.deepEqual(caps.points, [], 'its supply was not answered')
})

test('within a day a peg is what the pool that prices the coin tells after each event, by block and by hour', async () => {
  const pegs = (grain: string) =>
    ask<{ time: string; height: number | null; value: number; from_height: number; to_height: number }>(
      made.warehouse.reader,
      finePegSql(SBTC, '1e8'),
      { from: dayOf(0), to: dayOf(2), grain },
    )
  const blocks = await pegs('block')
  assert.ok(blocks.length > 0 && blocks.every(({ height }) => height !== null))
  // Of a coin at 100,000 dollars it is off by 99,999.
  close(blocks[0]?.value, 99_999, 0.05)
  const hours = await pegs('hour')
  assert.ok(hours.length > 0 && hours.length <= blocks.length)
  assert.ok(hours.every(({ height, time }) => height === null && time.endsWith(':00:00')))
  assert.equal(
    hours.reduce(
      (sum, { from_height: from, to_height: to }) =>
        sum + blocks.filter(one => one.from_height >= from && one.from_height <= to).length,
      0,
    ),
    blocks.length,
  )
})

test('volume counts each pool on the way, or each route once; a liar’s side lends no value', async () => {
  // 0.01 sBTC at about 100,000 dollars and 1,000 STX on Bitflow.
  const hops = await on('dex.volume', 'bitflow', 1)
  assert.ok(Number(hops?.value) > 1_490 && Number(hops?.value) < 1_510, String(hops?.value))
  close((await on('dex.volume', 'alex', 1))?.value, 1_000)
  assert.equal((await on('dex.volume', 'alex', 1, '', ['routes']))?.value, 0)
  assert.equal((await on('dex.swaps', 'velar', 2))?.value, 101)
  const volume = Number((await on('dex.volume', 'velar', 2))?.value)
  // Fifty times 1,000 STX in and what 4,000,000 WELSH give, and not a liar’s trillion “dollars”: his pool gave less than one STX.
  assert.ok(volume > 40_000 && volume < 60_000, String(volume))
  assert.equal((await on('dex.traders', 'bitflow', 1))?.value, 2)
})

test('what leaves one exchange and comes to another in one transaction has moved between them', async () => {
  const [out] = await rows<{ amount: string }>(
    `SELECT toString(amount_out) AS amount FROM stx_dex_swaps WHERE pool = '${BITFLOW_POOL}' AND token_out = 'STX' LIMIT 1`,
  )
  // Bob put in a little more than he had got: what had come from Bitflow is what moved.
  assert.ok(Number(out?.amount) < 2_000e6)
  close((await on('flows.between', 'bitflow', 1, 'alex'))?.value, Number(out?.amount) * 0.5e-6)
  assert.equal(await on('flows.between', 'velar', 2, 'alex'), undefined)
})

test('fees are told by who gets them, and the exchange’s part is its revenue', async () => {
  close((await on('dex.fees', 'alex', 1, 'providers'))?.value, 2.5)
  close((await on('dex.fees', 'alex', 1, 'exchange'))?.value, 2.5)
  close((await on('revenue.apps', 'alex', 1))?.value, 2.5)
})

test('a share of volume needs 80% of the day’s total by its own source', async () => {
  assert.deepEqual(await shareOfAlex(), [null, null], 'no total is known')
  // Prints of day 1 come to about 2,500 dollars.
  await totalOfStacks(1, 3_000)
  const [share, state] = await shareOfAlex()
  close(share, 1_000 / 3_000)
  assert.equal(state, 'whole')
  await totalOfStacks(1, 3_200)
  assert.deepEqual(await shareOfAlex(), [null, null], 'prints cover 78%')
  await totalOfStacks(1, 2_000)
  const [ofParts] = await shareOfAlex()
  assert.ok(Number(ofParts) > 0.39 && Number(ofParts) < 0.41, 'parts exceed the total and are the whole')
  const weeks = await figures('dex.share', 'alex', { grain: 'week' })
  assert.deepEqual(
    weeks.filter(({ value }) => value !== null),
    [],
    'other days of the week have no total',
  )
})

async function shareOfAlex(): Promise<[value: unknown, state: unknown]> {
  const share = await on('dex.share', 'alex', 1)
  return [share?.value ?? null, share?.value == null ? null : share.state]
}

let observedAt = START + 2 * DAY_S
const totalOfStacks = (day: number, value: number): Promise<void> =>
  made.warehouse.insertRows(observations, [
    {
      metric: 'dex.volume',
      entity: 'stacks',
      breakdown: '',
      day: dayOf(day),
      value,
      amount: null,
      source: 'defillama.dexs',
      observedAt: observedAt++,
    },
  ])

test('depth, fee APR and providing against holding follow from reserves and prices', async () => {
  const pool = 'sBTC/STX v-1-1'
  // A constant-product pool of about two million dollars: 1 ÷ √0.99 − 1 of one side moves its price by a hundredth.
  const tvl = Number((await on('pool.tvl', 'bitflow', 5, pool))?.value)
  close((await on('pool.depth_1pct', 'bitflow', 5, pool))?.value, (tvl / 2) * (1 / Math.sqrt(0.99) - 1), 1e-6)
  close((await on('pool.depth_2pct', 'bitflow', 5, pool))?.value, (tvl / 2) * (1 / Math.sqrt(0.98) - 1), 1e-6)
  const apr = await on('pool.fee_apr', 'alex', 7, WELSH_ON_ALEX)
  close(apr?.value, (2.5 * 365) / 7 / 1_000_000, 1e-3)
  // The first block of day 0 is not indexed: a week with it may lack fees.
  const early = await on('pool.fee_apr', 'alex', 6, WELSH_ON_ALEX)
  assert.deepEqual([apr?.state, early?.state], ['whole', 'incomplete'])
  const held = await on('lp.vs_hold', 'alex', 36, WELSH_ON_ALEX)
  // The price of WELSH on ALEX is what its newest swap gave, as its curve need not be constant product.
  const [x, y] = alex.reserves().map(Number) as [number, number]
  const price = (415_000e8 * 0.995) / (before35[1] - y)
  close(Number(held?.value) + 1, (x + y * price) / (before35[0] + before35[1] * price), 1e-6)
})

test('swaps of a week are 0 only where every block of it is indexed', async () => {
  const weeks = async () =>
    (
      await rows<{ contract: string; swaps: string | null; volume: number | null; fee_apr: number | null }>(
        `SELECT contract, toString(swaps) AS swaps, volume_usd AS volume, fee_apr FROM (${STACKS_TABLES['defi-pools']!.sql})`,
      )
    ).find(({ contract }) => contract === BITFLOW_POOL)
  assert.deepEqual(await weeks(), { contract: BITFLOW_POOL, swaps: '0', volume: 0, fee_apr: 0 })
  const apart = [
    { height: 1000 + 2 * DAYS + 5, timeS: START + (DAYS + 2) * DAY_S, burnHeight: 900_100, txs: [] },
  ]
  await writeMadeStacks(made.warehouse, apart, 2)
  await made.metrics.refreshRollups()
  assert.deepEqual(await weeks(), { contract: BITFLOW_POOL, swaps: null, volume: null, fee_apr: null })
  await decideStacks(made.warehouse, 2, false, apart)
  await made.metrics.refreshRollups()
})

test('a reorg and what came again give the same pools, prices and values as a clean run', async () => {
  const all = () =>
    Promise.all(
      ['stx_pool_reserves', 'stx_token_prices', 'stx_pool_values'].map(table =>
        rows(`SELECT * FROM ${table} ORDER BY ALL`),
      ),
    )
  const clean = await all()
  await decideStacks(made.warehouse, 1, false, BLOCKS)
  await made.metrics.refreshRollups()
  assert.deepEqual(await all(), [[], [], []])
  await decideStacks(made.warehouse, 1, true, BLOCKS)
  await made.metrics.refreshRollups()
  assert.deepEqual(await all(), clean)
})
