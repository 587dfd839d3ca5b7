/** Treasury pages would show mNAV where it means nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Treasury } from '#http/contract.ts'
import { FUNDS_CHART, fundsNote, tablesOf, treasuries, treasuryFigures } from './specs.ts'

const holder: Treasury = {
  id: 'made',
  name: 'Made',
  kind: 'company',
  country: 'US',
  ticker: 'MADE',
  currency: 'USD',
  issuer: null,
  website: null,
  start: null,
  costAverageUsd: null,
  costDay: null,
  note: null,
  noMnav: null,
  mainBusiness: null,
  instruments: [],
  addresses: [],
}

const lensesOf = (treasury: Treasury) => {
  const { kpis, charts } = treasuryFigures(treasury)
  const chart = charts.find(({ id }) => id === 'lenses')
  const greys = [
    ...(chart?.lines ?? []).map(({ isQuiet }) => isQuiet),
    kpis.find(({ metric }) => metric === 'mnav.basic')?.isQuiet,
  ]
  return { note: chart?.note, greys }
}

test('on the page of whoever lives on something else the lenses are grey, and it is said on what it lives', () => {
  assert.deepEqual(lensesOf(holder), { note: undefined, greys: Array(5).fill(false) })
  const side = lensesOf({ ...holder, mainBusiness: 'bitcoin mining' })
  assert.deepEqual(side.greys, Array(5).fill(true))
  assert.match(side.note ?? '', /^Gray: its main business is bitcoin mining/)
})

test('the ladder of debt stands on the page of everybody but governments and funds', () => {
  assert.ok(tablesOf(holder).includes('instruments'))
  for (const kind of ['government', 'etf'] as const)
    assert.ok(!tablesOf({ ...holder, kind }).includes('instruments'), kind)
})

test('the chart of funds says how many of them it covers, and sums none of them away', () => {
  assert.match(
    fundsNote([{ held: '5' }, { held: null }, { held: null }]),
    /\. 1 of 3 funds have one available/,
  )
  const chart = treasuries.charts.find(({ id }) => id === FUNDS_CHART)
  assert.deepEqual(
    chart?.lines.map(({ metric, isSum }) => [metric, isSum]),
    [['etf.holdings', undefined]],
  )
})
