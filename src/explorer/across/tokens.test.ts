/** The token list would show a wrong market cap or rank by missing data. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { isCurrentPrice } from '#kernel/currentPrice.ts'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import { openEmptyMetrics, type TestMetrics } from '#metrics/testing.ts'
import { asKnownOn } from '#warehouse/index.ts'
import { chainsOf, countedOver, coversSeconds } from './chains.ts'
import { readFungibleTokens } from './tokens.ts'

const USDT_ON_ROOTSTOCK = '0xAf368c91793CB22739386DFCbBb2F1A9e4bCBeBf'
const TODAY = '2026-08-20'

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
  await writeMadeFigures(site.warehouse, [
    { metric: 'token.price', entity: 'usdt', day: '2026-08-19', value: 0.999, source: 'coingecko.markets' },
    // Of all chains: no value of any deployment.
    {
      metric: 'token.mcap',
      entity: 'usdt',
      day: '2026-08-19',
      value: 186_717_641_700,
      source: 'coingecko.markets',
    },
    {
      metric: 'stables.by_token',
      entity: 'rootstock',
      key: 'USDT',
      day: '2026-08-18',
      value: 1_250_000,
      source: 'defillama.stables',
    },
    { metric: 'token.price', entity: 'alex', day: '2021-09-01', value: 1.5, source: 'coingecko.markets' },
  ])
})
after(() => site[Symbol.asyncDispose]())

async function tokensOn(day: string) {
  const catalog = await testCatalog()
  const { items } = await asKnownOn(day, () =>
    readFungibleTokens(site.warehouse.reader, chainsOf(catalog), () => null, catalog, {}),
  )
  return items
}

test('a market cap is that of one deployment, never the global one', async () => {
  const usdt = (await tokensOn(TODAY)).filter(({ symbol }) => symbol === 'USDT')
  assert.ok(usdt.length >= 6)
  assert.deepEqual(
    usdt.filter(({ capUsd }) => capUsd !== null).map(({ asset, capUsd, capDay }) => [asset, capUsd, capDay]),
    [[USDT_ON_ROOTSTOCK, 1_250_000, '2026-08-18']],
  )
})

test('a price has its day, and one older than thirty days is no price', async () => {
  const items = await tokensOn(TODAY)
  const of = (wanted: string) => items.find(({ symbol }) => symbol === wanted)
  assert.deepEqual([of('USDT')?.priceUsd, of('USDT')?.priceDay], [0.999, '2026-08-19'])
  assert.deepEqual([of('ALEX')?.priceUsd, of('ALEX')?.priceDay], [null, '2021-09-01'])
  const later = (await tokensOn('2026-09-30')).find(({ symbol }) => symbol === 'USDT')
  assert.deepEqual([later?.priceUsd, later?.priceDay], [null, '2026-08-19'])
})

test('tokens with a market cap lead, then those with a price, and those without any figure are last', async () => {
  const items = await tokensOn(TODAY)
  const tier = ({ capUsd, priceUsd }: (typeof items)[number]) =>
    capUsd !== null ? 0 : priceUsd !== null ? 1 : 2
  const tiers = items.map(tier)
  assert.deepEqual(tiers, tiers.toSorted())
  assert.deepEqual([...new Set(tiers)], [0, 1, 2])
  assert.equal(items[0]?.asset, USDT_ON_ROOTSTOCK)
})

test('a price counts for thirty days after its own', () => {
  assert.equal(isCurrentPrice('2026-08-01', Date.parse('2026-08-31T23:59:59Z')), true)
  assert.equal(isCurrentPrice('2026-08-01', Date.parse('2026-09-01T00:00:00Z')), false)
})

test('a count is zero only where every block of its time is indexed', () => {
  const hour = { time: '2026-08-05T12:00:00Z', since: '2026-08-05T11:00:00Z', isSinceGenesis: false }
  assert.equal(countedOver(0, coversSeconds(hour, 86_400)), null)
  assert.equal(countedOver(0, coversSeconds(hour, 3600)), 0)
  assert.equal(countedOver(0, coversSeconds({ ...hour, isSinceGenesis: true }, 86_400)), 0)
  assert.equal(countedOver(3, coversSeconds(hour, 86_400)), 3)
})
