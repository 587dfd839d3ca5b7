/** A shared link would open the page in another state. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressWith, grainFor, needsFigures, readChartView, readPageView } from './view.ts'

test('an address without state is the default state, and the default state has no address', () => {
  const view = readPageView(new URLSearchParams())
  assert.deepEqual(view, { range: '1y', from: undefined, to: undefined, unit: 'native' })
  assert.equal(addressWith('?range=30d', { range: undefined }), '?')
})

test('unknown words and days that do not exist read as the default', () => {
  assert.equal(readPageView(new URLSearchParams('range=2y&unit=gold')).range, '1y')
  assert.equal(readPageView(new URLSearchParams('from=2026-02-30&to=2026-03-01')).range, '1y')
  assert.equal(readPageView(new URLSearchParams('from=2026-03-02&to=2026-03-01')).range, '1y')
  assert.equal(readPageView(new URLSearchParams('from=2026-03-01&to=2026-03-02')).range, 'custom')
})

test('equal states have one address, whatever the order of the clicks', () => {
  const a = addressWith(addressWith('', { unit: 'usd' }), { 'fees.scale': 'log' })
  const b = addressWith(addressWith('', { 'fees.scale': 'log' }), { unit: 'usd' })
  assert.equal(a, b)
})

test('a chart reads its own keys and its own defaults', () => {
  const query = new URLSearchParams('fees.scale=log&fees.hide=a,b&price.scale=linear')
  assert.equal(readChartView(query, 'fees').scale, 'log')
  assert.deepEqual(readChartView(query, 'fees').hidden, ['a', 'b'])
  assert.equal(readChartView(query, 'price', { scale: 'log' }).scale, 'linear')
  assert.equal(readChartView(new URLSearchParams(), 'price', { scale: 'log' }).scale, 'log')
})

test('only what needs other figures asks the server again', () => {
  assert.deepEqual(
    ['range', 'unit', 'fees.grain', 'fees.scale', 'fees.hide', 'assay', 'sql'].filter(needsFigures),
    ['range', 'unit', 'fees.grain'],
  )
})

test('long ranges take longer buckets unless the reader chose', () => {
  const max = readPageView(new URLSearchParams('range=max'))
  assert.equal(grainFor(max, 'auto', 6000), 'month')
  assert.equal(grainFor(max, 'auto', 900), 'week')
  assert.equal(grainFor(max, 'day', 6000), 'day')
  assert.equal(grainFor(max, 'auto', 365, 'month'), 'month')
  assert.equal(grainFor(max, 'auto', 90, 'month'), 'day')
})
