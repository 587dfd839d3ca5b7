/** Ratio charts would divide figures of different days. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlotData, PlotLine } from '../../blocks/chart/plotData.ts'
import { ratioPlot } from './ratioPlot.ts'

const line = (assay: string, values: (number | null)[]): PlotLine => ({
  key: assay,
  label: assay,
  colour: 'series-1',
  values,
  incomplete: [],
  assay,
})
const plotFrom = (start: string, lines: PlotLine[]): PlotData => ({
  start,
  grain: 'day',
  count: lines[0]?.values.length ?? 0,
  isPartial: false,
  lines,
  unit: 'USD',
  asOf: { time: '2026-08-05T23:59:59Z', height: null, state: 'recorded' },
  sources: [],
})

test('each bucket is divided by the same day of the divisor, which may begin on another', () => {
  const fees = plotFrom('2026-01-01', [line('fees@a', [10, 20, 30, null, 50])])
  const users = plotFrom('2026-01-02', [line('users@a', [4, 0, 6, 5])])
  const found = ratioPlot(fees, users, () => 'users@a', 'USD/user')
  assert.deepEqual(found?.lines[0]?.values, [null, 5, null, null, 10])
  assert.equal(found?.unit, 'USD/user')
})

test('a line without a divisor is left out, and nothing is drawn where none has one', () => {
  const fees = plotFrom('2026-01-01', [line('fees@a', [1]), line('fees@b', [2])])
  const users = plotFrom('2026-01-01', [line('users@b', [2])])
  const found = ratioPlot(fees, users, assay => assay.replace('fees', 'users'), 'USD/user')
  assert.deepEqual(
    found?.lines.map(({ assay, values }) => [assay, values]),
    [['fees@b', [1]]],
  )
  assert.equal(
    ratioPlot(fees, users, () => undefined, ''),
    undefined,
  )
})
