/** Figures of the bundled data would differ from those that nodes report. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { parseCsv } from '#sources/csv.ts'
import { aPart } from '#tests/aPart.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { observations, sources } from '#warehouse/tables/observations.ts'
import type { SeriesQuery } from '../answers.ts'
import { ask } from '../ask.ts'
import { openSnapshotMetrics, type TestMetrics } from '../testing.ts'
import { ANALYZE_PAGES, analyzePageOf, publishedFigures, recomputed } from './publishedFigures.testing.ts'

let site: TestMetrics
before(async () => {
  site = await openSnapshotMetrics()
})
after(() => site[Symbol.asyncDispose]())

const pointsOf = async (id: string, more: Partial<SeriesQuery>) =>
  (await site.metrics.series({ id, entity: 'bitcoin', ...more })).points

const sumOf = (points: readonly { value: unknown }[]) =>
  points.reduce((sum, { value }) => sum + Number(value), 0)

const DAY = { from: '2025-12-01', to: '2025-12-01' }

test('a day by block has each of its blocks once, and they add up to the day', async () => {
  for (const id of ['fees.total', 'tx.count', 'value.transferred', 'utxo.change', 'miners.claimable']) {
    const [day] = await pointsOf(id, DAY)
    const blocks = await pointsOf(id, { ...DAY, grain: 'block' })
    assert.equal(blocks.length, 133, id)
    assert.equal(new Set(blocks.map(({ height }) => height)).size, 133)
    assert.ok(blocks.every(({ day, state }) => day.startsWith('2025-12-01T') && state === 'whole'))
    assert.equal(sumOf(blocks), day?.value, id)
    const hours = await pointsOf(id, { ...DAY, grain: 'hour' })
    assert.ok(hours.length <= 24 && hours.every(({ day }) => day.endsWith(':00:00Z')))
    assert.equal(sumOf(hours), day?.value, id)
    assert.deepEqual(new Set(hours.map(({ state }) => state)), new Set(['whole']))
  }
})

test('figures by block are those that the node states of the block', async () => {
  const stated = await ask<{ height: number; fee: string; p50: number; p90: number }>(
    site.warehouse.reader,
    `SELECT height, fee_sat AS fee, feerate_p50 AS p50, feerate_p90 AS p90
FROM btc_block_stats WHERE toDate(block_time) = '2025-12-01' ORDER BY height`,
  )
  const fees = await pointsOf('fees.total', { ...DAY, grain: 'block' })
  const rates = await pointsOf('fees.block_rate', { ...DAY, grain: 'block', breakdown: ['p50', 'p90'] })
  assert.deepEqual(
    fees.map(({ height, value }) => [height, value]),
    stated.map(({ height, fee }) => [height, Number(fee)]),
  )
  assert.deepEqual(
    rates.map(({ height, key, value }) => [height, key, value]),
    stated.flatMap(({ height, p50, p90 }) => [
      [height, 'p50', p50],
      [height, 'p90', p90],
    ]),
  )
})

test('a lone block is whole by block, and neither its hour nor its day is', async () => {
  const day = { from: '2022-06-09', to: '2022-06-09' }
  const [block] = await pointsOf('miners.revenue', { ...day, grain: 'block' })
  const [hour] = await pointsOf('miners.revenue', { ...day, grain: 'hour' })
  const [whole] = await pointsOf('miners.revenue', day)
  assert.deepEqual([block?.height, block?.state], [739_990, 'whole'])
  assert.deepEqual([hour?.state, whole?.state], ['incomplete', 'incomplete'])
  assert.deepEqual([hour?.value, whole?.value], [block?.value, block?.value])
  const [rate] = await pointsOf('fees.rate', { ...day, grain: 'block', breakdown: ['p50'] })
  const [pooled] = await pointsOf('fees.rate', { ...day, breakdown: ['p50'] })
  assert.equal(rate?.value, pooled?.value)
})

test('blocks in USD are amounts at the close of their day', async () => {
  const blocks = await pointsOf('fees.total', { ...DAY, grain: 'block', unit: 'usd' })
  const [day] = await pointsOf('fees.total', { ...DAY, unit: 'usd' })
  assert.ok(Math.abs(sumOf(blocks) / Number(day?.value) - 1) < 1e-12)
})

test('developers of the recorded commits are those counted again from the recording itself', async () => {
  const text = zstdDecompressSync(
    readFileSync(new URL('../../../snapshot/series/developer-commits.csv.zst', import.meta.url)),
  ).toString()
  const recorded = parseCsv(text, ['repository', 'author', 'day', 'kind', 'commits'], 'developer-commits.csv')
  assert.equal(
    recorded.reduce((sum, { commits }) => sum + Number(commits), 0),
    165_841,
  )
  // Their recordings end a year or more before the others, so no day counts them.
  const early = ['alexgo-io/alex-v1', 'chainwayxyz/citrea', 'hirosystems/clarinet']
  const rows = recorded.filter(({ repository }) => !early.includes(repository))
  const commitsOf = (kind?: string, to = '2026-08-22') =>
    rows
      .filter(row => row.day <= to && (kind === undefined || row.kind === kind))
      .reduce((sum, { commits }) => sum + Number(commits), 0)

  const to = '2026-08-21'
  const told = async (id: string, more: Partial<SeriesQuery> = {}) => {
    const range = { from: '2014-01-22', to, grain: 'day' } as const
    return pointsOf(id, { entity: 'ecosystems', ...range, ...more })
  }
  assert.equal(sumOf(await told('dev.commits')), commitsOf('commit', to))
  assert.equal(sumOf(await told('dev.excluded', { breakdown: ['merges'] })), commitsOf('merge', to))
  assert.equal(sumOf(await told('dev.excluded', { breakdown: ['programs'] })), commitsOf('bot', to))

  const before = (day: string, days: number) =>
    new Date(Date.parse(day) - (days - 1) * 86_400_000).toISOString().slice(0, 10)
  const monthly = new Map((await told('dev.monthly')).map(({ day, value }) => [day, value]))
  const raw = new Map((await told('dev.monthly_raw')).map(({ day, value }) => [day, value]))
  const full = new Map((await told('dev.full_time')).map(({ day, value }) => [day, value]))
  for (const day of ['2016-02-29', '2019-12-31', '2022-12-31', '2024-06-30', '2025-03-15', to]) {
    const inMonth = rows.filter(row => row.day >= before(day, 28) && row.day <= day)
    const daysOf = Map.groupBy(
      inMonth.filter(({ kind }) => kind === 'commit'),
      ({ author }) => author,
    )
    const days = [...daysOf.values()].map(own => new Set(own.map(row => row.day)).size)
    assert.equal(monthly.get(day), days.length, day)
    assert.equal(full.get(day), days.filter(count => count >= 10).length, `full-time on ${day}`)
    assert.equal(raw.get(day), new Set(inMonth.map(({ author }) => author)).size, `raw on ${day}`)
  }
})

test('where heights are missing the line by block breaks', async () => {
  const points = await pointsOf('tx.count', { from: '2009-05-18', to: '2009-05-19', grain: 'block' })
  assert.ok(points.every(({ value }) => value !== null))
  const gap = await pointsOf('blocks.count', { from: '2025-08-01', to: '2026-02-02', grain: 'hour' })
  assert.ok(gap.length > 4000 && gap.length < 4400)
})

test('every metric answers by block and hour where its entry says so, and its statement runs as it stands', async () => {
  const fine = (await site.metrics.list()).flatMap(({ id, entities, grains }) =>
    grains
      .filter(grain => grain === 'block' || grain === 'hour')
      .map(grain => ({ id, entity: entities[0]!, grain })),
  )
  assert.ok(fine.length >= 40)
  // Of the first no fee has been paid on those days; the second follows from swaps, of which none is recorded.
  const unknown = ['fees.block_rate', 'stable.peg_deviation']
  for (const query of aPart(fine, 4)) {
    // The days of the run of blocks that is held, and for Stacks that of a lone Bitcoin block with commits.
    const days =
      query.entity === 'stacks'
        ? { from: '2022-06-09', to: '2022-06-10' }
        : { from: '2009-01-09', to: '2009-01-12' }
    const { sql, parameters, points } = await site.metrics.series({ ...query, ...days })
    const rows = await ask<{ value: unknown }>(site.warehouse.guest, sql, parameters)
    const known = points.filter(({ source }) => source !== '')
    assert.equal(rows.length, known.length, `${query.id} by ${query.grain}`)
    assert.ok(known.length > 0 || unknown.includes(query.id), `${query.id} by ${query.grain} has no point`)
  }
})

test('a grain that a metric does not have and a range too long are told with what there is', async () => {
  const query = { id: 'addresses.active', entity: 'bitcoin', from: '2025-12-01', to: '2025-12-02' }
  await assert.rejects(site.metrics.series({ ...query, grain: 'block' }), {
    code: 'metrics.grain',
    facts: { parameter: 'grain', value: 'block' },
    hint: 'It answers by day, week, month.',
  })
  for (const [grain, to] of [
    ['block', '2026-01-01'],
    ['hour', '2026-12-02'],
  ] as const) {
    const long = { id: 'fees.total', entity: 'bitcoin', from: '2025-12-01', to, grain }
    await assert.rejects(site.metrics.series(long), { code: 'metrics.from' })
    assert.ok((await site.metrics.series({ ...long, to: '2025-12-31' })).points.length > 0)
  }
})

test('a file holds all rows of a series, however many', async () => {
  const hours = { id: 'fees.block_rate', entity: 'bitcoin', grain: 'hour', from: '2025-08-10' }
  const [long, short] = await Promise.all(
    ['2026-01-31', '2025-11-05'].map(async to => {
      const answer = await site.metrics.series({ ...hours, to })
      return {
        points: answer.points.length,
        bytes: (await site.metrics.seriesFile(answer, 'parquet')).length,
      }
    }),
  )
  assert.ok(short!.points > 9_000 && short!.points < 12_000)
  assert.ok(long!.points > 20_000)
  assert.ok(long!.bytes / short!.bytes > 1.7)
})

type Answer = { metric: string; entity: string; at: string; value: number | string | (number | string)[] }

/** Answers that blocks of Bitcoin do not give: they wait for Stacks' own rows and treasuries. */
const OF_OTHERS = /^(pox|sip031)\./

/** A Coin Metrics series that never leaves the tests: what the Z-score and NUPL were worked out from. */
async function observeCaps({ warehouse }: TestMetrics): Promise<void> {
  const at = Date.UTC(2026, 7, 22) / 1000
  await warehouse.insertRows(sources, [
    {
      id: 'test.caps',
      name: 'test.caps',
      url: '',
      licence: '',
      rank: 90n,
      cadenceSeconds: null,
      recordedAt: at,
      about: '',
    },
  ])
  const rows = parseCsv(
    readFileSync(shared('data/bitcoin/series/valuation-daily.csv'), 'utf8'),
    ['date', 'market_cap_usd', 'mvrv'],
    'valuation',
  )
  const observed = (metric: string, day: string, value: number) => ({
    metric,
    entity: 'bitcoin',
    breakdown: '',
    day,
    amount: null,
    value,
    source: 'test.caps',
    observedAt: at,
  })
  await warehouse.insertRows(
    observations,
    rows.flatMap(row => {
      const market = Number(row.market_cap_usd)
      return [
        observed('cap.market', row.date, market),
        observed('cap.realised', row.date, market / Number(row.mvrv)),
      ]
    }),
  )
}

test('every known answer about Bitcoin comes out', skipWithoutShared, async () => {
  const answers: Answer[] = JSON.parse(readFileSync(shared('data/known-answers.json'), 'utf8'))
  const figure = async (id: string, day: string, more: { entity?: string; key?: string } = {}) => {
    const { points } = await site.metrics.series({
      id,
      entity: more.entity ?? 'bitcoin',
      from: day,
      to: day,
    })
    return Number(points.find(({ key }) => key === (more.key ?? ''))?.value)
  }
  const rows = (sql: string) => ask<Record<string, number>>(site.warehouse.reader, sql)
  const dayOf = async (height: string) =>
    String((await rows(`SELECT toDate(block_time) AS day FROM btc_blocks WHERE height = ${height}`))[0]!.day)
  await observeCaps(site)

  const found: Readonly<Record<string, (at: string) => Promise<number[]>>> = {
    'tx.count': async day => [await figure('tx.count', day)],
    'fees.total': async day => [await figure('fees.total', day)],
    'miners.hashrate (1 day)': async day => [await figure('miners.hashrate', day, { key: '1d' })],
    'coin.days_destroyed': async height => {
      const [row] = await rows(
        `SELECT sum(toFloat64(prev_value_sat) * (toInt64(block_time) - toInt64(prev_time))) / 8640000000000 AS days
FROM btc_inputs WHERE height = ${height} AND NOT is_coinbase`,
      )
      return [row!.days!]
    },
    'utxo.count, supply.spendable': async height => [await figure('utxo.count', await dayOf(height))],
    'addresses.active': async day => [await figure('addresses.active', day)],
    'miners.bid, miners.hhi': async at => {
      const [row] = await rows(
        `SELECT toUInt32(sum(value_sat)) AS bid, sum(pow(value_sat, 2)) / pow(sum(value_sat), 2) AS hhi
FROM btc_layer_ops WHERE op = 'stacks.block_commit' AND height = ${at.replace('Bitcoin ', '')}`,
      )
      return [row!.bid!, row!.hhi!]
    },
    'l1.tx, l1.vbytes, l1.fees': async at => {
      const day = await dayOf(at.replace('Bitcoin ', ''))
      const ofStacks = { entity: 'stacks' }
      return [
        await figure('l1.tx', day, ofStacks),
        await figure('l1.vbytes', day, ofStacks),
        await figure('l1.fees', day, ofStacks),
      ]
    },
    'cap.mvrv_z, cap.nupl': async day => [await figure('cap.mvrv_z', day), await figure('cap.nupl', day)],
  }

  const ofBitcoin = answers.filter(({ metric }) => !OF_OTHERS.test(metric))
  assert.ok(ofBitcoin.length >= 9)
  for (const { metric, at, value } of ofBitcoin) {
    const compute = found[metric]
    assert.ok(compute, `no figure is compared with the known answer of ${metric}`)
    const expected = [value].flat().map(Number)
    const got = await compute(at)
    for (const [i, each] of expected.entries()) {
      assert.ok(Math.abs(got[i]! / each - 1) <= 1e-12, `${metric} at ${at} is ${got[i]}, known is ${each}`)
    }
  }
})

test('figures that others published stand beside ours as the page of them says, and each difference is explained', async () => {
  const rows = publishedFigures()
  const ofAnalyze = Map.groupBy(rows, analyzePageOf)
  ofAnalyze.delete(undefined)
  assert.deepEqual([...ofAnalyze.keys()].sort(), [...ANALYZE_PAGES].sort())
  const analyzed = [...ofAnalyze.values()].flat()
  assert.ok(analyzed.length >= 25, `${analyzed.length} rows are of the pages of Analyze`)
  const standing = await site.metrics.standing()
  const apart: Record<string, { page: string; program: string }> = {}
  for (const row of rows) {
    const now = await recomputed(site.metrics, standing, row)
    const [page, program] = [`${row.ours}, ${row.apart}`, `${now.ours}, ${now.apart}`]
    if (page !== program) apart[`${row.name} ${row.from}`] = { page, program }
    assert.ok(row.why.length > 10, `${row.name} of ${row.from} says not why`)
  }
  assert.deepEqual(apart, {})
})
