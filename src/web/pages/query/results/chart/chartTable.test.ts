/** A chart would show zero where nothing is known, draw rows at a wrong place, or lose some without saying so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChartSettings } from './chartSettings.ts'
import { defaultSettings, fittingSettings, unitOf } from './chartSettings.ts'
import { aggregate, chartPoints, chartTable } from './chartTable.ts'
import { drawPoints, drawTable, sharesOf } from './drawTable.ts'
import { pieOf } from './pieSlices.ts'
import { bucketOf, bucketTime, MOST_BUCKETS, secondsOf, timeGridOf, timeLabel } from './timeGrid.ts'

const column = (name: string, type: string) => ({ name, type, shownAs: 'value' as const })
const COLUMNS = [
  column('day', 'Date'),
  column('layer', 'LowCardinality(Nullable(String))'),
  column('fee_sat', 'Nullable(UInt64)'),
  column('height', 'UInt32'),
]
const settings = (change: Partial<ChartSettings> = {}): ChartSettings => ({
  kind: 'line',
  x: 'day',
  series: null,
  values: ['fee_sat'],
  aggregation: 'sum',
  stacking: 'none',
  scale: 'linear',
  ...change,
})

test('a day without rows and a day of NULLs are gaps, and zero stays zero', () => {
  const { axis, lines } = chartTable(
    COLUMNS,
    [
      ['2026-01-01', 'bob', '5', 1],
      ['2026-01-02', 'bob', 0, 2],
      ['2026-01-03', 'bob', null, 3],
      ['2026-01-05', 'bob', '7', 4],
      [null, 'bob', '7', 4],
    ],
    settings(),
  )
  assert.deepEqual(axis.labels, ['1 Jan 2026', '2 Jan 2026', '3 Jan 2026', '4 Jan 2026', '5 Jan 2026'])
  assert.deepEqual(lines[0]?.values, [5, 0, null, null, 7])
})

test('a sum that lacks a NULL is marked', () => {
  const { lines, isGrouped, unplaced } = chartTable(
    COLUMNS,
    [
      ['2026-01-01', 'bob', 5, 1],
      ['2026-01-01', 'core', null, 2],
      [null, 'core', 4, 2],
    ],
    settings(),
  )
  assert.deepEqual([lines[0]?.values, lines[0]?.lacking, isGrouped, unplaced], [[5], [0], true, 1])
})

test('the end of the axis beside which rows are not drawn is marked', () => {
  const rows = [
    ['2026-01-01', 'bob', 5, 1],
    ['2026-01-02', 'bob', 6, 1],
  ]
  const lackingAt = (cutEnd: 'low' | 'high' | undefined) =>
    chartTable(COLUMNS, rows, settings({ aggregation: 'max' }), { cutEnd }).lines[0]?.lacking
  assert.deepEqual([lackingAt('low'), lackingAt('high'), lackingAt(undefined)], [[0], [1], []])
})

test('no value is lost between rows and lines: sums agree, whatever the series and their number', () => {
  const row = fc.tuple(
    fc.integer({ min: 1, max: 28 }).map(day => `2026-02-${String(day).padStart(2, '0')}`),
    fc.option(fc.integer({ min: 0, max: 40 }).map(String)),
    fc.option(fc.integer({ min: 0, max: 1000 })),
    fc.integer({ min: 0, max: 10 }),
  )
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 200 }), fc.boolean(), (rows, hasSeries) => {
      const table = chartTable(COLUMNS, rows, settings({ series: hasSeries ? 'layer' : null }))
      const drawn = table.lines
        .flatMap(({ values }) => values)
        .reduce<number>((sum, value) => sum + (value ?? 0), 0)
      const given = rows.reduce((sum, each) => sum + (each[2] ?? 0), 0)
      assert.equal(drawn, given)
      assert.ok(table.lines.length <= 12)
      for (const { values } of table.lines) assert.equal(values.length, table.axis.labels.length)
    }),
  )
})

test('aggregations leave NULL out, and of NULLs alone nothing is known', () => {
  const values = [4, null, 1, 7]
  assert.equal(aggregate(values, 'sum'), 12)
  assert.equal(aggregate(values, 'average'), 4)
  assert.equal(aggregate(values, 'median'), 4)
  assert.equal(aggregate([1, 2], 'median'), 1.5)
  assert.equal(aggregate(values, 'min'), 1)
  assert.equal(aggregate(values, 'max'), 7)
  assert.equal(aggregate(values, 'count'), 3)
  assert.equal(aggregate([1, null], 'last'), 1)
  for (const how of ['sum', 'average', 'median', 'min', 'max', 'count', 'last'] as const)
    assert.equal(aggregate([null], how), null)
})

test('names come by size, and those left out are counted', () => {
  const rows = Array.from({ length: 100 }, (_, at) => ['2026-01-01', `name ${at}`, at, 1])
  const { axis, droppedNames } = chartTable(COLUMNS, rows, settings({ kind: 'bar', x: 'layer' }))
  assert.deepEqual([axis.labels[0], axis.labels.length, droppedNames], ['name 99', 60, 40])
})

test('every time lies in its bucket, and no axis has too many', () => {
  const time = fc.integer({ min: 0, max: 2_000_000_000 })
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 50 }), times => {
      const grid = timeGridOf(times)
      assert.ok(grid)
      assert.ok(grid.count <= MOST_BUCKETS)
      for (const each of times) {
        const at = bucketOf(grid, each)
        assert.ok(at >= 0 && at < grid.count, `${each} in ${JSON.stringify(grid)}`)
        if (grid.step !== 'month') assert.ok(bucketTime(grid, at) <= each && each < bucketTime(grid, at + 1))
      }
    }),
  )
})

test('rows of days far apart stay days of their own, with gaps between them', () => {
  const days = ['2015-03-01', '2015-03-02', '2019-07-10', '2026-01-01', '2026-01-02', '2026-01-03']
  const table = chartTable(
    [
      { name: 'day', type: 'Date', shownAs: 'value' },
      { name: 'blocks', type: 'UInt32', shownAs: 'value' },
    ],
    days.map((day, at) => [day, 100 + at]),
    {
      kind: 'line',
      x: 'day',
      series: null,
      values: ['blocks'],
      aggregation: 'sum',
      stacking: 'none',
      scale: 'linear',
    },
  )
  assert.equal(table.isGrouped, false)
  assert.deepEqual(table.lines[0]?.values, [100, 101, null, 102, null, 103, 104, 105])
  assert.equal(table.axis.labels[3], '10 Jul 2019')
})

test('weekly and monthly data have no gaps between them', () => {
  const seconds = (day: string) => secondsOf(day) ?? 0
  assert.equal(timeGridOf(['2026-01-05', '2026-01-12', '2026-01-26'].map(seconds))?.count, 4)
  assert.deepEqual(timeGridOf(['2025-12-01', '2026-02-01'].map(seconds))?.step, 'month')
  assert.equal(timeGridOf(['2025-12-01', '2026-02-01'].map(seconds))?.count, 3)
  assert.equal(timeLabel(seconds('2026-02-01 14:00:00'), 3600), '1 Feb 2026, 14:00')
})

test('shares of a place with a negative or lacking part are unknown, all others sum to one', () => {
  const line = (values: (number | null)[], lacking: number[] = []) => ({
    key: 'a',
    label: 'a',
    colour: '',
    values,
    lacking,
  })
  const shares = sharesOf([line([1, -1, 2, null], [2]), line([3, 2, 2, 4])])
  assert.deepEqual(
    shares.map(({ values }) => values),
    [
      [0.25, null, null, null],
      [0.75, null, null, 1],
    ],
  )
})

test('values at or below zero are counted and not drawn on a logarithmic axis', () => {
  const rows = [
    ['2026-01-01', 'a', 10, 1],
    ['2026-01-02', 'a', 0, 2],
    ['2026-01-03', 'a', 1000, 3],
  ]
  const look = { kind: 'line', stacking: 'none', scale: 'log', unit: '', height: 300 } as const
  const { offScale, drawing } = drawTable(chartTable(COLUMNS, rows, settings()), look)
  assert.equal(offScale, 1)
  assert.ok(drawing.marks.every(({ path }) => !/NaN|Infinity/.test(path)))
  const points = chartPoints(COLUMNS, [...rows, ['2026-01-03', 'a', null, 4]], settings({ x: 'height' }))
  assert.equal(points.unplaced, 1)
  assert.equal(drawPoints(points, look).points.length, 2)
})

test('slices are shares of all, and small ones are summed only where a sum has a meaning', () => {
  const rows = Array.from({ length: 20 }, (_, at) => ['2026-01-01', `name ${at}`, at, 1])
  const table = chartTable(COLUMNS, rows, settings({ kind: 'pie', x: 'layer' }))
  const sum = pieOf(table, true)
  assert.equal(sum.slices.length, 8)
  assert.ok(Math.abs(sum.slices.reduce((total, { share }) => total + share, 0) - 1) < 1e-9)
  assert.equal(sum.total, 190)
  assert.equal(pieOf(table, false).slices.length, 19)
})

test('the first chart fits the types of the columns', () => {
  assert.deepEqual(
    [defaultSettings(COLUMNS, 100), defaultSettings(COLUMNS.slice(1, 3), 100)].map(
      ({ kind, x, series, values }) => [kind, x, series, values],
    ),
    [
      ['line', 'day', 'layer', ['fee_sat']],
      ['bar', 'layer', null, ['fee_sat']],
    ],
  )
  assert.equal(defaultSettings(COLUMNS.slice(2), 100).kind, 'scatter')
  const [day, height, fee] = [COLUMNS[0]!, COLUMNS[3]!, COLUMNS[2]!]
  assert.deepEqual(defaultSettings([day, height, fee], 100).values, ['fee_sat'])
  const prices = ['days', 'first_usd', 'last_usd', 'change_percent'].map(name => column(name, 'Float64'))
  assert.deepEqual(defaultSettings([day, ...prices], 100).values, ['first_usd', 'last_usd'])
  assert.equal(defaultSettings(COLUMNS, 1).kind, 'counter')
  assert.equal(defaultSettings([column('t', 'String')], 9).aggregation, 'count')
  assert.equal(defaultSettings([], 0).x, null)
})

test('a saved chart survives a query that lost its columns', () => {
  const saved = settings({ x: 'gone', series: 'gone too', values: ['fee_sat', 'gone'] })
  const { x, series, values } = fittingSettings(saved, COLUMNS, 10)
  assert.deepEqual([x, series, values], ['day', null, ['fee_sat']])
  assert.deepEqual(fittingSettings(settings({ values: ['gone'] }), COLUMNS, 10).values, ['fee_sat'])
  assert.equal(unitOf('fee_sat'), 'sat')
  assert.equal(unitOf('satoshi_count'), '')
})
