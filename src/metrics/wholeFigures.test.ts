/** A sum would be taken for whole on days on which a publisher had not reported a part of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MetricDeclaration, metric } from './metric.ts'
import { reportedMembers, silentDaysOf } from './missingMembers.ts'
import { sumOf, wholeFigures } from './wholeFigures.ts'

const declared: MetricDeclaration = {
  id: 'made.figure',
  name: 'Made',
  unit: 'n',
  definition: 'd',
  why: 'w',
  how: 'h',
  misleads: 'm',
  sql: 'SELECT 1',
  sources: ['made'],
  cadence: 'day',
  aggregate: 'last',
  since: {},
  direction: 'up',
  references: [],
}
const SUM = metric({ ...declared, breakdown: { name: 'part', values: [] }, headline: '*' })
type Row = Parameters<typeof wholeFigures>[0][number]
const row = (day: string, key: string, value: Row['value'], more: Partial<Row> = {}): Row => ({
  ...{ day, key, value, state: 'whole', source: 'made' },
  ...more,
})
const told = (rows: readonly Row[], entry = SUM) =>
  wholeFigures(rows, entry).map(({ day, value, members }) => [day, value, Object.fromEntries(members)])

test('days come in order, and a sum is that of its whole parts', () => {
  const rows = [
    row('2026-01-02', 'a', 4),
    row('2026-01-02', 'b', 5),
    row('2026-01-01', 'a', 1),
    row('2026-01-01', 'b', 2),
    row('2026-01-03', 'a', 9, { state: 'partial' }),
    row('2026-01-04', 'a', null),
  ]
  assert.deepEqual(told(rows), [
    ['2026-01-01', 3, { a: 1, b: 2 }],
    ['2026-01-02', 9, { a: 4, b: 5 }],
  ])
})

test('of a breakdown with a headline that value counts, of a single figure the only one', () => {
  const rows = [row('2026-01-01', 'a', 1), row('2026-01-01', 'b', 2)]
  const headed = metric({ ...declared, breakdown: { name: 'part', values: ['a', 'b'] }, headline: 'b' })
  assert.deepEqual(told(rows, headed), [['2026-01-01', 2, { b: 2 }]])
  const texts = [row('2026-01-01', 'a', '1'), row('2026-01-01', 'b', '2')]
  assert.deepEqual(told(texts), [['2026-01-01', '3', { a: '1', b: '2' }]])
  assert.deepEqual(told([row('2026-01-01', 'x', 7), row('2026-01-01', 'y', 8)], metric(declared)), [
    ['2026-01-01', 8, { x: 7, y: 8 }],
  ])
  assert.deepEqual(told([row('2026-01-01', '', 7)], metric(declared)), [['2026-01-01', 7, { '': 7 }]])
})

test('a day lacks a part that was reported within thirty days before, and none that was not', () => {
  const before = [row('2026-01-01', 'a', 1), row('2026-01-01', 'b', 2)]
  const days = (...rows: Row[]) => told([...before, ...rows]).map(([day]) => day)
  assert.deepEqual(days(row('2026-01-31', 'a', 1)), ['2026-01-01'])
  assert.deepEqual(days(row('2026-02-01', 'a', 1)), ['2026-01-01', '2026-02-01'])
  assert.deepEqual(days(row('2026-01-31', 'a', 1), row('2026-01-31', 'b', 1)), ['2026-01-01', '2026-01-31'])
  // A part that is counted from blocks is zero where it has no row.
  const counted = [row('2026-01-01', 'a', 1), row('2026-01-01', 'b', 2, { source: 'stacks.chain' })]
  assert.deepEqual(
    told([...counted, row('2026-01-02', 'a', 1)]).map(([day]) => day),
    ['2026-01-01', '2026-01-02'],
  )
  // Where a row names no source, it was reported.
  const { source: _, ...unnamed } = row('2026-01-01', 'b', 2)
  assert.deepEqual(
    told([row('2026-01-01', 'a', 1), unnamed, row('2026-01-02', 'a', 1)]).map(([day]) => day),
    ['2026-01-01'],
  )
})

test('sums of texts are exact, of anything else numbers', () => {
  assert.equal(sumOf('9007199254740993', '2'), '9007199254740995')
  assert.equal(sumOf('2', 3), 5)
  assert.equal(sumOf(2, '3'), 5)
  assert.equal(sumOf(2, 3), 5)
})

test('a part is silent for thirty days, or twice as long as its figures take', () => {
  assert.deepEqual(
    (['day', 'week', 'month'] as const).map(grain => silentDaysOf(SUM, grain)),
    [30, 35, 62],
  )
  assert.equal(silentDaysOf(SUM), 30)
  assert.equal(silentDaysOf(metric({ ...declared, cadence: 'recorded', entityKind: 'pool' })), 184)
})

test('parts are reported where publishers give each of them by the day', () => {
  assert.deepEqual(reportedMembers(SUM), { name: 'parts', sql: 'SELECT 1' })
  const named = (name: string) => metric({ ...declared, breakdown: { name, values: [] }, headline: '*' })
  assert.equal(reportedMembers(named('class'))?.name, 'class')
  assert.equal(reportedMembers(metric({ ...declared, headline: '*' })), undefined)
  assert.equal(
    reportedMembers(metric({ ...declared, breakdown: { name: 'part', values: [] }, headline: 'a' })),
    undefined,
  )
  assert.equal(
    reportedMembers(
      metric({ ...declared, breakdown: { name: 'part', values: [], isComplete: true }, headline: '*' }),
    ),
    undefined,
  )
  const members = { name: 'tokens', sql: 'SELECT 2', isSum: true }
  assert.equal(reportedMembers(metric({ ...declared, members })), undefined)
  const daily = { ...members, isReportedDaily: true }
  assert.equal(reportedMembers(metric({ ...declared, members: daily })), daily)
})
