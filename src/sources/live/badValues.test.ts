/** One bad value of a publisher would cost a whole history or enter it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { defillamaTvl } from '../defillama.ts'
import type { LiveSource, SourceAnswer } from '../live.ts'
import { coingeckoChart, coingeckoMarkets } from './coingecko.ts'
import { defillamaFees } from './defillamaFees.ts'
import { defillamaProtocols } from './defillamaProtocols.ts'
import { defillamaStables } from './defillamaStables.ts'
import { defillamaYieldCharts, defillamaYields } from './defillamaYields.ts'
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
  assert.deepEqual(
    answer.poolListings?.map(({ isOutlier }) => isOutlier),
    [true, false],
  )
  assert.deepEqual(refusedOf(answer), ['data.0.outlier'])
})

test('rates of days on which a list marks the pool are refused in its chart too, and its value is not', () => {
  const days = ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']
  const chart = {
    data: days.map(day => ({
      timestamp: `${day}T23:01:00.000Z`,
      ...{ tvlUsd: 1_000_000, apyBase: 1e12, apyReward: null },
    })),
  }
  const ratesWith = (...marks: (readonly [day: string, isOutlier: boolean])[]) => {
    const answer = defillamaYieldCharts.read({ about: 'x', url: '' }, chart, {
      catalog,
      seenAt: Date.parse('2026-11-27T00:10:00Z') / 1000,
      marks: marks.map(([day, isOutlier]) => ({ day, isOutlier })),
    })
    const of = (metric: string) => answer.observations.filter(each => each.metric === metric)
    assert.equal(of('yield.tvl').length, days.length)
    assert.equal(refusedOf(answer).length, days.length - of('yield.apy_base').length)
    return of('yield.apy_base').map(({ day }) => day.slice(-2))
  }
  assert.deepEqual(ratesWith(), ['22', '23', '24', '25', '26'])
  assert.deepEqual(ratesWith(['2026-11-24', false], ['2026-11-25', true], ['2026-11-26', false]), [
    ...['22', '23', '24', '26'],
  ])
  // No list of the days between says when the mark began, or that it has ended.
  assert.deepEqual(ratesWith(['2026-11-23', false], ['2026-11-26', true]), ['22', '23'])
  assert.deepEqual(ratesWith(['2026-11-22', false], ['2026-11-24', true]), ['22'])
  assert.deepEqual(ratesWith(['2026-11-27', true]), [])
  assert.deepEqual(ratesWith(['2026-11-23', true], ['2026-11-24', false]), ['22', '24', '25', '26'])
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

const LOCKED = { category: 'Dexs', tvl: 5 }

test('a protocol of DefiLlama that cannot be read leaves every sum that it is no part of', () => {
  const lender = (slug: unknown, chainTvls: unknown, more: object = {}) => ({
    ...LOCKED,
    slug,
    chainTvls,
    ...more,
  })
  const good = lender('sovryn-dex', {
    Rootstock: 5,
    'Rootstock-borrowed': 2,
    Stacks: 3,
    'Stacks-borrowed': 1,
  })
  const figuresOf = (...odd: unknown[]) =>
    read(defillamaProtocols, 'protocols', [good, ...odd]).observations.map(
      ({ metric, entity, key = '', value }) => [metric, entity, key, value].join(' '),
    )
  const whole = figuresOf()
  assert.ok(whole.includes('tvl.parts rootstock borrowed 2') && whole.includes('tvl.parts stacks borrowed 1'))
  // Of no chain of ours, or of none at all.
  for (const odd of [
    null,
    7,
    'x',
    {},
    lender(null, { Ethereum: 1 }),
    lender('x', null, { chains: ['Tron'] }),
  ])
    assert.deepEqual(figuresOf(odd), whole, JSON.stringify(odd))
  // Of one layer: what it may be a part of there is unknown, what is of another layer is not.
  const withoutRootstock = whole.filter(line => line !== 'tvl.parts rootstock borrowed 2')
  for (const odd of [
    lender('x', null, { chains: ['Rootstock'] }),
    lender('x', { 'Rootstock-borrowed': 9 }, { category: 7 }),
    lender('x', { 'Rootstock-borrowed': -9 }),
  ])
    assert.deepEqual(figuresOf(odd), withoutRootstock, JSON.stringify(odd))
  // Another part of the same layer.
  assert.deepEqual(figuresOf(lender('x', { 'Rootstock-staking': 9 }, { category: 7 })), whole)
  // Its name is not needed for a sum.
  assert.ok(figuresOf(lender(null, { 'Rootstock-borrowed': 4 })).includes('tvl.parts rootstock borrowed 6'))
  assert.throws(() => read(defillamaProtocols, 'protocols', [{ ...good, slug: 1, chainTvls: [] }]), {
    code: 'sources.shape',
  })
})

test('a stablecoin of DefiLlama that cannot be read leaves the coins of other layers', () => {
  const coin = (symbol: unknown, chain: string) => ({
    symbol,
    price: 1,
    chainCirculating: { [chain]: { current: { peggedUSD: 7 } } },
  })
  for (const odd of [null, coin(7, 'Tron'), coin(null, 'Rootstock'), { symbol: 'X', price: 1 }]) {
    const answer = read(defillamaStables, 'tokens', { peggedAssets: [coin('USDT', 'Stacks'), odd] })
    assert.deepEqual(
      answer.observations.map(({ entity, key, value }) => [entity, key, value]),
      [['stacks', 'USDT', 7]],
    )
    assert.equal(refusedOf(answer).length, 1)
  }
})

test('a protocol that cannot be read costs fees and revenue the days on which it may be either kind', () => {
  const [one, other] = [1_795_132_800, 1_795_219_200]
  const figuresOf = (...protocols: unknown[]) =>
    read(defillamaFees, 'rootstock dailyRevenue', {
      protocols: [{ name: 'Rootstock', category: 'Chain', protocolType: 'chain' }, ...protocols],
      totalDataChart: [],
      totalDataChartBreakdown: [
        [one, { Rootstock: 10, 'Sovryn Dex': 5 }],
        [other, { Rootstock: 11, Odd: 3 }],
      ],
    }).observations.map(({ metric, entity, day, value }) => [metric, entity, day.slice(8), value].join(' '))
  const sovryn = { name: 'Sovryn Dex', category: 'Dexs' }
  const first = figuresOf(sovryn, { name: 'Odd', category: 'Dexs' }).filter(line => line.includes(' 20 '))
  assert.ok(first.includes('revenue.chain rootstock 20 10') && first.includes('revenue.apps rootstock 20 5'))
  for (const odd of [null, { name: 7, category: 'Dexs' }, { name: 'Odd', category: 7 }])
    assert.deepEqual(figuresOf(sovryn, odd), first, JSON.stringify(odd))
  // Its type says as much as its category.
  assert.ok(
    figuresOf(sovryn, { name: 'Odd', category: 7, protocolType: 'protocol' }).includes(
      'revenue.apps rootstock 21 3',
    ),
  )
})

test('a moment beyond all dates costs its own day and no other', () => {
  const huge = Number.MAX_SAFE_INTEGER
  assert.deepEqual(
    read(defillamaTvl, 'rootstock', [
      { date: huge, tvl: 1 },
      { date: 1_795_132_800, tvl: 10 },
    ]).observations.map(({ day, value }) => [day, value]),
    [['2026-11-20', 10]],
  )
  const stables = read(defillamaStables, 'rootstock', [
    { date: String(huge), totalCirculatingUSD: { peggedUSD: 1 } },
    { date: '1795132800', totalCirculatingUSD: { peggedUSD: 10 } },
  ])
  assert.deepEqual(
    stables.observations.map(({ day, value }) => [day, value]),
    [['2026-11-20', 10]],
  )
  const token = catalog.tokens.find(({ ids, priceAsset }) => ids.coingecko && priceAsset)
  assert.ok(token)
  const chart = read(coingeckoChart, token.id, {
    prices: [
      [1e300, 5],
      [1_795_219_200_000, 10],
    ],
  })
  assert.deepEqual(
    chart.prices.map(({ day, close }) => [day, close]),
    [['2026-11-20', 10]],
  )
})

test('a filing without its day, or of more bitcoin than there is, costs none that was filed later', () => {
  const fact = (end: unknown, filed: string, val: number) => ({
    ...{ end, filed, val, form: '10-Q' },
    accn: `0001755953-26-0000${filed.slice(5, 7)}`,
  })
  const daysOf = (...facts: unknown[]) =>
    read(secFacts, 'american-bitcoin', {
      cik: 1_755_953,
      facts: { 'us-gaap': { CryptoAssetNumberOfUnits: { units: { BTC: facts, USD: null } } } },
    }).observations.map(({ day }) => day)
  const [march, june] = [fact('2026-03-31', '2026-05-01', 100), fact('2026-06-30', '2026-08-01', 110)]
  assert.deepEqual(daysOf(march, june, fact(null, '2026-07-01', 105)), ['2026-06-30'])
  assert.deepEqual(daysOf(march, june, fact('2026-09-30', '2026-11-01', 1e308)), ['2026-03-31', '2026-06-30'])
})
