/** Metrics of Stacks would fail or claim days with missing blocks. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { parseCsv } from '#sources/csv.ts'
import { aPart } from '#tests/aPart.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { prices, sources } from '#warehouse/tables/observations.ts'
import type { SeriesQuery } from '../answers.ts'
import { ask } from '../ask.ts'
import { openSnapshotMetrics, type TestMetrics } from '../testing.ts'
import { STACKS_METRICS } from './index.ts'

let site: TestMetrics
before(async () => {
  site = await openSnapshotMetrics()
})
after(() => site[Symbol.asyncDispose]())

const pointsOf = async (id: string, more: Partial<SeriesQuery> = {}) =>
  (await site.metrics.series({ id, entity: 'stacks', ...more })).points

const read = <Row>(sql: string) => ask<Row>(site.warehouse.reader, sql)

type Answer = { metric: string; at: string; value: number | string | (number | string)[] }
const known = (): Answer[] => JSON.parse(readFileSync(shared('data/known-answers.json'), 'utf8'))
const answerOf = (metric: string): (number | string)[] => {
  const answer = known().find(one => one.metric === metric)
  assert.ok(answer, metric)
  return [answer.value].flat()
}

test('every metric of Stacks runs as it stands, for a guest, and its figures have what a metric returns', async () => {
  for (const { id, entities } of aPart(STACKS_METRICS, 6)) {
    for (const entity of entities) {
      const { sql, parameters, points } = await site.metrics.series({ id, entity })
      const rows = await ask<{ value: unknown }>(site.warehouse.guest, sql, parameters)
      assert.equal(rows.length, points.filter(({ source }) => source !== '').length, id)
      await site.metrics.figure({ id, entity, changeRange: '30d' })
    }
  }
})

test('what the recorded blocks hold is counted once, and only the first day of the chain passes for whole', async () => {
  const [sums] = await read<Record<string, string>>(
    `SELECT
  toString(countIf(kind IN ('token_transfer', 'contract_call', 'smart_contract', 'versioned_smart_contract', 'bitcoin_op', 'poison_microblock', 'unknown'))) AS users,
  toString(sumIf(fee_ustx, kind NOT IN ('coinbase', 'tenure_change'))) AS fees,
  (SELECT toString(sum(coinbase_ustx)) FROM stx_miner_rewards) AS coinbase,
  (SELECT toString(count()) FROM stx_calls) AS calls,
  (SELECT toString(count()) FROM stx_contracts) AS contracts
FROM stx_txs`,
  )
  for (const [id, sum] of [
    ['tx.count', sums?.users],
    ['fees.total', sums?.fees],
    ['supply.emitted', sums?.coinbase],
    ['calls.by_contract', sums?.calls],
    ['calls.by_function', sums?.calls],
    ['contracts.deployed', sums?.contracts],
    ['blocks.count', '53'],
  ] as const) {
    const points = (await pointsOf(id)).filter(({ value }) => value !== null)
    assert.equal(String(points.reduce((all, { value }) => all + Number(value), 0)), sum, id)
    for (const { day, state } of points)
      assert.equal(state, day === '2021-01-14' ? 'whole' : 'incomplete', `${id} of ${day}`)
  }
  const query = { entity: 'stacks', changeRange: '30d' } as const
  assert.equal((await site.metrics.figure({ id: 'blocks.count', ...query })).point?.day, '2021-01-14')
  const { point, absent } = await site.metrics.figure({ id: 'pox.signers', ...query })
  assert.equal(point, null)
  assert.match(absent ?? '', /STACKS_OBSERVER_PORT/)
})

test('a figure whose days all have gaps is none, and says which days it has and what would make them whole', async () => {
  const mints = (await pointsOf('nft.mints')).filter(({ value }) => value !== null)
  assert.ok(mints.length > 0 && mints.every(({ state }) => state === 'incomplete'))
  const days = mints.map(({ day }) => day)
  for (const standing of [undefined, await site.metrics.standing()]) {
    const { point, absent, spark } = await site.metrics.figure(
      { id: 'nft.mints', entity: 'stacks', changeRange: '30d' },
      undefined,
      standing,
    )
    assert.deepEqual([point, spark], [null, []])
    assert.match(absent ?? '', /^Every day with a figure has gaps: /)
    for (const day of [days[0] ?? '', days.at(-1) ?? '', 'assay backfill']) assert.ok(absent?.includes(day))
  }
})

test('a figure of Stacks names the heights of Stacks that it rests on', async () => {
  const { heights } = await site.metrics.series({ id: 'blocks.count', entity: 'stacks' })
  assert.deepEqual(heights, [
    { from: 1, to: 47 },
    ...[120, 1352, 1379, 6910, 51_451, 51_655].map(height => ({ from: height, to: height })),
  ])
})

test('senders of a month are counted anew', async () => {
  const [month] = await pointsOf('addresses.senders', {
    grain: 'month',
    from: '2021-01-01',
    to: '2021-01-31',
  })
  const [counted] = await read<{ senders: string }>(
    `SELECT toString(uniqExact(sender)) AS senders FROM stx_txs
WHERE kind NOT IN ('coinbase', 'tenure_change') AND sender != '' AND toStartOfMonth(block_time) = '2021-01-01'`,
  )
  assert.equal(String(month?.value), counted?.senders)
})

test('bids and their concentration are the known answers, block by block', skipWithoutShared, async () => {
  const days = await read<{ day: string; height: number }>(
    'SELECT DISTINCT toDate(block_time) AS day, height FROM btc_blocks WHERE height IN (696394, 702861, 739990) ORDER BY height',
  )
  const at = async (id: string) =>
    Promise.all(
      days.map(async ({ day, height }) => {
        const points = await pointsOf(id, { from: day, to: day, grain: 'block' })
        return Number(points.find(point => point.height === height)?.value)
      }),
    )
  const [bid, hhi] = answerOf('miners.bid, miners.hhi').map(Number)
  assert.deepEqual(await at('miners.bid'), [2_842_776, 2_599_330, bid])
  const found = await at('miners.hhi')
  for (const [i, expected] of [0.15088978415, 0.12795796028, hhi!].entries())
    assert.ok(Math.abs(found[i]! / expected - 1) < 1e-10, `${found[i]} is not ${expected}`)
  assert.deepEqual(await at('miners.commits'), [7, 9, 6])
})

test('each recorded commit is a row with its bid and its pointers', skipWithoutShared, async () => {
  const columns = [
    'bitcoin_height',
    'tx_index',
    'txid',
    'committed_sats',
    'outputs',
    'parent_block',
    'key_block',
  ] as const
  const recorded = parseCsv(
    readFileSync(shared('data/stacks/series/miner_commits_sample.csv'), 'utf8'),
    columns,
    'sample',
  )
  const rows = await read<Record<string, string>>(
    `SELECT toString(height) AS bitcoin_height, toString(tx_index) AS tx_index, lower(hex(txid)) AS txid,
  toString(bid_sat) AS committed_sats, toString(output_count) AS outputs, toString(parent_block) AS parent_block,
  toString(key_block) AS key_block
FROM stx_block_commits AS c WHERE c.height IN (696394, 702861, 739990) ORDER BY c.height, c.tx_index`,
  )
  assert.deepEqual(
    rows,
    recorded.map(row => Object.fromEntries(columns.map(name => [name, row[name]]))),
  )
  const [l1] = await read<{ fees: string; txs: string }>(
    'SELECT toString(sum(fee_sat)) AS fees, toString(count()) AS txs FROM stx_block_commits WHERE height = 739990',
  )
  const [txs, , fees] = answerOf('l1.tx, l1.vbytes, l1.fees').map(String)
  assert.deepEqual(l1, { fees, txs })
})

test(
  'the endowment moved 23.41 M STX to itself and spent 0.4 of one: the known answers',
  skipWithoutShared,
  async () => {
    const [internal, external] = answerOf('sip031.outflow_internal, sip031.outflow_external')
    const newest = async (id: string) => String((await pointsOf(id)).at(-1)?.value)
    assert.equal(await newest('sip031.outflow_internal'), internal)
    assert.equal(await newest('sip031.outflow_external'), external)
    assert.equal(await newest('sip031.inflow'), '107334918671866')
  },
)

test('the census of cycle 20 is one figure of the network, the pool has its own', async () => {
  assert.deepEqual(
    (await pointsOf('pox.stacked')).map(({ value }) => value),
    [442_251_057_311_186],
  )
  const pool = await pointsOf('pox.stacked', { entity: 'fast-pool' })
  assert.equal(pool.length, 125)
  assert.equal(pool.at(-2)?.value, 57_884_362_080_855)
})

test(
  'yield of cycle 121 is the known answer once the closes are those it was worked out from',
  skipWithoutShared,
  async () => {
    const recordedAt = Date.UTC(2026, 7, 22) / 1000
    await site.warehouse.insertRows(sources, [
      {
        id: 'test.closes',
        name: 'test.closes',
        url: '',
        licence: '',
        rank: 1n,
        cadenceSeconds: null,
        recordedAt,
        about: '',
      },
    ])
    const closes = parseCsv(
      readFileSync(shared('data/market/prices-daily.csv'), 'utf8'),
      ['date', 'symbol', 'close_usd'],
      'prices-daily.csv',
    ).filter(({ symbol, date }) => symbol === 'BTC' && date >= '2025-10-01' && date <= '2025-11-30')
    await site.warehouse.insertRows(
      prices,
      closes.map(({ date, close_usd }) => ({
        asset: 'BTC',
        quote: 'USD',
        day: date,
        open: null,
        high: null,
        low: null,
        close: Number(close_usd),
        source: 'test.closes',
        observedAt: recordedAt,
      })),
    )
    await site.metrics.refreshRollups()
    const points = await pointsOf('pox.yield', { entity: 'fast-pool' })
    const [found] = await read<{ day: string }>(
      "SELECT day FROM latest_observations WHERE metric = 'pox.cycle' AND amount = 121",
    )
    const [perCycle, perYear] = answerOf('pox.yield (one pool)').map(Number)
    const value = (key: string) =>
      Number(points.find(point => point.day === found?.day && point.key === key)?.value)
    assert.ok(Math.abs(value('cycle') / perCycle! - 1) < 1e-9, `${value('cycle')} is not ${perCycle}`)
    assert.ok(Math.abs(value('year') / perYear! - 1) < 1e-9, `${value('year')} is not ${perYear}`)
  },
)

test('micro-STX in dollars are STX at the close of their day, and a day without one has no figure', async () => {
  const [native, usd, closes] = await Promise.all([
    pointsOf('pox.stacked', { entity: 'fast-pool' }),
    pointsOf('pox.stacked', { entity: 'fast-pool', unit: 'usd' }),
    read<{ day: string; close: number }>(
      // The most trusted feed of the day; a USDT is taken as a dollar.
      `SELECT p.day AS day, argMin(p.close, (s.rank, -toInt64(toUnixTimestamp(p.observed_at)))) AS close
FROM prices AS p INNER JOIN sources AS s ON s.id = p.source
WHERE p.asset = 'STX' AND p.quote IN ('USD', 'USDT')
GROUP BY day`,
    ),
  ])
  const closeOf = new Map(closes.map(({ day, close }) => [day, close]))
  for (const [i, { day, value }] of native.entries()) {
    const close = closeOf.get(day)
    if (close === undefined) assert.equal(usd[i]?.value, null, day)
    else {
      const expected = (Number(value) / 1e6) * close
      assert.ok(Math.abs(Number(usd[i]?.value) - expected) <= expected * 1e-12, day)
    }
  }
})
