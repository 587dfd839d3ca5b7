/** Pages would hide that sources disagree, or report differences that do not exist. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point } from './answers.ts'
import { differencesOf, mayDiffer } from './differences.ts'
import type { Metric } from './metric.ts'
import type { FigureRow } from './readRows.ts'
import { METRICS } from './registry.ts'

const entry = (id: string): Metric => METRICS.find(metric => metric.id === id)!
const held = (id: string, sources: number) => ({
  outside: new Map([[`${id} bitcoin`, { count: 100, sources, from: '2020-01-01', to: '2020-12-31' }]]),
  toldTwice: [{ from: '2009-01-03', to: '2009-02-03' }],
})
const differs = (id: string, from: string, to: string, sources = 1): boolean =>
  mayDiffer(entry(id), 'bitcoin', { from, to }, held(id, sources))

test('outside figures may differ from blocks on the days that they cover, first and last included', () => {
  assert.ok(differs('utxo.count', '2020-12-31', '2021-06-01'))
  assert.ok(differs('utxo.count', '2019-06-01', '2020-01-01'))
  assert.ok(!differs('utxo.count', '2021-01-01', '2021-06-01'))
  assert.ok(!differs('utxo.count', '2019-06-01', '2019-12-31'))
})

test('one source alone differs from nobody, two may', () => {
  assert.ok(!differs('mempool.count', '2020-01-01', '2020-12-31'))
  assert.ok(differs('mempool.count', '2020-01-01', '2020-12-31', 2))
})

test('blocks may differ from a node’s statistics where both are held and the metric reads both', () => {
  assert.ok(differs('fees.total', '2009-02-03', '2009-03-01'))
  assert.ok(!differs('fees.total', '2009-02-04', '2009-03-01'))
  assert.ok(!differs('utxo.count', '2009-01-03', '2009-02-03'))
})

test('a range without ends is all days, and an entity without outside figures differs from nobody', () => {
  assert.ok(mayDiffer(entry('utxo.count'), 'bitcoin', {}, held('utxo.count', 1)))
  assert.ok(!mayDiffer(entry('utxo.count'), 'stacks', {}, held('utxo.count', 1)))
  assert.ok(!mayDiffer(entry('mempool.count'), 'bitcoin', {}, { outside: new Map(), toldTwice: [] }))
})

test('another source’s whole figure of the same day and part is a difference', () => {
  const point: Point = { day: '2020-01-01', key: 'a', value: 7, source: 'mined, told', state: 'whole' }
  const row = (more: object): FigureRow =>
    ({ day: '2020-01-01', key: 'a', value: '9', source: 'other', state: 'whole', ...more }) as FigureRow
  assert.deepEqual(differencesOf([point], [row({})]), [
    { day: '2020-01-01', key: 'a', source: 'other', value: 9, chosen: 7 },
  ])
  for (const more of [
    { day: '2020-01-02' },
    { key: 'b' },
    { source: 'told' },
    { source: 'mined' },
    { state: 'partial' },
  ])
    assert.deepEqual(differencesOf([point], [row(more)]), [], JSON.stringify(more))
})
