/** A fresh install would show wrong or missing figures. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseCsv } from '#sources/csv.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { SNAPSHOT_DIR } from '../testing.ts'
import { readManifest, readSnapshotFile } from './manifest.ts'
import { at, near, read, series, site, steps } from './sharedSnapshot.testing.ts'

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
