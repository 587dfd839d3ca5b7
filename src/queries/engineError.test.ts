/** A user would be blamed for a memory limit that the server ran into. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClickHouseError } from '@clickhouse/client'
import { toQueryError } from './engineError.ts'
import { readStatement } from './statement.ts'

test('whose memory was too small is told apart: that of the query, or that of all together', () => {
  const refused = (whose: string) =>
    toQueryError(
      new ClickHouseError({
        code: '241',
        type: 'MEMORY_LIMIT_EXCEEDED',
        message: `${whose} memory limit exceeded: would use 565.15 MiB, maximum: 512.00 MiB.`,
      }),
      readStatement('SELECT 1'),
    )
  assert.equal(refused('Query').code, 'sql.too_much_memory')
  const { code, message, hint } = refused('(total)')
  assert.deepEqual(
    [code, message, hint],
    [
      'sql.unavailable',
      'The query engine is out of memory because of too many requests at once.',
      'Try again in a few seconds.',
    ],
  )
})

test('data that cannot be read is no fault of the query, and says nothing of files and internal tables', () => {
  const error = (code: string, message: string) =>
    toQueryError(new ClickHouseError({ code, type: 'X', message }), readStatement('SELECT 1'))
  const part =
    '(while reading from part /home/x/data/store/0e0/all_1_1_0/ in table base.btc_batches (0e0f30d9-9904-4000-9d1c-c35d0d8d4a85) located on disk default of type local)'
  const { code, message, hint } = error(
    '107',
    `Cannot open file /home/x/data/store/0e0/all_1_1_0/data.bin: , errno: 2, strerror: No such file or directory: ${part}`,
  )
  assert.deepEqual(
    [code, message, hint],
    ['sql.unavailable', 'The query engine cannot read its data.', 'Try again in a few minutes.'],
  )
  const own = error('6', `Cannot parse string 'x' as UInt32: ${part}`)
  assert.deepEqual([own.code, own.message], ['sql.failed', "'x' is not a number of type UInt32."])
})

test('names of internal tables and expressions never reach a user, unless the query has them', () => {
  const messageOf = (message: string, sql: string) =>
    toQueryError(new ClickHouseError({ code: '9999', type: 'X', message }), readStatement(sql)).message
  const said = 'Something failed in base.btc_blocks near __set_1'
  assert.equal(messageOf(said, 'SELECT 1'), 'The engine refused the query.')
  assert.equal(messageOf(said, "SELECT 'base.btc_blocks', __set_1"), `${said}.`)
  assert.equal(messageOf('Something failed at __table1.height', 'SELECT 1'), 'Something failed at height.')
})

test('a long query full of what an error looks for is read in a moment', () => {
  const raws: [code: string, raw: string][] = [
    ['36', "Window 'a' does not exist"],
    ['38', 'Cannot parse date: value is too short: Cannot parse Date from String'],
    ['43', 'Illegal type String expression, must be numeric type'],
    ['47', "JOIN USING (a) using identifier 'a' cannot be resolved from left table expression"],
    ['53', "Cannot convert string 'x' to type UInt32"],
    ['153', 'Division by zero'],
    ['179', 'Multiple expressions a and a for alias a.'],
    ['184', 'Aggregate function count(a) is found in WHERE in query'],
  ]
  const parts = ['a, ', 'count(a), ', 'CAST(1 AS a), ', '{p:String} = ', 'intDiv(1, 1), ']
  const statements = parts.map(part => readStatement(`SELECT ${part.repeat(95_000 / part.length)}1`))
  const start = performance.now()
  for (const [code, message] of raws)
    for (const statement of statements)
      toQueryError(new ClickHouseError({ code, type: 'X', message }), statement)
  assert.ok(performance.now() - start < 20_000)
})
