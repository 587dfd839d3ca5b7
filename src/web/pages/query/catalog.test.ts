/** A column or query could not be found by its name, or the search would lag behind typing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf, findEntries } from './catalog.ts'

const COLUMNS = 10_000
const entries = entriesOf({
  tables: Array.from({ length: 100 }, (_, table) => ({
    name: `table_${table}`,
    about: 'Made',
    columns: Array.from({ length: COLUMNS / 100 }, (_, at) => ({
      name: at === 0 ? 'fee' : `fee_${at}`,
      type: 'UInt64',
      about: `Column ${at} of table ${table}`,
    })),
  })),
  // One metric for two chains.
  metrics: ['All fees', 'All fees of a layer'].map(definition => ({
    id: 'fees.total',
    name: 'Fees paid',
    definition,
    sql: '',
    parameters: [],
  })),
  examples: [],
  saved: [{ id: 'x', name: 'My fees', about: '', folder: '' }],
})

test('the best matches come first, and all words count', () => {
  const { found, total } = findEntries(entries, 'fee', 5)
  assert.equal(total, COLUMNS + 2)
  assert.deepEqual(
    found.map(({ name }) => name),
    ['fee', 'fee', 'fee', 'fee', 'fee'],
  )
  assert.equal(findEntries(entries, 'fees paid', 5).found[0]?.id, 'fees.total')
  assert.equal(findEntries(entries, 'table_7 fee_9', 5).found[0]?.id, 'table_7.fee_9')
  for (const text of ['fees_total', 'metrics.fees_total', 'fees.total']) {
    const { found, total } = findEntries(entries, text, 5)
    assert.deepEqual([found[0]?.id, found[0]?.about, total], ['fees.total', 'All fees', 1], text)
  }
  assert.deepEqual(findEntries(entries, '  ', 5), { found: [], total: 0 })
  assert.equal(findEntries(entries, 'nothing-like-it', 5).total, 0)
})

test('10,000 columns are searched within 100 ms', t => {
  const times = Array.from({ length: 20 }, () => {
    const start = performance.now()
    findEntries(entries, 'column 42', 60)
    return performance.now() - start
  }).sort((a, b) => a - b)
  t.diagnostic(`median ${times[10]?.toFixed(1)} ms`)
  assert.ok((times[10] ?? 0) < 100)
})
