import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point, Series } from '#http/contract.ts'
import { plotOf, type SeriesPart } from './plotOf.server.ts'

const point = (day: string, value: Point['value'], key = '', state: Point['state'] = 'whole'): Point => ({
  day,
  value,
  key,
  source: 's',
  state,
})

/** A series with these points; of the entry only what a plot reads. */
const partOf = (
  points: Point[],
  line: Partial<SeriesPart['line']> = {},
  id = 'a',
  entity = 'bitcoin',
): SeriesPart => ({
  series: {
    metric: { id, name: id },
    entity,
    unit: 'tx',
    points,
    asOf: { time: '2026-01-31T00:00:00Z', height: 1, state: 'recorded' },
    sources: [{ id: 's', name: 'S' }],
  } as unknown as Series,
  line: { metric: id, ...line },
})

test('days without a point are gaps on the grid', () => {
  const plot = plotOf([partOf([point('2026-01-01', 1), point('2026-01-04', '4')])], 'day', { kind: 'line' })
  assert.deepEqual(plot?.lines[0]?.values, [1, null, null, 4])
})

test('a part that a known day does not name is zero in a stack and a gap in a line', () => {
  const points = [point('2026-01-01', 1, 'x'), point('2026-01-01', 2, 'y'), point('2026-01-02', 3, 'x')]
  const second = (kind: 'line' | 'stacked') =>
    plotOf([partOf(points)], 'day', { kind })?.lines.find(line => line.key === 'y')?.values
  assert.deepEqual(second('stacked'), [2, 0])
  assert.deepEqual(second('line'), [2, null])
})

test('lines that say less than their like are grey, whoever they are of', () => {
  const days = [point('2026-01-01', 1), point('2026-01-02', 2)]
  const plot = plotOf(
    [partOf(days, { isQuiet: true }, 'a', 'mara-holdings'), partOf(days, {}, 'a', 'strategy')],
    'day',
    { kind: 'line' },
  )
  assert.equal(plot?.lines[0]?.colour, 'ink-2')
  assert.notEqual(plot?.lines[1]?.colour, 'ink-2')
})

test('a stack of which one part is wholly unknown is not drawn as if it were the whole', () => {
  const parts = [partOf([point('2026-01-01', 1)], {}, 'a'), partOf([point('2026-01-01', null)], {}, 'b')]
  assert.equal(plotOf(parts, 'day', { kind: 'stacked' }), undefined)
  assert.equal(plotOf(parts, 'day', { kind: 'line' })?.lines.length, 2)
})

test('beyond the most lines the lightest are summed, so that the total stays', () => {
  const points = ['p', 'q', 'r', 's'].map((key, index) => point('2026-01-01', 10 ** index, key))
  const plot = plotOf([partOf(points)], 'day', { kind: 'stacked', most: 3 })
  assert.deepEqual(
    plot?.lines.map(line => line.values[0]),
    [1000, 100, 11],
  )
  assert.equal(plot?.lines[2]?.label, '2 others')
})

test('rows of a heat map keep their order, and what is summed comes last', () => {
  const points = ['p', 'q', 'r', 's'].map((key, index) => point('2026-01-01', 10 ** index, key))
  const plot = plotOf([partOf(points)], 'day', { kind: 'heat', most: 3 })
  assert.deepEqual(
    plot?.lines.map(line => line.values[0]),
    [100, 1000, 11],
  )
})

test('rows that are years stand in the order of the years, whichever has the first figure', () => {
  const points = ['2016', '2025', '2015'].map((key, index) => point(`2026-01-0${index + 1}`, 1, key))
  const plot = plotOf([partOf(points)], 'day', { kind: 'heat', most: 20 })
  assert.deepEqual(
    plot?.lines.map(line => line.label),
    ['2015', '2016', '2025'],
  )
})

test('a sum line adds the parts of each day', () => {
  const points = [point('2026-01-01', 5, 'x'), point('2026-01-01', -7, 'y')]
  assert.deepEqual(
    plotOf([partOf(points, { isSum: true })], 'day', { kind: 'bars' })?.lines.map(line => line.values),
    [[-2]],
  )
})

test('layers keep the colour of their entity', () => {
  const parts = ['stacks', 'core'].map(entity =>
    partOf([point('2026-01-01', 1)], { entity, label: entity }, 'l1.tx', entity),
  )
  assert.deepEqual(
    plotOf(parts, 'day', { kind: 'stacked' })?.lines.map(line => line.colour),
    ['series-stacks', 'series-core'],
  )
})

test('a lone line has the colour of its entity', () => {
  const colourOf = (entity: string) =>
    plotOf([partOf([point('2026-01-01', 1)], {}, 'a', entity)], 'day', { kind: 'line' })?.lines[0]?.colour
  assert.deepEqual(
    [colourOf('bitcoin'), colourOf('stacks'), colourOf('fast-pool')],
    ['series-bitcoin', 'series-stacks', 'series-2'],
  )
})

test('only the last bucket makes a plot unfinished', () => {
  const isPartial = (day: string) =>
    plotOf([partOf([point(day, 1, '', 'partial'), point('2026-01-02', 1)])], 'day', { kind: 'line' })
      ?.isPartial
  assert.equal(isPartial('2026-01-03'), true)
  assert.equal(isPartial('2026-01-01'), false)
})
