/** A ratio would combine figures of different days. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KpiFigure } from '../Kpi.tsx'
import { withKpiRatios } from './kpiRatios.ts'

const kpi = (
  metric: string,
  label: string,
  value: number | null,
  day: string,
  more: object = {},
): KpiFigure => ({
  assay: `${metric}@sbtc`,
  label,
  value,
  unit: 'sat',
  day,
  state: 'whole',
  change: 0.1,
  changeOver: null,
  changeRange: '30d',
  colour: 'btc',
  spark: [1, 2],
  asOf: undefined,
  absent: null,
  ...more,
})
const ratio = kpi('peg.ratio', 'Bitcoin per sBTC', 1.2, '2026-08-05', { unit: 'ratio' })

test('a ratio of the day of the figures beside it stays as it is', () => {
  const kpis = [
    kpi('peg.supply', 'sBTC', 10, '2026-08-05'),
    kpi('peg.reserve', 'Bitcoin behind it', 12, '2026-08-05'),
    ratio,
  ]
  assert.deepEqual(withKpiRatios(kpis), kpis)
  assert.deepEqual(withKpiRatios([ratio]), [ratio], 'nothing beside it')
})

test('a ratio follows the figures beside it to their day', () => {
  const [, , found] = withKpiRatios([
    kpi('peg.supply', 'sBTC', 10, '2026-08-06'),
    kpi('peg.reserve', 'Bitcoin behind it', 11, '2026-08-06'),
    ratio,
  ])
  assert.deepEqual([found?.value, found?.day, found?.change, found?.spark], [1.1, '2026-08-06', null, []])
})

test('figures of different days give no ratio', () => {
  const [, , found] = withKpiRatios([
    kpi('peg.supply', 'sBTC', 10, '2026-08-06'),
    kpi('peg.reserve', 'Bitcoin behind it', 12, '2026-08-05'),
    ratio,
  ])
  assert.deepEqual(
    [found?.value, found?.day, found?.absent],
    [null, null, 'Bitcoin behind it and sBTC are of different days'],
  )
})
