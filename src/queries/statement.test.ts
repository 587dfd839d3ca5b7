/** A user query could run a second or a writing statement. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryError } from './errors.ts'
import { resolveParameters } from './parameters.ts'
import { readStatement } from './statement.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof QueryError)
    return error.code
  }
  return 'none'
}

test('a closing semicolon and what follows it in comments is no second statement', () => {
  assert.equal(readStatement('SELECT 1; -- done').text, 'SELECT 1')
  assert.equal(
    codeOf(() => readStatement('SELECT 1; SELECT 2')),
    'sql.two_statements',
  )
  assert.equal(readStatement("SELECT ';'").text, "SELECT ';'")
})

test('reading statements pass, others do not', () => {
  for (const sql of [
    'WITH 1 AS a SELECT a',
    '(SELECT 1)',
    'EXPLAIN SELECT 1',
    'DESCRIBE btc_txs',
    'show tables',
  ]) {
    assert.equal(
      codeOf(() => readStatement(sql)),
      'none',
      sql,
    )
  }
  for (const sql of [
    'DROP TABLE a',
    'SET a = 1',
    'KILL QUERY WHERE 1',
    'SHOW PROCESSLIST',
    'USE base',
    'SYSTEM RELOAD CONFIG',
  ]) {
    assert.equal(
      codeOf(() => readStatement(sql)),
      'sql.read_only',
      sql,
    )
  }
  assert.equal(
    codeOf(() => readStatement('  -- nothing')),
    'sql.empty',
  )
  assert.equal(
    codeOf(() => readStatement("SELECT 1 INTO OUTFILE 'x'")),
    'sql.format',
  )
})

test('a first word that is no keyword is named with its place and the keyword near it', () => {
  const told = (sql: string) => {
    try {
      readStatement(sql)
    } catch (thrown) {
      const { code, message, hint, place, facts } = thrown as QueryError
      return [code, message, hint, place?.column, facts.nearest]
    }
    return []
  }
  assert.deepEqual(told('SELEC 1'), [
    'sql.syntax',
    'The query starts with an unknown word, `SELEC`.',
    'Did you mean SELECT?',
    1,
    'SELECT',
  ])
  assert.deepEqual(told(' ((wiht a as (SELECT 1) select 1').slice(2, 4), ['Did you mean WITH?', 4])
  const begin = 'Begin with SELECT or WITH; EXPLAIN, DESCRIBE and SHOW TABLES work too.'
  assert.deepEqual(told('hello').slice(0, 3), [
    'sql.syntax',
    'The query starts with an unknown word, `hello`.',
    begin,
  ])
  assert.deepEqual(told("'a'").slice(0, 3), ['sql.syntax', 'The query does not start with a word.', begin])
  assert.deepEqual(told('SHOW TABELS').slice(1, 4), [
    'Only SHOW TABLES and SHOW COLUMNS are open to queries.',
    'Did you mean TABLES?',
    6,
  ])
})

test('placeholders are found outside strings and comments, with their whole type', () => {
  const { placeholders } = readStatement(
    "SELECT {a:Array(String)}, '{b:Date}' /* {c:Date} */ , { d : Nullable(UInt8) }",
  )
  assert.deepEqual(
    placeholders.map(({ name, type }) => [name, type]),
    [
      ['a', 'Array(String)'],
      ['d', 'Nullable(UInt8)'],
    ],
  )
})

test('parameters left out take the defaults of the metric whose SQL it is, however it is laid out', () => {
  const known = [{ sql: 'SELECT {from:Date}\nFROM t', parameters: [{ name: 'from', default: '2009-01-03' }] }]
  const resolve = (sql: string, given = {}) => resolveParameters(readStatement(sql), given, known)
  assert.deepEqual(resolve('  SELECT {from:Date} FROM t ;'), { from: '2009-01-03' })
  assert.deepEqual(resolve('SELECT {from:Date} FROM t', { from: '2020-01-01' }), { from: '2020-01-01' })
  assert.equal(
    codeOf(() => resolve('SELECT {from:Date} FROM u')),
    'sql.parameter_missing',
  )
})

test('a quoted format name is refused too', () => {
  for (const sql of [
    'SELECT 1 FORMAT `RawBLOB`',
    'SELECT 1 FORMAT "JSON"',
    "SELECT 1 FORMAT 'Native'",
    'SELECT 1 format/**/`Native`;',
  ])
    assert.throws(() => readStatement(sql), { code: 'sql.format' }, sql)
  for (const sql of [
    'SELECT format FROM t',
    'SELECT 1 AS format',
    "SELECT format('{}', 'x')",
    'SELECT 1 -- FORMAT JSON',
  ])
    assert.doesNotThrow(() => readStatement(sql), sql)
})
