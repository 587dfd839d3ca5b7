/** The editor would complete names that do not exist where they are offered, or none. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CompletionSources, completionsAt, metricTables } from './completions.ts'

const column = (name: string) => ({ name, type: 'UInt64', about: '' })
const SOURCES: CompletionSources = {
  tables: [
    { name: 'blocks', about: 'Blocks', columns: [column('height'), column('fee_sat')] },
    { name: 'txs', about: 'Transactions', columns: [column('txid')] },
    ...metricTables([{ id: 'fees.total', name: 'Fees', definition: 'All', sql: '', parameters: [] }]),
  ],
  functions: [{ name: 'sum', isAggregate: true }],
  keywords: ['SELECT', 'FROM'],
  parameters: [{ name: 'day', type: 'Date', isTypeOpen: false }],
}

/** What is offered at the `|` of a text. */
function offered(text: string, kinds = ['table', 'column', 'function', 'keyword', 'parameter', 'alias']) {
  const at = text.indexOf('|')
  const found = completionsAt(text.replace('|', ''), at, SOURCES, true)
  return found?.candidates.filter(({ kind }) => kinds.includes(kind)).map(({ label }) => label)
}

describe('completion', () => {
  test('offers columns of the tables of the statement alone', () => {
    assert.deepEqual(offered('SELECT | FROM blocks; SELECT 1 FROM txs', ['column']), ['height', 'fee_sat'])
    assert.deepEqual(offered('SELECT | FROM blocks JOIN txs USING (a)', ['column']), [
      'height',
      'fee_sat',
      'txid',
    ])
    assert.deepEqual(offered('SELECT |', ['column']), [])
  })

  test('offers columns behind a table or its alias', () => {
    assert.deepEqual(offered('SELECT b.| FROM blocks AS b'), ['height', 'fee_sat'])
    assert.deepEqual(offered('SELECT t.tx| FROM blocks b, txs t'), ['txid'])
    assert.deepEqual(offered('SELECT blocks.| FROM blocks WHERE 1'), ['height', 'fee_sat'])
    assert.equal(offered('SELECT x.| FROM blocks AS b'), undefined)
  })

  test('offers tables and names of WITH behind FROM, JOIN and a comma between tables', () => {
    const all = ['blocks', 'txs', 'metrics']
    assert.deepEqual(offered('WITH daily AS (SELECT 1) SELECT 1 FROM |'), ['daily', ...all])
    assert.deepEqual(offered('SELECT 1 FROM blocks JOIN |'), all)
    assert.deepEqual(offered('SELECT 1 FROM blocks AS b, |'), all)
  })

  test('offers metrics after `metrics.`, and columns of the metrics in the query', () => {
    assert.deepEqual(offered('SELECT 1 FROM metrics.|'), ['fees_total'])
    assert.deepEqual(offered('SELECT f.va| FROM metrics.fees_total AS f')?.slice(0, 3), [
      'day',
      'key',
      'value',
    ])
    assert.equal(offered('SELECT metrics.| FROM blocks AS metrics')?.[0], 'height')
  })

  test('offers functions, keywords and aliases in expressions', () => {
    const all = offered('SELECT height AS h, su| FROM blocks') ?? []
    for (const label of ['sum', 'SELECT', 'h', 'height', 'txs']) assert.ok(all.includes(label), label)
  })

  test('offers parameters in braces, with their type in single ones', () => {
    const single = completionsAt('SELECT {', 8, SOURCES)?.candidates[0]
    assert.deepEqual([single?.label, single?.insert], ['day', 'day:Date'])
    assert.equal(completionsAt('SELECT {{', 9, SOURCES)?.candidates[0]?.insert, 'day')
  })

  test('is silent in strings, comments and numbers', () => {
    for (const text of ["SELECT 'ab|'", 'SELECT 1 -- ab|', 'SELECT 1e|'])
      assert.equal(offered(text), undefined, text)
  })
})
