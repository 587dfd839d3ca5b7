/** A fake token or a wash trade could move prices and TVL on application pages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import {
  alexPool,
  BITFLOW_POOL,
  bitflowPool,
  CORE,
  SBTC,
  VELAR_POOL,
  velarPool,
  WELSH,
} from '#metrics/dex/madeDex.testing.ts'
import { type MadeStacksBlock, printOf, writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '#metrics/testing.ts'
import { asKnownOn } from '#warehouse/index.ts'
import { prices } from '#warehouse/tables/observations.ts'
import { stxTokens } from '#warehouse/tables/stacksTokens.ts'
import { chainsOf } from '../across/chains.ts'
import { readFungibleTokens } from '../across/tokens.ts'
import { APP_TABLES, type AppRow, appOf, readAppTable } from './index.ts'

/** What tokens and exchanges may do to a reader, through rows to what the pages and the API show. */

const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const BOB = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
/** A token that anyone made, and calls sBTC. */
const LIAR = `${BOB}.bitcoin`
const LIARS_POOL = 'SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.univ2-pool-v1_0_0-0099'
/** A token that says no decimals. */
const MUTE = `${BOB}.mute`
const MUTE_POOL = 'SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.univ2-pool-v1_0_0-0098'
const START = Date.parse('2026-05-01T00:00:00Z') / 1000
const DAY_S = 86_400
const DAYS = 45
const dayOf = (n: number): string => new Date((START + n * DAY_S) * 1000).toISOString().slice(0, 10)
const STX = 1_000_000n

const [bitflow, alex, velar] = [bitflowPool(), alexPool(), velarPool()]
const [liars, mute] = [velarPool(LIAR, LIARS_POOL), velarPool(MUTE, MUTE_POOL)]
type Txs = NonNullable<MadeStacksBlock['txs']>
const tx = (name: string, ...events: Txs[number]['events'][]): Txs[number] => ({
  name,
  events: events.flat(),
})

/** Day 0: pools; day 40: a hundred trades of Bob with himself; day 42: Bitflow prints in another shape. Velar stops on day 40. */
function txsOf(day: number): Txs {
  if (day === 0)
    return [
      tx('bitflow', bitflow.create(ALICE, 10n * 10n ** 8n, 2_000_000n * STX)),
      tx('alex', alex.add(ALICE, 10n ** 14n, 5n * 10n ** 17n), alex.swap(ALICE, 'x', 10n ** 10n)),
      tx('velar', velar.mint(ALICE, 10_000n * STX, 50_000_000n * STX)),
      tx('liar', liars.mint(BOB, 1n * STX, 10n ** 18n)),
      tx('mute', mute.mint(BOB, 50_000n * STX, 10n ** 12n)),
    ]
  if (day === 40)
    return Array.from({ length: 50 }, (_, n) =>
      tx(`wash ${n}`, velar.swap(BOB, 0, 1_000n * STX), velar.swap(BOB, 1, 4_000_000n * STX)),
    )
  if (day === 42)
    return [
      tx('good', bitflow.swap(ALICE, 'x', 1_000_000n)),
      tx('odd', [
        printOf(CORE, {
          action: 'swap-x-for-y',
          caller: `'${ALICE}`,
          data: { 'pool-contract': `'${BITFLOW_POOL}`, 'amount-in': 10n ** 12n, 'amount-out': 10n ** 15n },
        }),
      ]),
    ]
  if (day > 0) return [tx(`alex ${day}`, alex.swap(ALICE, day % 2 === 0 ? 'x' : 'y', 10n ** 10n))]
  return []
}

let made: TestMetrics
const catalog = await testCatalog()
before(async () => {
  made = await openEmptyMetrics()
  const closes = (asset: string, close: number) =>
    Array.from({ length: DAYS }, (_, n) => ({
      asset,
      quote: 'USD',
      day: dayOf(n),
      open: close,
      high: close,
      low: close,
      close,
      source: 'bybit.daily',
      observedAt: START + (n + 1) * DAY_S,
    }))
  await made.warehouse.insertRows(prices, [...closes('STX', 0.5), ...closes('BTC', 100_000)])
  const said = (contract: string, symbol: string, decimals: number | null) => ({
    contract,
    name: symbol,
    symbol,
    decimals,
    totalSupply: 10n ** 18n,
    standard: 'sip-010' as const,
    tokenUri: null,
    lastTokenId: null,
    height: 1000,
    blockHash: new Uint8Array(32),
    askedAt: START,
  })
  await made.warehouse.insertRows(stxTokens, [
    said(LIAR, 'sBTC', 8),
    said(MUTE, 'MUTE', null),
    // The catalogue has six, from the source.
    said(WELSH, 'WELSH', 18),
  ])
  await writeMadeStacks(
    made.warehouse,
    Array.from({ length: DAYS }, (_, day) => ({
      height: 1000 + day,
      timeS: START + day * DAY_S + 3600,
      burnHeight: 900_000 + day,
      txs: txsOf(day),
    })),
  )
  await made.metrics.refreshRollups()
})
after(() => made[Symbol.asyncDispose]())

function tableOf(name: string, slug: string): Promise<AppRow[]> {
  const app = catalog.protocols.find(one => one.slug === slug)!
  return readAppTable(made.warehouse.reader, APP_TABLES[name]!.sql(appOf(app, catalog)))
}
const readTokens = () =>
  readFungibleTokens(made.warehouse.reader, chainsOf(catalog), () => null, catalog, { chain: 'stacks' })
/** As they were at the end of the made days: a price counts for 30 days. */
const tokens = async () => {
  const { items } = await asKnownOn(dayOf(DAYS - 1), readTokens)
  return (contract: string) => items.find(one => one.contract === contract)
}
const figures = async (id: string, entity: string, day: number) =>
  (await made.metrics.series({ id, entity, from: dayOf(day), to: dayOf(day) })).points

test('a token with a lying name is a namesake, has no price, and its pool the value of what is real in it', async () => {
  const of = await tokens()
  const [liar, sbtc] = [of(LIAR), of(SBTC)]
  assert.deepEqual([liar?.isNamesake, sbtc?.isNamesake], [true, false])
  // One STX at half a dollar, told twice: no price, and nothing of 10,000,000,000 “bitcoins”.
  assert.deepEqual(liar?.pools, { priceUsd: null, liquidityUsd: 1, day: dayOf(DAYS - 1) })
  const pools = await tableOf('pools', 'velar')
  assert.equal(pools.find(({ contract }) => contract === LIARS_POOL)?.tvl_usd, 1)
})

test('wrong decimals move no price: the source of a known token goes before its own word, and no word gives no price', async () => {
  const of = await tokens()
  // 1,000,000 STX stand against 5,000,000,000 WELSH of six decimals on ALEX.
  const welsh = of(WELSH)?.pools
  assert.ok(Math.abs((welsh?.priceUsd ?? 0) / 1e-4 - 1) < 0.01, String(welsh?.priceUsd))
  const silent = of(MUTE)?.pools
  assert.equal(silent?.priceUsd, null)
  // 50,000 STX lie there: what a base unit is worth is known, of a whole token nobody says how many there are.
  assert.ok(Math.abs((silent?.liquidityUsd ?? 0) / 50_000 - 1) < 1e-6, String(silent?.liquidityUsd))
})

test('a price of pools older than thirty days is no price, and keeps its day', async () => {
  const { items } = await readTokens()
  const pools = items.find(one => one.contract === WELSH)?.pools
  assert.deepEqual(pools, { priceUsd: null, liquidityUsd: null, day: dayOf(DAYS - 1) })
})

test('trades with oneself are shown as to and fro, and move no price', async () => {
  const [bob] = await tableOf('traders', 'velar')
  assert.deepEqual([bob?.trader, Number(bob?.swaps)], [BOB, 100])
  assert.ok(Number(bob?.back_share) > 0.8, String(bob?.back_share))
  const [before, after] = await Promise.all([39, 40].map(day => priceOn(WELSH, day)))
  assert.ok(Math.abs(before! / after! - 1) < 0.001, `${before} and ${after}`)
})

async function priceOn(token: string, day: number): Promise<number> {
  const [row] = await readAppTable(
    made.warehouse.reader,
    `SELECT usd FROM stx_token_prices WHERE token = '${token}' AND day = '${dayOf(day)}'`,
  )
  return Number(row?.usd)
}

test('a contract that prints in another shape is counted as not read; its pool stops having a value until it is', async () => {
  const [unread] = await figures('dex.unread', 'bitflow', 42)
  assert.equal(unread?.value, 1)
  // What could be read still is: one swap of 0.01 sBTC.
  const [swaps] = await figures('dex.swaps', 'bitflow', 42)
  assert.equal(swaps?.value, 1)
  const [volume] = await figures('dex.volume', 'bitflow', 42)
  assert.ok(Math.abs(Number(volume?.value) / 1_000 - 1) < 0.01, String(volume?.value))
  const [pool] = await tableOf('pools', 'bitflow')
  assert.deepEqual([pool?.unread, pool?.tvl_usd, pool?.depth_1], ['1', null, null])
})

test('an exchange that stops says since when: its volume is nothing, its pools stand with the day of their newest print', async () => {
  const pools = await tableOf('pools', 'velar')
  const velars = pools.find(({ contract }) => contract === VELAR_POOL)
  assert.deepEqual([velars?.newest, velars?.swaps], [dayOf(40), '100'])
  const [then] = await figures('dex.volume', 'velar', 40)
  const [now] = await figures('dex.volume', 'velar', 44)
  assert.ok(Number(then?.value) > 40_000)
  assert.equal(now?.value, 0)
  const [stood] = await figures('dex.swaps', 'velar', 44)
  assert.equal(stood?.value, 0)
})
