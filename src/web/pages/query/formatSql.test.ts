/** Formatting would change what a query means, or break parameters. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSql } from './formatSql.ts'

const same = async () => true

test('statements are laid out, with their parameters and the text between them', async () => {
  const { sql } = await formatSql('select {{a}} , {b:Array(String)} from t;\n\n-- next\nselect 1', same)
  assert.equal(sql, 'SELECT\n  {{a}},\n  {b:Array(String)}\nFROM\n  t;\n\n-- next\nSELECT\n  1')
  assert.equal((await formatSql(sql ?? '', same)).note, 'Already formatted.')
})

test('the text stays as it is where the engine would read it otherwise, and where it is no SQL', async () => {
  const changed = await formatSql('select 1', async () => false)
  assert.deepEqual(changed, { sql: undefined, note: 'Not formatted: it would change what the query means.' })
  assert.equal((await formatSql("select '", same)).sql, undefined)
})

test('a column named like a keyword keeps its case', async () => {
  const { sql } = await formatSql('select number as n from numbers(2)', async (_, next) => !/N$/m.test(next))
  assert.equal(sql, 'select\n  number as n\nfrom\n  numbers(2)')
})

test('settings of EXPLAIN keep their small letters, which the engine needs', async () => {
  const { sql } = await formatSql('explain indexes = 1 select 1', same)
  assert.equal(sql, 'explain indexes = 1\nselect\n  1')
})
