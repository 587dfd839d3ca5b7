/** A fresh install would show figures of the wrong publisher. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { metricsOf } from '../registry.ts'
import { loadAssessments } from './loadAssessments.ts'
import { EARLY_DAYS, near, read, series, site } from './sharedSnapshot.testing.ts'

test('a day that two sources cover shows the other beside the chosen one', async () => {
  const { differences, points, sources } = await series('fees.total', {
    from: '2021-06-27',
    to: '2021-06-27',
  })
  assert.deepEqual(
    differences.map(({ source, value, chosen }) => [source, value === chosen]),
    [
      ['bitcoin.network_daily', true],
      ['blockchain.com', false],
    ],
  )
  assert.equal(points[0]?.source, 'bitcoin.getblockstats')
  assert.deepEqual(
    sources.map(({ id }) => id),
    ['bitcoin.getblockstats', 'bitcoin.network_daily', 'blockchain.com'],
  )
})

test('the statistics stand beside the rows on the days that both cover', async () => {
  const { differences } = await series('tx.count', { from: '2009-01-12', to: '2009-01-12' })
  assert.deepEqual(
    differences
      .filter(({ source }) => source === 'bitcoin.getblockstats')
      .map(({ value, chosen }) => [value, chosen]),
    [[7, 7]],
  )
})

test('what other sources say of a day stands beside it, also where the standing says where to look', async () => {
  const { metrics } = site
  const question = { id: 'fees.total', entity: 'bitcoin', ...EARLY_DAYS }
  const { differences } = await metrics.series(question, undefined, await metrics.standing())
  assert.deepEqual(
    new Set(differences.map(({ source }) => source)),
    new Set(['bitcoin.getblockstats', 'bitcoin.network_daily', 'blockchain.com']),
  )
})

test('transactions of BOB are L2BEAT’s where no block of it is held, without the day that may be a part', async () => {
  const { points, sources } = await site.metrics.series({ id: 'tx.count', entity: 'bob' })
  const known = points.filter(({ value }) => value !== null)
  const of = (day: string) => known.find(point => point.day === day)
  assert.deepEqual([known.length, known[0]?.day, known.at(-1)?.day], [207, '2024-04-11', '2024-11-03'])
  assert.deepEqual([of('2024-05-27')?.value, of('2024-05-27')?.source], [102_024, 'l2beat.bob'])
  assert.equal(
    known.filter(({ day }) => day.startsWith('2024-05')).reduce((sum, { value }) => sum + Number(value), 0),
    1_350_876,
  )
  assert.deepEqual(
    sources.map(({ id }) => id),
    ['l2beat.bob'],
  )
})

test('headers of Rootstock are kept beside blocks and count as none', async () => {
  const [headers] = await read<Record<string, string>>(
    `SELECT count() AS count, min(height) AS from_height, max(height) AS to_height, countIf(is_bitcoin_tagged) AS tagged,
  (SELECT count() FROM evm_blocks) AS blocks, (SELECT count() FROM evm_coverage) AS runs
FROM evm_headers WHERE chain = 'rootstock'`,
  )
  assert.deepEqual(Object.values(headers ?? {}).map(Number), [256, 4_481_138, 4_481_393, 256, 0, 0])
})

test('every outside figure comes from a source that its metric names', async () => {
  const rows = await read<{ metric: string; entity: string; source: string }>(
    'SELECT DISTINCT metric, entity, source FROM observations ORDER BY metric, entity, source',
  )
  const shown = metricsOf(await testCatalog())
  assert.ok(rows.length > 200)
  for (const { metric, entity, source } of rows) {
    const entries = shown.filter(({ id }) => id === metric)
    if (entries.length === 0 && OF_PUBLISHERS.test(metric)) continue
    const entry = entries.find(({ entities }) => entities.includes(entity))
    // A publisher's list also knows Bitcoin and protocols, which not every metric has a page for.
    if (entry === undefined && OF_PUBLISHERS.test(metric)) continue
    assert.ok(entry?.sources.includes(source), `${metric} of ${entity} by ${source}`)
  }
})

/** Figures that publishers give of whole lists, and recordings of an application: kept also where no metric shows them of an entity. */
const OF_PUBLISHERS = /^(tvl|stables|dex|fees\.chain_usd|btc|token|risk|cdp)/

const published = async (
  metric: string,
  entity: string,
  day: string,
  more: { key?: string; source?: string } = {},
) => {
  const rows = await read<{ value: number | null; amount: string | null; source: string }>(
    `SELECT value, amount, source FROM latest_observations
WHERE metric = {metric:String} AND entity = {entity:String} AND day = {day:Date} AND key = {key:String}
  AND ({source:String} = '' OR source = {source:String})`,
    { metric, entity, day, key: more.key ?? '', source: more.source ?? '' },
  )
  assert.equal(rows.length, 1, `${metric} of ${entity} on ${day}`)
  return rows[0]!.value ?? Number(rows[0]!.amount)
}

test('recorded figures of publishers are those that their recordings are known by', async () => {
  assert.deepEqual(
    await read(
      "SELECT toString(day) AS day, value FROM latest_observations WHERE metric = 'tvl.total' AND entity = 'rootstock' ORDER BY value DESC LIMIT 1",
    ),
    [{ day: '2025-10-07', value: 283_447_916 }],
  )
  assert.equal(await published('stables.cap', 'stacks', '2026-08-20'), 11_926_733.04)
  assert.equal(Math.floor(await published('stables.cap', 'rootstock', '2026-08-20')), 12_255_041)
  assert.equal(await published('btc.bridged', 'merlin', '2024-10-22'), 930_300_000_000)
  assert.equal(
    await published('btc.by_token', 'stacks', '2026-08-05', { key: 'stacks-sbtc' }),
    251_751_958_739,
  )
  assert.equal(
    await published('btc.by_token', 'liquid', '2026-08-05', { key: 'liquid-lbtc' }),
    472_351_505_929,
  )
  assert.equal(
    await published('lightning.channels', 'bitcoin', '2026-08-05', { source: 'explorers.recorded' }),
    37_444,
  )
  assert.equal(await published('dex.volume', 'bitflow', '2025-07-22'), 2_673_655)
  assert.equal(await published('token.supply', 'btc', '2026-02-21'), 19_992_828)
  assert.equal(await published('risk.custody', 'rootstock', '2025-07-14'), 3)
})

test('protocols of Rootstock without bridges and exchanges come to 69.2 M, as DefiLlama’s chain has it', async () => {
  const [row] = await read<{ sum: number; bridges: string }>(
    `SELECT sum(value) AS sum, countIf(key IN ('rsk-bridge', 'gate', 'boltz', 'symbiosis')) AS bridges
FROM latest_observations WHERE metric = 'tvl.by_protocol' AND entity = 'rootstock' AND day = '2026-08-05'`,
  )
  assert.deepEqual([Math.round(row!.sum / 1e5) / 10, row!.bridges], [69.2, '0'])
  near(await published('tvl.total', 'rootstock', '2026-08-05'), row!.sum, 0.002)
})

test('of several captures of a day the one that is believed most is kept, and a doubtful one is not', async () => {
  assert.equal(await published('tvl.total', 'rootstock', '2025-08-08'), 271_202_173)
  assert.deepEqual(
    await read(
      "SELECT entity FROM observations WHERE metric = 'tvl.total' AND entity IN ('merlin', 'b2-network') AND day = '2025-08-08'",
    ),
    [],
  )
})

test('prices of two publishers lie as near to each other as their recordings are known to', async () => {
  const pairs = await read<{ asset: string; days: number; median: number }>(
    `SELECT a.asset AS asset, toUInt32(count()) AS days, median(abs(a.close / b.close - 1)) AS median
FROM prices AS a INNER JOIN prices AS b ON b.asset = a.asset AND b.day = a.day
WHERE (a.source, b.source) IN (
  ('coingecko.chart.recorded', 'yahoo.recorded'), ('yahoo.recorded', 'btcusd.typedcypher'),
  ('yahoo.recorded', 'btcusd.brk'), ('binance.recorded', 'stxusdt.bybit'), ('coingecko.chart.recorded', 'binance.recorded'))
  AND a.asset IN ('BTC', 'STX')
GROUP BY asset, a.source, b.source ORDER BY asset, days`,
  )
  assert.deepEqual(
    pairs.map(({ asset, days }) => [asset, days]),
    [
      ['BTC', 365],
      ['BTC', 4167],
      ['BTC', 4327],
      ['STX', 364],
      ['STX', 1288],
    ],
  )
  for (const [i, atMost] of [0.0025, 0.0015, 0.0015, 0.005, 0.0009].entries())
    assert.ok(pairs[i]!.median <= atMost, `${pairs[i]!.asset}: ${pairs[i]!.median}`)
})

test('a grade corrected in the catalogue stands beside the old one, and a layer that is new brings its own', async () => {
  const catalog = await testCatalog()
  const rootstock = catalog.layers.find(({ slug }) => slug === 'rootstock')!
  const [assessment] = rootstock.assessments
  const corrected = {
    ...rootstock,
    assessments: [{ ...assessment!, grades: { ...assessment!.grades, custody: 'Low' as const } }],
  }
  const added = { ...corrected, slug: 'a-new-layer' }
  assert.equal(await loadAssessments(site.warehouse, catalog), 0)
  assert.equal(await loadAssessments(site.warehouse, { ...catalog, layers: [corrected, added] }), 5)
  assert.equal(await loadAssessments(site.warehouse, { ...catalog, layers: [corrected, added] }), 0)
  // Whichever row of the source the engine keeps, it is as old as its newest grade.
  assert.deepEqual(
    await read(
      "SELECT toUInt32(uniqExact(recorded_at)) AS times FROM sources WHERE id = 'bitcoinlayers.assessments'",
    ),
    [{ times: 1 }],
  )
  assert.deepEqual(
    await read(
      "SELECT value FROM observations WHERE metric = 'risk.custody' AND entity = 'rootstock' ORDER BY value",
    ),
    [{ value: 1 }, { value: 3 }],
  )
  await site.warehouse.writer.command({
    query:
      "DELETE FROM base.observations WHERE entity = 'a-new-layer' OR (entity = 'rootstock' AND metric = 'risk.custody' AND value = 1)",
  })
})
