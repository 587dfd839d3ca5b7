/** A chart would be answered over another range, grain or part than it was asked for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeriesQuery } from './answers.ts'
import { type MetricDeclaration, metric } from './metric.ts'
import { questionOf } from './question.ts'

const declared: MetricDeclaration = {
  id: 'fees.total',
  name: 'Fees',
  unit: 'sat',
  definition: 'd',
  why: 'w',
  how: 'h',
  misleads: 'm',
  sql: `SELECT day, key, value, state, source, from_height, to_height, as_of FROM fees
WHERE day BETWEEN {from:Date} AND {to:Date} AND entity = {entity:String} AND {doubled:UInt8} AND {least:UInt8}`,
  parameters: [{ name: 'least', type: 'UInt8', default: '3', doc: 'least' }],
  switches: [
    { name: 'doubled', doc: 'everything twice' },
    { name: 'other', doc: 'otherwise' },
  ],
  sources: ['bitcoin.chain'],
  cadence: 'block',
  aggregate: 'sum',
  since: {},
  direction: 'up',
  references: [],
  fine: {
    grains: ['block', 'hour'],
    sql: 'SELECT time, height, key, value FROM fees WHERE day BETWEEN {from:Date} AND {to:Date}',
  },
}
const METRICS = [
  metric(declared),
  metric({ ...declared, id: 'fees.by_pool', breakdown: { name: 'pool', values: ['a', 'b'] }, headline: '*' }),
  metric({ ...declared, id: 'fees.by_any', breakdown: { name: 'pool', values: [] }, headline: '*' }),
  metric({ ...declared, id: 'fees.plain', switches: [] }),
]
const ask = (query: Partial<SeriesQuery> = {}) =>
  questionOf(METRICS, { id: 'fees.total', entity: 'bitcoin', ...query })

function refused(query: Partial<SeriesQuery>, code: string, facts: object, hint: string): void {
  assert.throws(
    () => ask(query),
    (error: unknown) => {
      assert.ok(error instanceof Error && 'code' in error && 'facts' in error && 'hint' in error)
      assert.deepEqual([error.code, error.facts, error.hint], [code, facts, hint])
      return true
    },
  )
}

test('without a range a question covers all days, and parameters take their defaults', () => {
  const { entry, grain, parameters, whole, keys } = ask()
  assert.equal(entry, METRICS[0])
  assert.equal(grain, 'day')
  assert.deepEqual(parameters, {
    from: '2009-01-03',
    to: '2100-01-01',
    entity: 'bitcoin',
    doubled: '0',
    least: '3',
  })
  assert.deepEqual(whole, parameters)
  assert.deepEqual(keys, [])
})

test('a range covers whole buckets, its first and last day included', () => {
  const range = { from: '2024-02-14', to: '2024-02-29' }
  const daysOf = (query: Partial<SeriesQuery>) => {
    const { parameters } = ask(query)
    return [parameters.from, parameters.to]
  }
  assert.deepEqual(daysOf(range), ['2024-02-14', '2024-02-29'])
  assert.deepEqual(daysOf({ ...range, grain: 'week' }), ['2024-02-12', '2024-03-03'])
  assert.deepEqual(daysOf({ ...range, grain: 'month' }), ['2024-02-01', '2024-02-29'])
  assert.deepEqual(daysOf({ from: '2024-02-14', to: '2024-02-14' }), ['2024-02-14', '2024-02-14'])
  assert.deepEqual(daysOf({ ...range, grain: 'hour' }), ['2024-02-14', '2024-02-29'])
  assert.deepEqual(ask({ ...range, grain: 'week' }).whole.from, '2008-12-29')
  refused(
    { from: '2024-02-15', to: '2024-02-14' },
    'metrics.from',
    { parameter: 'from', from: '2024-02-15', to: '2024-02-14' },
    'Swap them.',
  )
})

test('by block a question covers 31 days, by hour 366, and by day any number', () => {
  const lastDay = { block: '2023-01-31', hour: '2024-01-01' }
  const next = { block: '2023-02-01', hour: '2024-01-02' }
  for (const grain of ['block', 'hour'] as const) {
    assert.equal(ask({ grain, from: '2023-01-01', to: lastDay[grain] }).grain, grain)
    refused(
      { grain, from: '2023-01-01', to: next[grain] },
      'metrics.from',
      { parameter: 'from', from: '2023-01-01', to: next[grain] },
      `Name from and to, or a range of that length: range=${grain === 'hour' ? '90d' : '7d'}.`,
    )
  }
  assert.equal(ask({ from: '2009-01-03', to: '2024-01-01' }).grain, 'day')
})

test('an unknown grain is refused with those that there are', () => {
  refused(
    { grain: 'year' },
    'metrics.grain',
    { parameter: 'grain', value: 'year' },
    'Ask for one of block, hour, day, week, month.',
  )
})

test('a breakdown is narrowed to values that it has; one without fixed values takes any', () => {
  const { keys, sql, drawn } = ask({ id: 'fees.by_pool', breakdown: ['b'] })
  assert.deepEqual(keys, ['b'])
  assert.notEqual(sql, drawn.sql)
  assert.match(sql, /'b'/)
  assert.deepEqual(ask({ id: 'fees.by_pool', breakdown: [] }).keys, [])
  assert.deepEqual(ask({ id: 'fees.by_any', breakdown: ['z'] }).keys, ['z'])
  refused(
    { id: 'fees.by_pool', breakdown: ['a', 'z'] },
    'metrics.breakdown',
    { parameter: 'breakdown', value: 'z' },
    'Available: a, b.',
  )
  refused({ breakdown: ['a'] }, 'metrics.breakdown', { parameter: 'breakdown' }, 'Leave breakdown out.')
  assert.deepEqual(ask({ breakdown: [] }).keys, [])
})

test('a switch that is on is a parameter of 1, and an unknown one is refused', () => {
  assert.equal(ask({ switches: ['doubled'] }).parameters.doubled, '1')
  assert.equal(ask({ switches: ['doubled'] }).whole.doubled, '1')
  refused(
    { switches: ['doubled', 'no'] },
    'metrics.switches',
    { parameter: 'switches', value: 'no' },
    'Available: doubled, other.',
  )
  refused(
    { id: 'fees.plain', switches: ['no'] },
    'metrics.switches',
    { parameter: 'switches', value: 'no' },
    'Leave switches out.',
  )
})
