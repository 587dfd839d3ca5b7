/** Charts would draw missing or partial data as real. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChartView } from '../view.ts'
import { draw } from './drawing.ts'
import { bucketDay, bucketIndex, newestWholeBucket, type PlotData } from './plotData.ts'
import { coverageText, summaryText } from './summary.ts'

const VIEW = { scale: 'linear', mode: 'absolute', hidden: [] } as const

const plotOf = (values: (number | null)[], more: Partial<PlotData> = {}): PlotData => ({
  start: '2026-01-01',
  grain: 'day',
  count: values.length,
  isPartial: false,
  lines: [{ key: 'a', label: 'A', colour: 'series-1', values, incomplete: [], assay: 'a@bitcoin' }],
  unit: 'tx',
  asOf: { time: '2026-01-31T00:00:00Z', height: 1, state: 'recorded' },
  sources: [],
  ...more,
})

const marksOf = (plot: PlotData, view: Partial<ChartView> = {}, kind: 'line' | 'bars' | 'stacked' = 'line') =>
  draw(plot, { kind, view: { ...VIEW, ...view }, height: 100, events: [] }).marks

test('a gap breaks the line and is never drawn across', () => {
  const [line] = marksOf(plotOf([1, 2, null, 3, 4]))
  assert.equal(line?.path.match(/M/g)?.length, 2)
})

test('the last bucket of a range that is not over is drawn apart from the line', () => {
  const looks = marksOf(plotOf([1, 2, 3], { isPartial: true })).map(mark => mark.look)
  assert.deepEqual(looks, ['line', 'unfinished'])
})

test('a bucket with a gap in its blocks is hollow', () => {
  const plot = plotOf([1, 2, 3])
  const holed = { ...plot, lines: plot.lines.map(line => ({ ...line, incomplete: [1] })) }
  assert.ok(marksOf(holed).some(mark => mark.look === 'hollow'))
  assert.ok(marksOf(holed, {}, 'bars').some(mark => mark.look === 'hollow-bar'))
})

test('a part of a day is not named as the latest, lowest or highest of a line', () => {
  const textOf = (plot: PlotData) =>
    summaryText('Transactions', plot, draw(plot, { kind: 'line', view: VIEW, height: 100, events: [] }))
  const plot = plotOf([500, 900, 700, 3])
  const holed = { ...plot, lines: plot.lines.map(line => ({ ...line, incomplete: [3] })) }
  for (const partial of [holed, { ...plot, isPartial: true }])
    assert.match(
      textOf(partial),
      /latest 700 tx \(3 Jan 2026\), lowest 500 tx \(1 Jan 2026\), highest 900 tx \(2 Jan 2026\)/,
    )
  // Where no day is whole, its value says so.
  assert.match(textOf(plotOf([3], { isPartial: true })), /latest 3 tx \(1 Jan 2026, partial\)/)
  assert.equal(coverageText(holed, { shown: holed.lines }), '3 days · 1 partial')
})

test('known zeros lie on the floor of a logarithmic chart', () => {
  const [line] = marksOf(plotOf([10, 0, 100]), { scale: 'log' })
  assert.equal(line?.path.match(/M/g)?.length, 1)
})

test('a stack is hollow where one of its parts is not known', () => {
  const plot = plotOf([1, 1])
  const second = { ...plot.lines[0], key: 'b', values: [1, null] } as PlotData['lines'][number]
  const marks = marksOf({ ...plot, lines: [...plot.lines, second] }, {}, 'stacked')
  assert.deepEqual(
    marks.map(({ key, look, path }) => [key, look, path.match(/M/g)?.length]),
    [
      ['a', 'ground', 1],
      ['a-hollow', 'hollow-bar', 1],
      ['b', 'ground', 1],
    ],
  )
})

test('indexed lines are all 100 in the first bucket that they have in common', () => {
  const plot = plotOf([10, 20, 40, 80])
  const line = (key: string, values: (number | null)[]) =>
    ({ ...plot.lines[0], key, label: key, values }) as PlotData['lines'][number]
  const lines = [
    line('a', [10, null, 40, 80]),
    line('b', [null, null, 5, 10]),
    line('c', [null, 3, null, null]),
  ]
  const drawing = draw(
    { ...plot, lines },
    { kind: 'line', view: { ...VIEW, mode: 'indexed' }, height: 100, events: [] },
  )
  assert.equal(drawing.base, 2)
  assert.equal(drawing.modeWord, '3 Jan 2026 = 100')
  assert.deepEqual(
    drawing.shown.map(({ values }) => values),
    [
      [25, null, 100, 200],
      [null, null, 100, 200],
      [null, null, null, null],
    ],
  )
})

test('a line taken out leaves the others in their colours', () => {
  const plot = plotOf([1, 2])
  const second = { ...plot.lines[0], key: 'b', colour: 'series-2' } as PlotData['lines'][number]
  const [only] = marksOf({ ...plot, lines: [...plot.lines, second] }, { hidden: ['a'] })
  assert.equal(only?.colour, 'series-2')
})

test('an empty chart says so instead of drawing an axis', () => {
  const drawing = draw(plotOf([null, null]), { kind: 'line', view: VIEW, height: 100, events: [] })
  assert.equal(drawing.isEmpty, true)
  assert.deepEqual(drawing.yTicks, [])
})

test('a month is counted by the calendar, a week by seven days', () => {
  const month = { start: '2025-11-01', grain: 'month' as const }
  assert.equal(bucketDay(month, 3), '2026-02-01')
  assert.equal(bucketIndex(month, '2026-02-17'), 3)
  assert.equal(bucketIndex({ start: '2026-01-05', grain: 'week' }, '2026-01-18'), 1)
})

test('only a bucket that is over and without a gap is ranked', () => {
  const gapAt = (index: number) =>
    plotOf([1, 2, 3, null]).lines.map(line => ({ ...line, incomplete: [index] }))
  assert.equal(newestWholeBucket(plotOf([1, 2, 3, null])), 2)
  assert.equal(newestWholeBucket(plotOf([1, 2, 3], { isPartial: true })), 1)
  assert.equal(newestWholeBucket(plotOf([1, 2, 3, null], { lines: gapAt(2) })), 1)
  assert.equal(newestWholeBucket(plotOf([1], { isPartial: true })), undefined)
})
