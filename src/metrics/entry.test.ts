/** The catalog of metrics would name the wrong metric, or none where there is one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceRef } from './answers.ts'
import { entryOf, metricOf, metricOfKind, metricsNamed } from './entry.ts'
import { type MetricDeclaration, metric } from './metric.ts'

const declared: MetricDeclaration = {
  id: 'fees.total',
  name: 'Fees',
  unit: 'sat',
  definition: 'd',
  why: 'w',
  how: 'h',
  misleads: 'm',
  sql: 'SELECT {from:Date}',
  sources: ['bitcoin.chain', 'unread'],
  cadence: 'week',
  aggregate: 'sum',
  since: {},
  direction: 'up',
  references: [],
}
const METRICS = [
  metric(declared),
  metric({ ...declared, entities: ['bob'] }),
  metric({ ...declared, entityKind: 'protocol', entities: ['zest', 'alex'] }),
  metric({ ...declared, id: 'fees.mean' }),
  metric({ ...declared, id: 'price.close' }),
  metric({ ...declared, id: 'fees.sum' }),
  metric({ ...declared, id: 'totals' }),
]
const fault = (code: string, facts: object, hint: string) => (error: unknown) => {
  assert.ok(error instanceof Error && 'code' in error && 'facts' in error && 'hint' in error)
  assert.deepEqual([error.code, error.facts, error.hint], [code, facts, hint])
  return true
}

test('a metric is found by id and entity; what is unknown is refused with what is available', () => {
  assert.equal(metricOf(METRICS, 'fees.total', 'bitcoin'), METRICS[0])
  assert.equal(metricOf(METRICS, 'fees.total', 'alex'), METRICS[2])
  assert.deepEqual(metricsNamed(METRICS, 'fees.total'), METRICS.slice(0, 3))
  assert.deepEqual(metricsNamed(METRICS, 'fees'), [])
  assert.throws(
    () => metricOf(METRICS, 'fees.total', 'x'),
    fault(
      'metrics.unknown_entity',
      { parameter: 'entity', value: 'x' },
      'Available: bitcoin, bob, zest, alex.',
    ),
  )
  // The three names that share most pairs of letters for their length.
  assert.throws(
    () => metricOf(METRICS, 'fees.totals', 'bitcoin'),
    fault(
      'metrics.unknown_metric',
      { parameter: 'id', value: 'fees.totals' },
      'Near are fees.total, totals, fees.sum.',
    ),
  )
})

test('where several metrics share an id, the kind of entity or the entity decides', () => {
  assert.equal(metricOfKind(METRICS, 'fees.total'), METRICS[0])
  assert.equal(metricOfKind(METRICS, 'fees.total', 'protocol'), METRICS[2])
  assert.equal(metricOfKind(METRICS, 'fees.total', undefined, 'bob'), METRICS[1])
  assert.equal(metricOfKind(METRICS, 'fees.total', 'protocol', 'bob'), METRICS[1])
  assert.throws(
    () => metricOfKind(METRICS, 'fees.total', 'pool'),
    fault(
      'metrics.unknown_metric',
      { parameter: 'entityKind', value: 'pool' },
      'It is one of a chain, protocol.',
    ),
  )
})

test('the entry of a metric names its sources, grains and parts', () => {
  const source = { id: 'bitcoin.chain' } as SourceRef
  const sources = new Map([['bitcoin.chain', source]])
  const plain = entryOf(METRICS[0]!, sources)
  assert.deepEqual(plain.sources, [source])
  assert.deepEqual(plain.grains, ['day', 'week', 'month'])
  assert.deepEqual([plain.cadenceDays, plain.members, plain.breakdown], [7, null, null])
  for (const hidden of ['headline', 'calendar', 'needs', 'fine', 'observedAs', 'coverage', 'besideSql'])
    assert.ok(!(hidden in plain), hidden)
  const members = { name: 'holders', sql: 'SELECT 2', isSum: true, isReportedDaily: true }
  const whole = entryOf(
    metric({
      ...declared,
      members,
      breakdown: { name: 'pool', values: ['a'], total: 'pools.total' },
      fine: { grains: ['block'], sql: 'SELECT 3' },
    }),
    sources,
  )
  assert.deepEqual(whole.members, { name: 'holders', sql: 'SELECT 2', isSum: true })
  assert.deepEqual(whole.breakdown, { name: 'pool', values: ['a'], isComplete: false, total: 'pools.total' })
  assert.deepEqual(whole.grains, ['block', 'day', 'week', 'month'])
  const complete = entryOf(
    metric({ ...declared, sources: ['bitcoin.chain'], breakdown: { name: 'pool', values: [] } }),
    sources,
  )
  assert.deepEqual(complete.breakdown, { name: 'pool', values: [], isComplete: true })
})
