/** Series of a fresh install would skip gaps, mix units or be summed wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { sourcesNamed } from '#kernel/sourceNames.ts'
import { aPart } from '#tests/aPart.ts'
import type { SeriesQuery } from '../answers.ts'
import { ask } from '../ask.ts'
import { isBlank } from '../readRows.ts'
import { metricsOf } from '../registry.ts'
import { moneyOf } from '../seriesSql.ts'
import { at, EARLY_DAYS, near, read, series, site } from './sharedSnapshot.testing.ts'

const CATALOG = await testCatalog()
const METRICS = metricsOf(CATALOG)

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
