/** Market figures would come from the wrong publisher or hide disagreement. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { ask } from '../ask.ts'
import { metricOf } from '../entry.ts'
import { metricsOf } from '../registry.ts'
import { seriesSql } from '../seriesSql.ts'
import { openEmptyMetrics } from '../testing.ts'
import { writeMadeFigures } from './testing.ts'

const catalog = await testCatalog()

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
      // SolvBTC is a claim on bitcoin, xSolvBTC one on SolvBTC.
      ...[
        { key: 'solv-solvbtc', amount: 700n },
        { key: 'solv-xsolvbtc', amount: 200n },
        { key: 'bitgo-wbtc', amount: 50n },
      ].map(token => ({
        ...token,
        metric: 'btc.by_token',
        entity: 'bob',
        day: '2026-08-01',
        source: 'bitcoinlayers.supplies',
      })),
      // No block of Rootstock is held here: all of it is the word of publishers.
      ...[
        { day: '2026-07-06', fees: 100, tvl: 1000, volume: 50, token: 300_000_000n, other: 50_000_000n },
        { day: '2026-07-07', fees: 200, tvl: 2000, volume: 150, token: 500_000_000n, other: 20_000_000n },
      ].flatMap(({ day, fees, tvl, volume, token, other }) => [
        { metric: 'fees.chain_usd', entity: 'rootstock', day, value: fees, source: 'defillama.fees' },
        { metric: 'addresses.senders', entity: 'rootstock', day, amount: 10n, source: 'growthepie.metrics' },
        { metric: 'tx.count', entity: 'rootstock', day, amount: 40n, source: 'l2beat.activity' },
        { metric: 'tvl.total', entity: 'rootstock', day, value: tvl, source: 'defillama.tvl' },
        { metric: 'dex.volume', entity: 'rootstock', day, value: volume, source: 'defillama.dexs' },
        { metric: 'token.mcap', entity: 'rif', day, value: 500, source: 'coingecko.markets' },
        {
          metric: 'btc.by_token',
          entity: 'rootstock',
          day,
          key: 'rbtc',
          amount: token,
          source: 'bitcoinlayers.supplies',
        },
        {
          metric: 'btc.by_token',
          entity: 'rootstock',
          day,
          key: 'other',
          amount: other,
          source: 'bitcoinlayers.supplies',
        },
      ]),
    ],
    [
      { asset: 'STX', day: '2026-08-01', close: 0.4, quote: 'USDT', source: 'stxusdt.bybit' },
      { asset: 'STX', day: '2026-08-02', close: 0.51, quote: 'USDT', source: 'stxusdt.bybit' },
      { asset: 'STX', day: '2026-08-03', close: 0.6, quote: 'USDT', source: 'stxusdt.bybit' },
      { asset: 'STX', day: '2026-08-03', close: 0.5, source: 'defillama.coins' },
      { asset: 'BTC', day: '2026-07-06', close: 50_000, source: 'btcusd.brk' },
      { asset: 'BTC', day: '2026-07-07', close: 60_000, source: 'btcusd.brk' },
      // No dollar: never taken for one.
      { asset: 'STX', day: '2026-08-01', close: 44, quote: 'JPY', source: 'coingecko.markets' },
    ],
    { 'coingecko.markets': 10, 'defillama.coins': 11, 'stxusdt.bybit': 20, 'btcusd.brk': 10 },
  )
  await site.metrics.refreshRollups()
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

test('a statement answers for whichever of its entities is asked, and names its sources', async () => {
  for (const [id, entity] of [
    ['tvl.by_protocol', 'stacks'],
    ['token.price', 'core'],
    ['token.mcap_tvl', 'core'],
    ['inflow.usd', 'bob'],
    ['risk.changed_at', 'merlin'],
  ] as const) {
    const { sql, parameters, sources } = metricOf(metricsOf(catalog), id, entity)
    const values = Object.fromEntries(
      parameters.map(({ name, default: value }) => [name, name === 'entity' ? entity : value]),
    )
    const rows = await ask<Record<string, unknown>>(site.warehouse.guest, sql, values)
    for (const row of rows) assert.ok(sources.includes(String(row.source)), `${id}@${entity}`)
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

const figuresAt = async (id: string, entity: string, grain: 'day' | 'week', from: string) => {
  const { points } = await site.metrics.series({ id, entity, grain, from, to: from })
  return points.map(({ day, key, value, state }) => [day, key, value, state])
}

test('ratios of two metrics follow from the figures of one bucket, and never from a mean of ratios', async () => {
  for (const [id, entity, expected] of [
    ['rev.total', 'rootstock', 200],
    ['users.fees_per_user', 'rootstock', 20],
    ['users.tx_per_user', 'rootstock', 4],
    ['tvl.per_user', 'rootstock', 200],
    ['tvl.turnover', 'rootstock', 0.075],
    ['token.mcap_tvl', 'rif', 0.25],
  ] as const)
    assert.deepEqual(
      await figuresAt(id, entity, 'day', '2026-07-07'),
      [['2026-07-07', '', expected, 'whole']],
      id,
    )
  // Of that week two days are known: volume of both over the value at the end, and no claim to be whole.
  assert.deepEqual(await figuresAt('tvl.turnover', 'rootstock', 'week', '2026-07-06'), [
    ['2026-07-06', '', 0.1, 'incomplete'],
  ])
  // Senders of days are not those of a week.
  assert.deepEqual(await figuresAt('users.tx_per_user', 'rootstock', 'week', '2026-07-06'), [])
})

test('what came in is the change of coins, at the price of the day, and prices alone move nothing', async () => {
  assert.deepEqual(await figuresAt('inflow.usd', 'rootstock', 'day', '2026-07-07'), [])
  const { points } = await site.metrics.series({
    id: 'inflow.usd',
    entity: 'rootstock',
    from: '2026-07-06',
    to: '2026-07-07',
  })
  assert.deepEqual(
    points.map(({ day, key, value }) => [day, key, value]),
    [
      ['2026-07-07', 'other', -18_000],
      ['2026-07-07', 'rbtc', 120_000],
    ],
  )
  const constant = await site.metrics.series({
    id: 'tvl.constant_price',
    entity: 'rootstock',
    from: '2026-07-06',
  })
  assert.deepEqual(
    constant.points.map(({ value }) => value),
    [175_000, 260_000],
  )
})

test('a bitcoin that was wrapped twice is counted once', async () => {
  assert.equal((await pointsOf('btc.unique', 'bob'))[0]?.value, 750)
})

test('a coin of whatever kind is told in dollars and in bitcoin at its own close', async () => {
  const metric = (unit: string) =>
    seriesSql(
      {
        ...metricOf(metricsOf(catalog), 'tvl.total', 'stacks'),
        unit,
        sql: `SELECT toDate('2026-07-07') AS day, '' AS key, toInt256('1500000000000000000') AS value, 'whole' AS state,
  '' AS source, NULL AS from_height, NULL AS to_height, now() AS as_of`,
      },
      'day',
      'usd',
    ).sql
  const usdOf = async (unit: string) =>
    (await ask<{ value: number | null }>(site.warehouse.guest, metric(unit)))[0]?.value
  assert.equal(await usdOf('wei.RBTC'), 90_000)
  assert.equal(await usdOf('wei.NOCOIN'), null)
})
