/** Charts of a page could draw other ranges than its mark and address say. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { kpi, plot, problems } from './rules.testing.ts'
import { timeAxis } from './timeAxis.ts'

describe('rules of page figures: timeAxis', () => {
  test('all charts of a page draw its range up to the day of its mark', async () => {
    const axis = (start: string, grain: string, count: number) => ({
      ...plot([1]),
      start,
      grain,
      count,
    })
    const mark = { asOf: { state: 'live', time: '2026-08-05T10:00:00Z' }, day: '2026-08-05' }
    const page = (...plots: object[]) => ({ '/': { mark, plots, kpis: [kpi('tvl', 1, '2026-08-05')] } })
    const year = axis('2025-08-06', 'day', 365)
    assert.deepEqual(await problems(timeAxis, page(year, year)), [])
    assert.deepEqual(await problems(timeAxis, page(year, axis('2025-08-04', 'week', 53))), [])
    assert.deepEqual(await problems(timeAxis, page(year, axis('2025-08-01', 'month', 13))), [])
    assert.deepEqual(await problems(timeAxis, page(axis('2025-08-04', 'week', 53))), [])
    assert.equal((await problems(timeAxis, page(year, axis('2025-02-01', 'day', 365)))).length, 1)
    assert.ok((await problems(timeAxis, page(year, axis('2025-08-10', 'day', 175)))).length > 0)
    assert.ok((await problems(timeAxis, page(axis('2025-08-10', 'day', 175)))).length > 0, 'half a year')
    assert.ok((await problems(timeAxis, page(axis('2025-07-01', 'day', 365)))).length > 0, 'ends too early')
    // One year in every chart, that of another figure: weeks to October under a mark of August.
    assert.equal((await problems(timeAxis, page(axis('2025-10-06', 'week', 53)))).length, 1, 'ends too late')
    assert.equal((await problems(timeAxis, { '/': { plots: [year] } })).length, 1, 'no mark')
    const later = { ...page(year)['/'], kpis: [kpi('fees', 1, '2026-08-06')] }
    assert.equal((await problems(timeAxis, { '/': later })).length, 1, 'a key figure after the mark')
  })

  test('a range of the address is that of the charts', async () => {
    const mark = { asOf: { state: 'live', time: '2026-08-05T10:00:00Z' } }
    const at = (range: string, start: string, count: number, grain = 'day') =>
      problems(timeAxis, { [`/?range=${range}`]: { mark, plot: { ...plot([1]), start, grain, count } } })
    assert.deepEqual(await at('7d', '2026-07-30', 7), [])
    assert.deepEqual(await at('90d', '2026-05-08', 90), [])
    assert.deepEqual(await at('max', '2021-03-01', 66, 'month'), [])
    assert.equal((await at('30d', '2026-07-30', 7)).length, 1)
    assert.equal((await at('max', '2021-03-01', 68, 'month')).length, 1)
  })

  test('whole histories start in buckets with a day in common, where one of them has a figure', async () => {
    const mark = { asOf: { state: 'live', time: '2026-08-05T10:00:00Z' } }
    const from = (start: string, grain: string, count: number, first: number | null = null) => ({
      ...plot([first, 1]),
      start,
      grain,
      count,
    })
    const at = (...plots: object[]) => problems(timeAxis, { '/?range=max': { mark, plots } })
    const months = from('2021-03-01', 'month', 66, 1)
    assert.deepEqual(await at(months, from('2021-03-01', 'month', 66)), [])
    assert.deepEqual(await at(months, from('2021-03-01', 'week', 284)), [])
    assert.equal((await at(months, from('2021-04-01', 'month', 65))).length, 1)
    assert.equal((await at(months, from('2021-04-05', 'week', 279))).length, 1)
    assert.equal((await at(from('2021-03-01', 'month', 66))).length, 1, 'nothing is known at the start')
  })
})
