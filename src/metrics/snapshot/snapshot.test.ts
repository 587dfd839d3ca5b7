/** A fresh install would show wrong or missing figures. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { sourcesNamed } from '#kernel/sourceNames.ts'
import { parseCsv } from '#sources/csv.ts'
import { aPart } from '#tests/aPart.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import type { SeriesQuery } from '../answers.ts'
import { ask } from '../ask.ts'
import { isBlank } from '../readRows.ts'
import { metricsOf } from '../registry.ts'
import { moneyOf } from '../seriesSql.ts'
import { openSnapshotMetrics, SNAPSHOT_DIR } from '../testing.ts'
import { loadAssessments } from './loadAssessments.ts'
import { readManifest, readSnapshotFile } from './manifest.ts'

const CATALOG = await testCatalog()
const METRICS = metricsOf(CATALOG)
let site: Awaited<ReturnType<typeof openSnapshotMetrics>>
const steps = new Set<string>()
before(async () => {
  site = await openSnapshotMetrics(({ step }) => steps.add(step))
})
after(() => site[Symbol.asyncDispose]())

const read = <Row>(sql: string, parameters?: Record<string, string>) =>
  ask<Row>(site.warehouse.reader, sql, parameters)

const series = (
  id: string,
  more: {
    entity?: string
    from?: string
    to?: string
    grain?: string
    unit?: 'btc' | 'usd'
    breakdown?: string[]
  } = {},
) => site.metrics.series({ id, entity: 'bitcoin', ...more })

async function at(id: string, day: string, more: { entity?: string; key?: string } = {}) {
  const { points } = await series(id, {
    from: day,
    to: day,
    ...(more.entity === undefined ? {} : { entity: more.entity }),
  })
  return points.find(point => point.key === (more.key ?? ''))
}

/**
 * A figure of the EVM layers has the same statement for each, and publishers' figures have one for many metrics: one stands
 * for all.
 */
function oneOfEach<
  Entry extends { id: string; entities: readonly string[]; sql: string; sources: readonly unknown[] },
>(all: readonly Entry[]): Entry[] {
  const isOfLayer = (entity: string) => CATALOG.evm.some(({ id }) => id === entity)
  const shapeOf = ({ id, sql, entities, sources }: Entry) =>
    JSON.stringify(sources).includes('.chain"')
      ? `${id} ${isOfLayer(entities[0]!) ? 'of a layer' : entities[0]}`
      : sql.replaceAll(/'[^']*'/g, "''")
  const shapes = all.map(shapeOf)
  return all.filter((_, at) => shapes.indexOf(shapes[at]!) === at)
}

const near = (value: unknown, expected: number, relative = 1e-12) =>
  assert.ok(Math.abs(Number(value) / expected - 1) <= relative, `${value} is not ${expected}`)

test('the snapshot takes at most 25 MB, and each file is what the manifest says', async () => {
  const { files } = await readManifest(SNAPSHOT_DIR)
  assert.ok(files.reduce((sum, { path }) => sum + statSync(join(SNAPSHOT_DIR, path)).size, 0) <= 25_000_000)
  for (const file of files) assert.equal((await readSnapshotFile(SNAPSHOT_DIR, file)).length, file.bytes)
  assert.ok(files.every(({ licence, source, from }) => licence !== '' && source !== '' && from !== ''))
})

test('no file of a test-only publisher is in the snapshot', async () => {
  const text = JSON.stringify(await readManifest(SNAPSHOT_DIR)).toLowerCase()
  for (const publisher of [
    'coinmetrics',
    'coin metrics',
    'cryptoquant',
    'glassnode',
    'coindesk',
    'valuation',
  ]) {
    assert.ok(!text.includes(publisher), publisher)
  }
})

test('loading the snapshot again changes no row', async () => {
  const count = () =>
    read(`SELECT (SELECT count() FROM btc_blocks) AS blocks, (SELECT count() FROM btc_block_stats) AS stats,
      (SELECT count() FROM observations) AS observed, (SELECT count() FROM prices) AS prices,
      (SELECT count() FROM btc_stale_blocks) AS stale, (SELECT count() FROM rollup_runs) AS runs, (SELECT count() FROM sources) AS sources`)
  const once = await count()
  assert.deepEqual(await site.reload(), { isNew: false })
  assert.deepEqual(await count(), once)
  assert.deepEqual([...steps], ['series', 'blocks', 'rollups'])
})

test('tx.count and fees.total of 2025-12-01 are those of Bitcoin Core, by header time and by median time past', async () => {
  assert.equal((await at('tx.count', '2025-12-01'))?.value, 401_990)
  assert.equal((await at('fees.total', '2025-12-01'))?.value, 410_050_906)
  assert.deepEqual(
    await read(
      "SELECT toUInt32(sum(tx_count) - count()) AS txs, toUInt32(sum(fee_sat)) AS fees FROM btc_block_facts WHERE day_mtp = '2025-12-01'",
    ),
    [{ txs: 399_941, fees: 401_880_956 }],
  )
})

test('miners.hashrate of a day takes each block at its own difficulty', async () => {
  near((await at('miners.hashrate', '2025-12-11', { key: '1d' }))?.value, 1179.9020243226, 1e-13)
})

test('miners.hashrate equals blockchain.com to 1e-12 on every day since 2021-07-02', async () => {
  const { differences } = await series('miners.hashrate', { from: '2021-07-02', breakdown: ['1d'] })
  assert.ok(differences.length > 200)
  for (const { value, chosen } of differences) near(value, Number(chosen))
})

test('coin days destroyed, coins moved and dormancy of 2009-01-12 come out', async () => {
  near((await at('coin.days_destroyed', '2009-01-12'))?.value, 170.1478009259, 1e-12)
  near((await at('coin.dormancy', '2009-01-12'))?.value, 0.9505463739, 1e-10)
  const [block] = await read<{ days: number }>(
    `SELECT sum(toFloat64(prev_value_sat) * (toInt64(block_time) - toInt64(prev_time))) / 8640000000000 AS days
FROM btc_inputs WHERE height = 170 AND NOT is_coinbase`,
  )
  near(block?.days, 149.1585648148148, 1e-15)
})

test('after block 4312 there are 4149 unspent outputs worth 4312 × 50 BTC', async () => {
  const last = { from: '2009-02-14', to: '2009-02-14' }
  assert.deepEqual((await series('utxo.count', last)).points, [
    { day: '2009-02-14', value: 4149, key: '', source: 'bitcoin.chain', state: 'incomplete' },
  ])
  assert.equal((await at('supply.spendable', '2009-02-14'))?.value, 21_560_000_000_000)
  assert.equal((await at('supply.unspendable', '2009-02-14'))?.value, 5_000_000_000)
  assert.equal((await at('supply.issued', '2009-02-14'))?.value, 21_565_000_000_000)
  assert.equal((await at('supply.scheduled', '2009-02-14'))?.value, 21_565_000_000_000)
  assert.equal((await at('supply.unclaimed', '2009-02-14'))?.value, 0)
})

test('running sums have no figure after the first gap since genesis', async () => {
  for (const id of [
    'supply.spendable',
    'utxo.by_value',
    'utxo.age_bands',
    'addresses.funded',
    'addresses.new',
    'cap.realised',
  ]) {
    const { points } = await series(id, { from: '2009-02-15' })
    assert.deepEqual(points, [], id)
  }
})

test('bands of the unspent set add up to it', async () => {
  const range = { from: '2009-01-03', to: '2009-02-14' }
  const sumOf = async (id: string) => {
    const sums = new Map<string, number>()
    for (const { day, value } of (await series(id, range)).points)
      sums.set(day, (sums.get(day) ?? 0) + Number(value))
    return [...sums]
  }
  assert.deepEqual(await sumOf('utxo.by_value'), await sumOf('utxo.count'))
  assert.deepEqual(await sumOf('utxo.age_bands'), await sumOf('supply.spendable'))
})

test('addresses.active counts 154 on 2009-02-03, where raw scripts would give 156', async () => {
  assert.equal((await at('addresses.active', '2009-02-03'))?.value, 154)
})

test(
  'addresses.active by median time past equals Coin Metrics on 36 of 36 days',
  skipWithoutShared,
  async () => {
    const theirs = parseCsv(
      readFileSync(shared('data/bitcoin/series/network-daily-coinmetrics.csv'), 'utf8'),
      ['date', 'active_addresses'],
      'coinmetrics',
    ).filter(({ date }) => date >= '2009-01-09' && date <= '2009-02-13')
    const ours = await read<{ day: string; value: string }>(
      "SELECT bucket AS day, address_count AS value FROM btc_active_buckets WHERE grain = 'day_mtp' ORDER BY day",
    )
    const byDay = new Map(ours.map(({ day, value }) => [day, value]))
    assert.equal(theirs.length, 36)
    assert.deepEqual(
      theirs.map(({ date }) => byDay.get(date)),
      theirs.map(({ active_addresses: count }) => count),
    )
  },
)

test('tx.count and fees by median time past equal Coin Metrics', skipWithoutShared, async () => {
  const ours = await read<{ day: string; txs: number; fees: number; blocks: number }>(
    `SELECT day_mtp AS day, toUInt32(sum(tx_count) - count()) AS txs, toFloat64(sum(fee_sat)) AS fees, count() AS blocks
FROM btc_block_facts WHERE day_mtp BETWEEN '2025-08-11' AND '2026-01-31' GROUP BY day ORDER BY day`,
  )
  const file = (name: string, columns: readonly string[]) =>
    new Map(
      parseCsv(readFileSync(shared(`data/bitcoin/series/${name}`), 'utf8'), ['date', ...columns], name).map(
        row => [row.date!, row],
      ),
    )
  const counts = file('network-daily-coinmetrics-2015-2026.csv', ['tx_count'])
  const fees = file('network-daily-coinmetrics-2025-2026.csv', ['fees_btc'])
  const off = ours.filter(({ day, txs }) => Number(counts.get(day)?.tx_count) !== txs)
  assert.equal(ours.length, 174)
  assert.ok(
    off.length <= 1 && off.every(({ day, txs }) => Math.abs(Number(counts.get(day)?.tx_count) - txs) <= 2),
  )
  const withFees = ours.filter(({ day }) => fees.has(day))
  assert.ok(withFees.length >= 87)
  for (const { day, fees: sat } of withFees) near(sat / 1e8, Number(fees.get(day)?.fees_btc), 1e-5)
})

test('every whole day of the node’s statistics adds up to network-daily.csv', skipWithoutShared, async () => {
  const rows = parseCsv(
    readFileSync(shared('data/bitcoin/series/network-daily.csv'), 'utf8'),
    ['date', 'blocks', 'tx_count', 'fees_sat', 'output_value_sat', 'utxo_increase'],
    'network-daily',
  ).filter(({ date }) => date < '2009-02-14' || date > '2009-05-18')
  const figures = await Promise.all(
    ['blocks.count', 'tx.count_with_coinbase', 'fees.total', 'value.transferred', 'utxo.change'].map(
      async id => {
        const { points } = await series(id)
        return new Map(points.map(point => [point.day, point]))
      },
    ),
  )
  for (const row of rows) {
    const ours = figures.map(figure => figure.get(row.date))
    assert.deepEqual(
      ours.map(point => point?.value),
      [row.blocks, row.tx_count, row.fees_sat, row.output_value_sat, row.utxo_increase].map(Number),
      row.date,
    )
    assert.deepEqual(new Set(ours.map(point => point?.state)), new Set(['whole']))
  }
})

test('our rows agree with the node’s statistics wherever both are held', async () => {
  assert.deepEqual(
    await read(
      `SELECT count() AS both, countIf(
  r.hash = s.hash AND r.tx_count = s.tx_count AND r.input_count = s.input_count + 1 AND r.output_count = s.output_count
  AND r.output_sat - r.coinbase_sat = s.output_sat AND ifNull(r.fee_sat, s.fee_sat) = s.fee_sat AND r.subsidy_sat = s.subsidy_sat
  AND r.block_time = s.block_time AND ifNull(r.median_time, s.median_time) = s.median_time) AS equal
FROM btc_blocks AS r INNER JOIN btc_block_stats AS s ON s.height = r.height`,
    ),
    [{ both: '3001', equal: '3001' }],
  )
})

test('what Stacks takes of block 739,990 is six transactions, 2,085 vB, 70,690 sat, and 1,825,490 sat bid', async () => {
  const ofStacks = { entity: 'stacks' }
  assert.equal((await at('l1.tx', '2022-06-09', ofStacks))?.value, 6)
  assert.equal((await at('l1.vbytes', '2022-06-09', ofStacks))?.value, 2085)
  assert.equal((await at('l1.fees', '2022-06-09', ofStacks))?.value, 70_690)
  assert.equal((await at('l1.value', '2022-06-09', ofStacks))?.value, 1_825_490)
  assert.equal((await at('l1.tx', '2022-06-09', ofStacks))?.state, 'incomplete')
})

test('bids and their concentration by block commit are those known for three blocks', async () => {
  const rows = await read<{ height: number; bid: number; hhi: number }>(
    `SELECT height, toUInt32(sum(value_sat)) AS bid, sum(pow(value_sat, 2)) / pow(sum(value_sat), 2) AS hhi
FROM btc_layer_ops WHERE op = 'stacks.block_commit' AND height IN (696394, 702861, 739990) GROUP BY height ORDER BY height`,
  )
  assert.deepEqual(
    rows.map(({ height, bid }) => [height, bid]),
    [
      [696394, 2_842_776],
      [702861, 2_599_330],
      [739990, 1_825_490],
    ],
  )
  for (const [i, hhi] of [0.15088978415, 0.12795796028, 0.20892743542676284].entries())
    near(rows[i]?.hhi, hhi, 1e-10)
})

test('a lone block never makes its day whole', async () => {
  for (const { day, height } of [
    { day: '2022-06-09', height: 739990 },
    { day: '2026-05-30', height: 951658 },
  ]) {
    assert.equal((await at('blocks.count', day))?.state, 'incomplete')
    assert.deepEqual((await series('miners.revenue', { from: day, to: day })).heights, [
      { from: height, to: height },
    ])
  }
  const whole = await at('fees.total', '2022-06-09')
  assert.deepEqual([whole?.source, whole?.state], ['blockchain.com', 'whole'])
})

test('percentiles, medians and distinct counts do not follow from a node’s statistics', async () => {
  for (const id of [
    'fees.rate',
    'fees.median_tx',
    'tx.median_vsize',
    'tx.batching',
    'addresses.active',
    'outputs.by_type',
  ]) {
    assert.deepEqual((await series(id, { from: '2025-12-01', to: '2025-12-31' })).points, [], id)
  }
})

test('every metric runs as a guest as it stands, with its defaults', async () => {
  for (const entry of aPart(oneOfEach(METRICS), 3)) {
    const rows = await ask<Record<string, unknown>>(
      site.warehouse.guest,
      // Answers to guests are cut there.
      `SELECT * FROM (\n${entry.sql}\n) LIMIT 10000`,
      Object.fromEntries(entry.parameters.map(({ name, default: value }) => [name, value])),
    )
    for (const column of ['day', 'key', 'value', 'state', 'source', 'from_height', 'to_height', 'as_of']) {
      assert.ok(rows.length === 0 || column in rows[0]!, `${entry.id} lacks ${column}`)
    }
    const keys = rows.map(({ day, key }) => `${day} ${key}`)
    assert.equal(new Set(keys).size, keys.length, `${entry.id} has a day twice`)
    const known = entry.breakdown?.values ?? []
    const strange = known.length === 0 ? undefined : rows.find(({ key }) => !known.includes(String(key)))
    assert.equal(strange, undefined, `${entry.id} has a value that its breakdown does not name`)
    assert.ok(
      rows.every(({ source }) => sourcesNamed(String(source)).every(name => entry.sources.includes(name))),
      `${entry.id} names not all its sources`,
    )
  }
})

test('every metric answers by week and month and in every unit that it has', async () => {
  const standing = await site.metrics.standing()
  for (const entry of aPart(oneOfEach(METRICS), 6)) {
    const entity = entry.entities[0]!
    const hasUnits = moneyOf(entry.unit) !== undefined || entry.unit === 'USD'
    await site.metrics.series({ id: entry.id, entity, grain: 'week' }, undefined, standing)
    const unit = hasUnits ? 'usd' : 'native'
    const month = await site.metrics.series(
      { id: entry.id, entity, grain: 'month', unit },
      undefined,
      standing,
    )
    assert.ok(
      month.points.every(({ day }) => day.endsWith('-01')),
      entry.id,
    )
    assert.equal(month.unit, hasUnits ? 'USD' : entry.unit)
  }
})

test('the statement of an answer gives its points when run as it stands', async () => {
  for (const query of [
    { id: 'fees.total', grain: 'month', unit: 'usd' as const },
    { id: 'addresses.active', grain: 'week' },
    { id: 'fees.block_rate', grain: 'week', breakdown: ['p50'] },
  ]) {
    const { sql, parameters, points } = await site.metrics.series({
      entity: 'bitcoin',
      from: '2021-05-03',
      to: '2021-08-20',
      ...query,
    })
    const rows = await ask<{ day: string; key: string; value: number | null }>(
      site.warehouse.guest,
      sql,
      parameters,
    )
    assert.deepEqual(
      rows.map(({ day, key, value }) => [day, key, value]),
      points.filter(({ source }) => source !== '').map(({ day, key, value }) => [day, key, value]),
    )
  }
})

test('a month of fees is the sum of its days, in satoshis and at each day’s close', async () => {
  const range = { from: '2025-12-01', to: '2025-12-31' }
  const [days, usd, month, monthUsd] = await Promise.all([
    series('fees.total', range),
    series('fees.total', { ...range, unit: 'usd' }),
    series('fees.total', { ...range, grain: 'month' }),
    series('fees.total', { ...range, grain: 'month', unit: 'usd' }),
  ])
  const sum = (points: { value: unknown }[]) => points.reduce((total, { value }) => total + Number(value), 0)
  assert.deepEqual(
    month.points.map(({ value, state }) => [value, state]),
    [[sum(days.points), 'whole']],
  )
  near(monthUsd.points[0]?.value, sum(usd.points), 1e-12)
  assert.equal(monthUsd.unit, 'USD')
})

test('a ratio of a month is computed from its sums, not as a mean of its days', async () => {
  const range = { from: '2025-12-01', to: '2025-12-31' }
  const [fees, claimable, share] = await Promise.all([
    series('fees.total', { ...range, grain: 'month' }),
    series('miners.claimable', { ...range, grain: 'month' }),
    series('fees.share_claimable', { ...range, grain: 'month' }),
  ])
  near(share.points[0]?.value, Number(fees.points[0]?.value) / Number(claimable.points[0]?.value))
})

test('distinct addresses of a week are counted anew', async () => {
  const range = { from: '2009-01-19', to: '2009-01-25' }
  const days = await series('addresses.active', range)
  const { points } = await series('addresses.active', { ...range, grain: 'week' })
  const [row] = await read<{ count: number }>(
    `SELECT toUInt32(uniqExact(address)) AS count FROM btc_address_days WHERE bucket BETWEEN '2009-01-19' AND '2009-01-25'`,
  )
  assert.deepEqual(
    points.map(({ value, state }) => [value, state]),
    [[row?.count, 'whole']],
  )
  assert.ok(Number(row?.count) < days.points.reduce((sum, { value }) => sum + Number(value), 0))
})

test('a gap breaks the line with null, never with 0', async () => {
  const { points } = await series('blocks.count', { from: '2009-05-17', to: '2009-12-31' })
  assert.deepEqual(
    points.map(({ day, value }) => [day, value]),
    [
      ['2009-05-17', 127],
      ['2009-05-18', 118],
      ['2009-05-19', null],
      ['2009-12-29', null],
      ['2009-12-30', 1],
    ],
  )
})

test('a figure is the newest whole bucket, and its change is null where the older one is missing', async () => {
  const month = await site.metrics.figure({ id: 'fees.total', entity: 'bitcoin', changeRange: '30d' })
  assert.deepEqual(
    [month.point?.day, month.point?.value, month.point?.state],
    ['2026-01-31', 304_066_780, 'whole'],
  )
  const before = (await at('fees.total', '2026-01-01'))?.value
  near(month.change! + 1, 304_066_780 / Number(before))
  assert.deepEqual(
    [month.spark.length, month.spark[0], month.spark.at(-1)],
    [31, Number(before), 304_066_780],
    'the spark begins where the change does',
  )
  const year = await site.metrics.figure({ id: 'blocks.count', entity: 'bitcoin', changeRange: '1y' })
  assert.equal(year.change, null)
  assert.equal(year.asOf.state, 'recorded')
})

test('a metric that nothing covers whole says so instead of a figure', async () => {
  const figure = await site.metrics.figure({ id: 'cap.mvrv', entity: 'bitcoin', changeRange: '30d' })
  assert.equal(figure.point, null)
  assert.notEqual(figure.absent, null)
})

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

test('a parameter at fault is named', async () => {
  const faults: [Partial<SeriesQuery> & { id: string }, string, string][] = [
    [{ id: 'fees.totl' }, 'metrics.unknown_metric', 'id'],
    [{ id: 'fees.total', entity: 'dogecoin' }, 'metrics.unknown_entity', 'entity'],
    [{ id: 'fees.total', from: '2025-02-30' }, 'metrics.from', 'from'],
    [{ id: 'fees.total', from: '2025-02-03', to: '2025-02-01' }, 'metrics.from', 'from'],
    [{ id: 'fees.total', grain: 'fortnight' }, 'metrics.grain', 'grain'],
    [{ id: 'tx.count', unit: 'usd' }, 'metrics.unit', 'unit'],
    [{ id: 'fees.total', breakdown: ['x'] }, 'metrics.breakdown', 'breakdown'],
    [{ id: 'fees.block_rate', breakdown: ['p42'] }, 'metrics.breakdown', 'breakdown'],
  ]
  for (const [query, code, parameter] of faults) {
    await assert.rejects(
      site.metrics.series({
        entity: 'bitcoin',
        ...query,
      }),
      (error: { code: string; facts: { parameter: string } }) => {
        assert.deepEqual([error.code, error.facts.parameter], [code, parameter])
        return true
      },
    )
  }
})

/** Days that blocks, a node's statistics and a publisher all tell of. */
const EARLY_DAYS = { from: '2009-01-20', to: '2009-02-10' }

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

test('where a figure is told to be unknown without asking, its statement has none', async () => {
  const standing = await site.metrics.standing()
  const blank = METRICS.flatMap(metric =>
    metric.entities.flatMap(entity => (isBlank(metric, entity, standing) ? [{ metric, entity }] : [])),
  )
  assert.ok(blank.length > 300, `${blank.length} are blank`)
  for (const { metric, entity } of aPart(blank, 48)) {
    const { points } = await series(metric.id, { entity })
    assert.deepEqual(
      points.filter(({ value }) => value !== null),
      [],
      `${metric.id} of ${entity}`,
    )
  }
})

test('figures and ranges cut from a kept history are what the statements return', async () => {
  const { metrics } = site
  const standing = await metrics.standing()
  // What is combined from two metrics is as right as these, which are asked.
  const first = oneOfEach(await metrics.list()).filter(
    ({ id }) => !/^(users\.|rev\.|tvl\.(per|turn))/.test(id),
  )
  const ranges = [EARLY_DAYS, { from: '2010-06-05', to: '2024-05-01' }]
  for (const [i, { id, entities }] of aPart(first, 12).entries()) {
    const query = { id, entity: entities[0]! }
    const figure = { ...query, changeRange: '30d' } as const
    // Each metric by one of the ranges: without a standing an answer costs a quarter of a second.
    const range = { ...query, ...ranges[i % ranges.length]! }
    assert.deepEqual(await metrics.series(range, undefined, standing), await metrics.series(range), id)
    assert.deepEqual(await metrics.figure(figure, undefined, standing), await metrics.figure(figure), id)
  }
})

test('recomputing every rollup changes nothing', async () => {
  const tables = [
    'btc_block_facts',
    'btc_tx_buckets',
    'btc_input_days',
    'btc_output_days',
    'btc_flow_days',
    'btc_band_days',
    'btc_cohort_months',
    'btc_age_days',
    'btc_address_days',
    'btc_active_buckets',
    'btc_holder_days',
    'btc_protocol_days',
    'btc_layer_days',
    'btc_peg_days',
    'btc_held_buckets',
  ]
  const prints = () =>
    Promise.all(
      tables.map(table => read(`SELECT count() AS rows, groupBitXor(cityHash64(*)) AS print FROM ${table}`)),
    )
  const first = await prints()
  await site.warehouse.writer.command({ query: 'TRUNCATE TABLE base.rollup_runs' })
  const { buckets } = await site.metrics.refreshRollups()
  assert.ok(buckets > 1000)
  assert.deepEqual(await prints(), first)
  assert.deepEqual(await site.metrics.refreshRollups(), { buckets: 0, rollups: 0 })
})
