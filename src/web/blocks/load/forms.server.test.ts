/** Histograms and shares would count values wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Point, Series } from '#http/contract.ts'
import { type PointSpec, pointsOf } from '../chart/chartSpec.ts'
import { histogramScene } from '../chart/histogram.ts'
import { waterfallScene } from '../chart/waterfall.ts'
import { histogramOf } from './histogramOf.server.ts'
import { plotOf } from './plotOf.server.ts'
import { scatterOf } from './scatterOf.server.ts'
import { wholeOf } from './wholeOf.server.ts'

const point = (
  day: string,
  value: Point['value'],
  key = '',
  state: Point['state'] = 'whole',
  source = 'bitcoin.chain',
): Point => ({
  day,
  value,
  key,
  source,
  state,
})

/** A series with these points; of the entry only what a chart reads. */
const seriesOf = (points: Point[], id = 'a', entity = 'bitcoin'): Series =>
  ({
    metric: { id, name: id },
    entity,
    unit: 'tx',
    points,
    asOf: { time: '2026-01-31T00:00:00Z', height: 1, state: 'recorded' },
    sources: [{ id: 's', name: 'S' }],
  }) as unknown as Series

const dayOf = (index: number) => new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10)

test('every value is counted in one bin, those between its edges, on both scales', () => {
  const values = fc.array(
    fc.oneof(
      fc.constant(0),
      fc.double({ min: -1e6, max: -1e-6, noNaN: true }),
      fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
    ),
    { minLength: 2, maxLength: 300 },
  )
  fc.assert(
    fc.property(values, given => {
      const data = histogramOf(seriesOf(given.map((value, index) => point(dayOf(index), value))), 'A')
      assert.ok(data)
      for (const [bins, counted] of [
        [data.linear, given],
        ...(data.log ? [[data.log, given.filter(value => value > 0)] as const] : []),
      ] as const) {
        assert.equal(
          bins.counts.reduce((sum, count) => sum + count, 0),
          counted.length,
        )
        assert.equal(bins.edges.length, bins.counts.length + 1)
        for (const [index, edge] of bins.edges.entries())
          assert.ok(index === 0 || edge > (bins.edges[index - 1] ?? 0))
        const first = bins.edges[0] ?? 0
        assert.ok(counted.every(value => value >= first - Math.abs(first) * 1e-8))
      }
      for (const scale of ['linear', 'log'] as const) {
        const { marks } = histogramScene(data, { height: 264, scale })
        assert.ok(marks.every(({ x, y, width, height }) => [x, y, width, height].every(Number.isFinite)))
      }
    }),
  )
})

test('the median lies between the halves; what is not whole, or one value alone, is no spread', () => {
  const points = [1, 2, 3, 10].map((value, index) => point(dayOf(index), value))
  const open = [...points, point(dayOf(4), 5000, '', 'partial'), point(dayOf(5), 7000, '', 'incomplete')]
  const data = histogramOf(seriesOf(open), 'A')
  assert.deepEqual([data?.median, data?.mean, data?.count, data?.to], [2.5, 4, 4, dayOf(3)])
  assert.equal(histogramOf(seriesOf([point('2020-01-01', 1)]), 'A'), undefined)
  assert.equal(histogramOf(seriesOf([]), 'A'), undefined)
})

test('zeros have no place on a log axis and are counted apart', () => {
  const points = [0, 0, 1, 10, 100, 1000].map((value, index) => point(dayOf(index), value))
  assert.equal(histogramOf(seriesOf(points), 'A')?.log?.left, 2)
  const mostlyZero = [0, 0, 0, 0, 1, 10].map((value, index) => point(dayOf(index), value))
  assert.equal(histogramOf(seriesOf(mostlyZero), 'A')?.log, undefined)
})

test('parts of a whole are those of the newest whole bucket, or sums of all that are over', () => {
  const points = [
    point('2026-01-01', 1, 'x'),
    point('2026-01-01', 5, 'y'),
    point('2026-01-02', 2, 'x'),
    point('2026-01-03', 100, 'x', 'partial'),
  ]
  const parts = [{ series: seriesOf(points), line: { metric: 'a' } }]
  const plot = plotOf(parts, 'day', { kind: 'tree' })
  assert.ok(plot)
  const valuesOf = (over: 'newest' | 'sum') =>
    wholeOf(plot, { kind: 'tree', over }, [])?.parts.map(({ label, value }) => [label, value])
  assert.deepEqual(valuesOf('newest'), [['x', 2]])
  assert.deepEqual(valuesOf('sum'), [
    ['y', 5],
    ['x', 3],
  ])
})

test('parts are those of the newest bucket that names them all, unless rows count everything', () => {
  const points = (source: string) => [
    point('2026-01-01', 1, 'x', 'whole', source),
    point('2026-01-01', 5, 'y', 'whole', source),
    point('2026-01-02', 2, 'x', 'whole', source),
  ]
  const wholeFor = (source: string) => {
    const plot = plotOf([{ series: seriesOf(points(source)), line: { metric: 'a' } }], 'day', {
      kind: 'tree',
    })
    const whole = plot && wholeOf(plot, { kind: 'tree', over: 'newest' }, [])
    return [whole?.to, whole?.parts.map(({ value }) => value)]
  }
  assert.deepEqual(wholeFor('defillama.protocols'), ['2026-01-01', [5, 1]])
  assert.deepEqual(wholeFor('bitcoin.chain'), ['2026-01-02', [2]])
})

test('steps of a waterfall keep their order and signs, and end where they add up to', () => {
  const points = [
    point('2026-01-01', 100, 'start'),
    point('2026-01-01', 5, 'gain'),
    point('2026-01-01', -30, 'loss'),
    point('2026-01-01', 0, 'nothing'),
  ]
  const line = { metric: 'a', keys: ['start', 'loss', 'nothing', 'gain'] }
  const plot = plotOf([{ series: seriesOf(points), line }], 'day', { kind: 'waterfall' })
  const whole = plot && wholeOf(plot, { kind: 'waterfall', over: 'newest' }, [])
  assert.ok(whole)
  assert.deepEqual(
    whole.parts.map(({ label, value }) => [label, value]),
    [
      ['start', 100],
      ['loss', -30],
      ['gain', 5],
    ],
  )
  const { marks, sides } = waterfallScene(whole, 200, 'end')
  assert.deepEqual(
    sides.map(({ text }) => text),
    ['start', 'loss', 'gain', 'end'],
  )
  assert.deepEqual(
    marks.map(({ x, width }) => [x, width].map(share => Math.round(share * 1000) / 1000)),
    [
      [0, 0.667],
      [0.467, 0.2],
      [0.467, 0.033],
      [0, 0.5],
    ],
  )
})

test('a flow is named by the value of its breakdown and by its layer, which it keeps', () => {
  const line = { metric: 'a', from: '{key}', to: 'Stacks' }
  const series = seriesOf([point('2026-01-01', 3, 'USDC'), point('2026-01-01', 1, 'USDT')])
  const plot = plotOf([{ series, line }], 'day', { kind: 'sankey', most: 1 })
  assert.ok(plot)
  assert.deepEqual(
    wholeOf(plot, { kind: 'sankey', over: 'newest' }, [{ line, assay: 'a@bitcoin' }])?.parts.map(
      ({ flow }) => flow,
    ),
    [
      { from: 'USDC', to: 'Stacks' },
      { from: 'USDT', to: 'Stacks' },
    ],
  )
})

test('a point has both coordinates on one grid; an entity that never has both is left out', () => {
  const entities = ['stacks', 'core', 'bob'].map(entity => ({ entity, label: entity.toUpperCase() }))
  const values: Record<string, Point[]> = {
    'u@stacks': [point('2026-01-01', 1, 'a'), point('2026-01-01', 2, 'b'), point('2026-01-02', 5)],
    'v@stacks': [point('2026-01-02', 7)],
    'u@core': [point('2026-01-01', 1)],
    'v@core': [point('2026-01-02', 1)],
    'u@bob': [point('2026-01-01', 4)],
    'v@bob': [point('2026-01-01', 6)],
  }
  const parts = pointsOf({ x: 'u', y: 'v' }, entities).map((line: PointSpec) => ({
    series: seriesOf(values[`${line.metric}@${line.entity}`] ?? [], line.metric, line.entity),
    line,
  }))
  const data = scatterOf(parts, 'day')
  assert.deepEqual(
    data?.points.map(({ label, x, y }) => [label, x, y]),
    [
      ['STACKS', [3, 5], [null, 7]],
      ['BOB', [4, null], [6, null]],
    ],
  )
  assert.deepEqual(data?.points[0]?.assay, { x: 'u@stacks', y: 'v@stacks' })
  assert.equal(scatterOf([], 'day'), undefined)
})
