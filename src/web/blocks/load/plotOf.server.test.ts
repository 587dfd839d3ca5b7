/** Charts would show gaps as zeros. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point, Series } from '#http/contract.ts'
import { plotOf, type SeriesPart } from './plotOf.server.ts'

const point = (
  day: string,
  value: Point['value'],
  key = '',
  state: Point['state'] = 'whole',
  source = 's',
): Point => ({
  day,
  value,
  key,
  source,
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

test('a part without a row is zero only in a whole bucket of blocks; what a publisher leaves out is unknown', () => {
  const secondOf = (
    source: string,
    state: Point['state'] = 'whole',
    kind: 'line' | 'stacked' = 'stacked',
  ) => {
    const points = [
      point('2026-01-01', 1, 'x', 'whole', source),
      point('2026-01-01', 2, 'y', 'whole', source),
      point('2026-01-02', 3, 'x', state, source),
    ]
    return plotOf([partOf(points)], 'day', { kind })?.lines.find(line => line.key === 'y')?.values
  }
  assert.deepEqual(secondOf('bitcoin.chain'), [2, 0])
  assert.deepEqual(secondOf('bitcoin.chain', 'incomplete'), [2, null])
  assert.deepEqual(secondOf('bitcoin.chain', 'partial'), [2, null])
  assert.deepEqual(secondOf('defillama.protocols'), [2, null])
  assert.deepEqual(secondOf('bitcoin.chain', 'whole', 'line'), [2, null])
})

test('one publisher’s row makes the absent parts of its bucket unknown', () => {
  const points = [
    point('2026-01-01', 1, 'x', 'whole', 'stacks.chain'),
    point('2026-01-01', 2, 'y', 'whole', 'stacks.chain'),
    point('2026-01-01', 2, 'z', 'whole', 'stacks.chain'),
    point('2026-01-02', 3, 'x', 'whole', 'stacks.chain'),
    point('2026-01-02', 3, 'y', 'whole', 'defillama.dexs'),
  ]
  const plot = plotOf([partOf(points)], 'day', { kind: 'stacked' })
  assert.deepEqual(plot?.lines.find(({ key }) => key === 'z')?.values, [2, null])
})

test('a part that a publisher reports on other days is unknown on a day of blocks alone', () => {
  const points = [
    point('2026-01-01', 1, 'x', 'whole', 'stacks.chain'),
    point('2026-01-01', 2, 'y', 'whole', 'defillama.dexs'),
    point('2026-01-01', 2, 'z', 'whole', 'stacks.chain'),
    point('2026-01-02', 3, 'x', 'whole', 'stacks.chain'),
  ]
  const plot = plotOf([partOf(points)], 'day', { kind: 'stacked' })
  const valuesOf = (part: string) => plot?.lines.find(({ key }) => key === part)?.values
  assert.deepEqual(
    [valuesOf('y'), valuesOf('z')],
    [
      [2, null],
      [2, 0],
    ],
  )
})

test('the grid is the time axis asked for, whatever days have figures', () => {
  const plotFor = (grain: 'day' | 'week' | 'month', span: { from?: string; to?: string }) =>
    plotOf([partOf([point('2025-09-01', 1), point('2025-12-01', 2)])], grain, { kind: 'line' }, span)
  const days = plotFor('day', { from: '2025-08-23', to: '2026-08-22' })
  assert.deepEqual([days?.start, days?.count], ['2025-08-23', 365])
  assert.deepEqual([days?.lines[0]?.values[9], days?.lines[0]?.values.at(-1)], [1, null])
  const weeks = plotFor('week', { from: '2025-08-23', to: '2026-08-22' })
  assert.deepEqual([weeks?.start, weeks?.count], ['2025-08-18', 53])
  const months = plotFor('month', { to: '2026-08-22' })
  assert.deepEqual([months?.start, months?.count], ['2025-09-01', 12])
})

test('a bucket left open before the end of the axis is hollow, not whole', () => {
  const points = [point('2026-01-01', 1), point('2026-01-02', 2, '', 'partial')]
  const plot = plotOf([partOf(points)], 'day', { kind: 'line' }, { to: '2026-01-05' })
  assert.equal(plot?.isPartial, false)
  assert.deepEqual(plot?.lines[0]?.incomplete, [1])
})

test('a sum of many lines says in which buckets it lacks one', () => {
  const points = [
    ...['p', 'q', 'r', 's'].map((key, index) => point('2026-01-01', 10 ** index, key)),
    ...['p', 'r', 's'].map((key, index) => point('2026-01-02', 10 ** index, key)),
  ]
  const rest = plotOf([partOf(points)], 'day', { kind: 'stacked', most: 3 })?.lines[2]
  assert.deepEqual([rest?.values, rest?.lacking], [[11, 1], [1]])
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

test('a sum line lacks a part only where the part is unknown', () => {
  const lackingFor = (source: string) => {
    const points = [
      point('2026-01-01', 5, 'x', 'whole', source),
      point('2026-01-01', 7, 'y', 'whole', source),
      point('2026-01-02', 4, 'x', 'whole', source),
    ]
    const [line] = plotOf([partOf(points, { isSum: true })], 'day', { kind: 'bars' })?.lines ?? []
    return [line?.values, line?.lacking]
  }
  assert.deepEqual(lackingFor('bitcoin.chain'), [[12, 4], undefined])
  assert.deepEqual(lackingFor('etf.flows'), [[12, 4], [1]])
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
