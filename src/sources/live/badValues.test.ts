import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { defillamaTvl } from '../defillama.ts'
import type { LiveSource, SourceAnswer } from '../live.ts'
import { coingeckoMarkets } from './coingecko.ts'
import { defillamaYields } from './defillamaYields.ts'
import { pythHermes } from './pythHermes.ts'
import { secFacts } from './secFacts.ts'
import { stacksTokens } from './stacksTokens.ts'

const catalog = await testCatalog()
const NOON = '2026-11-26T12:00:00Z'

/** What a source reads in an answer about `about`, as of noon unless given. */
const read = (source: LiveSource, about: string, json: unknown, seenAt = NOON): SourceAnswer =>
  source.read({ about, url: 'https://api.hiro.so/metadata/v1/ft/' }, json, {
    catalog,
    seenAt: Date.parse(seenAt) / 1000,
  })
const refusedOf = ({ refused = [] }: SourceAnswer): string[] => refused.map(({ field }) => field)

test('one day below zero costs that day of a history and no other', () => {
  const days = [
    { date: 1_795_132_800, tvl: 10 },
    { date: 1_795_219_200, tvl: -1 },
    { date: 1_795_305_600, tvl: 12 },
  ]
  const answer = read(defillamaTvl, 'rootstock', days)
  assert.deepEqual(
    answer.observations.map(({ day, value }) => [day, value]),
    [
      ['2026-11-20', 10],
      ['2026-11-22', 12],
    ],
  )
  assert.deepEqual(refusedOf(answer), ['1.tvl'])
  assert.throws(
    () =>
      read(
        defillamaTvl,
        'rootstock',
        days.map(({ date }) => ({ date, value: 1 })),
      ),
    { code: 'sources.shape' },
  )
})

test('a price of months ago stays on its own day', () => {
  const market = {
    market_cap: 1000,
    fully_diluted_valuation: 2000,
    total_volume: 3,
    circulating_supply: 10,
  }
  const [fresh, stale] = catalog.tokens.flatMap(({ id, ids }) =>
    ids.coingecko === undefined ? [] : [{ id, name: ids.coingecko }],
  )
  assert.ok(fresh && stale)
  const answer = read(coingeckoMarkets, 'tokens', [
    { id: fresh.name, current_price: 0.5, last_updated: '2026-11-26T11:59:00.000Z', ...market },
    { id: stale.name, current_price: 0.42, last_updated: '2026-08-02T03:04:05.000Z', ...market },
  ])
  assert.deepEqual(
    new Set(answer.observations.map(({ entity, day }) => `${entity} ${day}`)),
    new Set([`${fresh.id} 2026-11-26`, `${stale.id} 2026-08-02`]),
  )
  // One that never traded has no day, and one of tomorrow is refused.
  const odd = read(coingeckoMarkets, 'tokens', [
    { id: fresh.name, current_price: 0.5, last_updated: null, ...market },
    { id: stale.name, current_price: 0.5, last_updated: '2026-11-26T11:59:00.000Z', ...market },
    { id: fresh.name, current_price: 0.5, last_updated: '2026-11-27T11:59:00.000Z', ...market },
  ])
  assert.deepEqual(new Set(odd.observations.map(({ entity }) => entity)), new Set([stale.id]))
  assert.deepEqual(refusedOf(odd), ['2.last_updated'])
})

test('a supply below zero is unknown, and what else is said of the token is kept with its joined signs', () => {
  const contract = 'SP000000000000000000002Q6VF78.a-token'
  const answer = read(stacksTokens, contract, {
    tx_id: `0x${'ab'.repeat(32)}`,
    sender_address: 'SP000000000000000000002Q6VF78',
    name: '👨\u200d👩\u200d👧 Coin\u202e',
    symbol: 'AC',
    decimals: 8,
    total_supply: '-90038916',
    image_uri: 'https://x.example/1.png',
  })
  assert.deepEqual(answer.tokenWords, [
    {
      contract,
      name: '👨\u200d👩\u200d👧 Coin',
      symbol: 'AC',
      decimals: 8,
      totalSupply: null,
      imageUrl: 'https://x.example/1.png',
    },
  ])
  assert.deepEqual(refusedOf(answer), ['total_supply'])
})

test('rates that their publisher marks as an outlier are refused, the value of the pool is not', () => {
  const opportunity = catalog.opportunities.find(({ pool }) => pool !== undefined)
  assert.ok(opportunity)
  const pool = { chain: 'Base', project: 'x', symbol: 'CBBTC-LBTC', tvlUsd: 1_000_000, apyReward: null }
  const answer = read(defillamaYields, 'pools', {
    data: [
      { pool: opportunity.pool, apyBase: 1e12, outlier: true, ...pool },
      { pool: 'other', apyBase: 2, outlier: false, ...pool },
    ],
  })
  assert.deepEqual(
    answer.observations.map(({ metric, value }) => [metric, value]),
    [['yield.tvl', 1_000_000]],
  )
  assert.deepEqual(
    answer.poolListings?.map(({ apyBase }) => apyBase),
    [null, 0.02],
  )
  assert.deepEqual(refusedOf(answer), ['data.0.outlier'])
})

test('of filings of one day the one filed last counts, by its accession number, or an amendment of another agent', () => {
  const fact = (accn: string, val: number, form: string) => ({
    ...{ end: '2026-06-30', filed: '2026-08-01', fy: 2026, fp: 'Q2' },
    ...{ val, accn, form },
  })
  const amountOf = (...facts: object[]) =>
    read(secFacts, 'american-bitcoin', {
      cik: 1_755_953,
      facts: { 'us-gaap': { CryptoAssetNumberOfUnits: { units: { BTC: facts } } } },
    }).observations.map(({ amount }) => amount)
  const report = fact('0001755953-26-000010', 100, '10-Q')
  const amended = fact('0001755953-26-000011', 101.5, '10-Q/A')
  const elsewhere = fact('0000950170-26-000001', 102, '10-Q/A')
  for (const facts of [
    [report, amended],
    [amended, report],
  ])
    assert.deepEqual(amountOf(...facts), [10_150_000_000n])
  for (const facts of [
    [report, elsewhere],
    [elsewhere, report],
  ])
    assert.deepEqual(amountOf(...facts), [10_200_000_000n])
})

test('Pyth is asked with a key, without retired feeds, and a price below zero costs no other', () => {
  assert.deepEqual(pythHermes.key, {
    variable: 'PYTH_API_KEY',
    header: 'authorization',
    scheme: 'Bearer',
    isDemanded: true,
  })
  const [request] = pythHermes.requests(catalog)
  assert.ok(request)
  for (const url of [request.url, ...(request.otherwise ?? [])])
    assert.equal(new URL(url).searchParams.get('ignore_invalid_price_ids'), 'true')
  const [one, other] = new URL(request.url).searchParams.getAll('ids[]')
  const feed = (id: string | undefined, price: string) => ({
    id,
    price: { price, conf: '1', expo: -8, publish_time: Date.parse(NOON) / 1000 },
  })
  const answer = read(pythHermes, 'feeds', { parsed: [feed(one, '-5'), feed(other, '100000000')] })
  assert.deepEqual(
    answer.observations.map(({ value }) => value),
    [1],
  )
  assert.deepEqual(refusedOf(answer), ['parsed.0.price.price'])
  // All feeds may be retired.
  assert.deepEqual(read(pythHermes, 'feeds', { parsed: [] }).observations, [])
})
