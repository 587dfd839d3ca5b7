/** The comparison table would rank layers wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComparedEntity } from '#http/contract.ts'
import { setOf } from './lists.ts'
import { tableOf } from './tableOf.ts'
import { figureFor } from './testing.ts'

const entityOf = (entity: string): ComparedEntity => ({
  entity,
  name: entity,
  status: 'mainnet',
  kind: 'sidechain',
  trust: null,
  assessment: null,
})
const entities = ['bitcoin', 'stacks', 'bob', 'core'].map(entityOf)

test('ranks run among layers of one unit, Bitcoin has none, equal figures share a place', () => {
  const table = tableOf(
    setOf('money'),
    [
      figureFor('bitcoin', { value: 9e12 }),
      figureFor('stacks', { value: 50 }),
      figureFor('bob', { value: 70 }),
      figureFor('core', { value: 50 }),
    ],
    entities,
    '30d',
  )
  const ranks = table.rows.map(({ cells }) => cells['tvl.total']?.rank)
  assert.deepEqual(ranks, [null, 2, 1, 2])
  const [column] = table.columns
  assert.deepEqual(column?.sum, { value: 170, unit: 'USD', covers: 3, of: 3, oldest: null })
})

test('a sum of parts of several days says the oldest', () => {
  const table = tableOf(
    setOf('money'),
    [
      figureFor('stacks', { value: 50, day: '2026-08-05' }),
      figureFor('bob', { value: 70, day: '2026-08-02' }),
      figureFor('core', { value: 50, day: '2026-08-05' }),
    ],
    entities,
    '30d',
  )
  assert.equal(table.columns[0]?.sum?.oldest, '2026-08-02')
})

test('of a grade the smallest comes first', () => {
  const table = tableOf(
    setOf('risk'),
    [
      figureFor('stacks', { metric: 'risk.custody', value: 4, unit: 'grade' }),
      figureFor('bob', { metric: 'risk.custody', value: 1, unit: 'grade' }),
    ],
    entities,
    '30d',
  )
  assert.deepEqual(
    table.rows.map(({ cells }) => cells['risk.custody']?.rank),
    [undefined, 2, 1, undefined],
  )
})

test('the four grades stand in short beside any columns; without a grade there is no mark', () => {
  const table = tableOf(
    setOf('money'),
    [
      figureFor('stacks', { value: 50 }),
      figureFor('stacks', { metric: 'risk.custody', value: 4, unit: 'grade', day: '2025-10-05' }),
      figureFor('stacks', { metric: 'risk.finality', value: 1, unit: 'grade', day: '2025-10-05' }),
    ],
    entities,
    '30d',
  )
  const of = (entity: string) => table.rows.find(row => row.entity === entity)?.grades
  assert.deepEqual(of('stacks'), {
    marks: [
      { label: 'Custody', grade: 4, word: 'Very High' },
      { label: 'Data', grade: null, word: null },
      { label: 'Operators', grade: null, word: null },
      { label: 'Finality', grade: 1, word: 'Low' },
    ],
    day: '2025-10-05',
  })
  assert.equal(of('bob'), null)
})

test('a column without any figure is told once with its reason, not drawn as dashes', () => {
  const table = tableOf(
    setOf('money'),
    [
      figureFor('stacks', { value: 50 }),
      figureFor('bob', { value: 70, day: '2026-08-02' }),
      figureFor('core', { value: 5, day: '2026-08-02' }),
      figureFor('stacks', { metric: 'dex.volume', value: null, day: null, absent: 'Nobody publishes it.' }),
    ],
    entities,
    '30d',
  )
  assert.deepEqual(
    table.columns.map(({ key, day }) => [key, day]),
    [['tvl.total', '2026-08-02']],
  )
  assert.deepEqual(table.empty, [
    { label: 'DEX volume', reason: 'Nobody publishes it.', assay: 'dex.volume@stacks' },
  ])
})

test('a sum that lacks members says which', () => {
  const missing = { name: 'protocols', of: 5, keys: ['zest'] }
  const { rows } = tableOf(setOf('money'), [figureFor('stacks', { missing })], entities, '30d')
  assert.deepEqual(rows.find(({ entity }) => entity === 'stacks')?.cells['tvl.total']?.lacks, [
    '4 of 5 protocols',
    'No data that day for zest',
  ])
})

test('a change of some members alone says which it leaves out', () => {
  const changeOver = { name: 'pools', count: 4, of: 57 }
  const table = tableOf(setOf('money'), [figureFor('bob', { change: 0.1, changeOver })], entities, '30d')
  const cell = table.rows.find(({ entity }) => entity === 'bob')?.cells['tvl.total']
  assert.deepEqual([cell?.change, cell?.changeOver], [0.1, changeOver])
})
