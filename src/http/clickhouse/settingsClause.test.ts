/** One request of a ClickHouse client could use up the server's memory or time before its query is checked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeSettings } from './settingsClause.ts'

const filtered = (reads: number, filters: readonly string[]): string =>
  `SELECT 1${' FROM t'.repeat(reads)} SETTINGS additional_table_filters = {${filters.join(', ')}}`

test('filters cannot make a statement many times longer', () => {
  assert.throws(() => takeSettings(filtered(7_000, ["'t': 'height > 0'"])), { code: 307 })
  assert.throws(() => takeSettings(filtered(1_000, [`'t': '${'1'.repeat(1_000)}'`])), { code: 307 })
  const tables = Array.from({ length: 51 }, (_, index) => `'t${index}': '1'`)
  assert.throws(() => takeSettings(filtered(1, tables)), { code: 36 })
})

test('of two filters of a table, the second counts', () => {
  const { sql } = takeSettings(filtered(1, ["'t': 'a'", "'t': 'b'"]))
  assert.equal(sql.trim(), 'SELECT 1 FROM (SELECT * FROM t WHERE (b\n)) AS `t`')
})

test('many clauses stay for the gate to refuse', () => {
  for (const clause of ['SETTINGS max_threads = 1 ', 'SETTINGS a = [ ']) {
    const sql = `SELECT 1 ${clause.repeat(21)}`
    assert.deepEqual(takeSettings(sql), { sql, settings: new Map() })
  }
  const few = takeSettings(`SELECT 1 ${'SETTINGS max_threads = 1 '.repeat(20)}`)
  assert.equal(few.sql.trim(), 'SELECT 1')
})
