/** A user who calls a function wrongly would not learn where, or would be led to another call. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClickHouseError } from '@clickhouse/client'
import { toQueryError } from './engineError.ts'
import { readStatement } from './statement.ts'

/** What the engine says (chdb 3.4), the query, and the message and place that users see. */
const CASES: readonly (readonly [raw: string, sql: string, message: string, place?: string])[] = [
  [
    "An incorrect number of arguments was specified for function 'toString'. Expected 1 argument, got 3 arguments: In scope SELECT",
    'SELECT toString(1),\n  toString(1, 2, 3)',
    '`toString` takes 1 argument, not 3.',
    '2:3',
  ],
  [
    "An incorrect number of arguments was specified for function 'toDate'. Expected 1 mandatory argument and 1 optional argument, got 0 arguments: In scope SELECT",
    'SELECT toDate()',
    '`toDate` takes 1 or 2 arguments, not 0.',
    '1:8',
  ],
  [
    "Number of arguments for function toStartOfDay doesn't match: passed 4, should be 1 or 2: In scope SELECT",
    'SELECT TOSTARTOFDAY(1, [2, 3], f(4, 5), (6, 7))',
    '`TOSTARTOFDAY` takes 1 or 2 arguments, not 4.',
    '1:8',
  ],
  ['Aggregate function sum requires single argument', 'SELECT sum(1, 2)', '`sum` takes 1 argument.', '1:8'],
  [
    'Aggregate function sum requires single argument',
    'SELECT sumIf(1)',
    '`sumIf` has a wrong number of arguments.',
    '1:8',
  ],
  [
    'Illegal type UInt8 of first argument of function substring, expected String, FixedString or Enum: In scope SELECT',
    "SELECT 'substring(1)', /* substring(1) */ substring(1, 2)",
    '`substring` does not accept UInt8 as its first argument. Expected: String, FixedString or Enum.',
    '1:43',
  ],
  [
    'Illegal type FixedString(32) of argument for aggregate function avg',
    'SELECT avg(hash), avg(height)',
    '`avg` does not accept FixedString(32).',
  ],
  [
    'Illegal type String of argument for aggregate function quantile',
    "SELECT quantile(0.5)('a')",
    '`quantile` does not accept String.',
    '1:8',
  ],
  [
    'Illegal type String of last argument for aggregate function with If suffix',
    "SELECT sum(1), countIf('a')",
    '`countIf` does not accept String as its last argument.',
    '1:16',
  ],
  [
    'Illegal types UInt8 and String of arguments of function plus: In scope SELECT',
    "SELECT 1\n  + 'a'",
    '`+` does not accept UInt8 and String.',
    '2:3',
  ],
  [
    'Illegal types UInt8 and String of arguments of function multiply: In scope SELECT',
    "SELECT *, count(*), 2 * 'a'",
    '`*` does not accept UInt8 and String.',
    '1:23',
  ],
  [
    "A value of illegal type was provided as 1st argument 'x' to function 'round'. Expected: A number to round, got: String: In scope SELECT",
    "SELECT round('a', 'b')",
    '`round` does not accept String as its 1st argument. Expected: a number to round.',
    '1:8',
  ],
  [
    "Cannot convert string 'abc' to type UInt32: while executing function equals on arguments __table1.height UInt32",
    "SELECT height = 'abc'",
    "Cannot convert string 'abc' to type UInt32.",
    '1:17',
  ],
  [
    'Argument for function arrayJoin must be Array or Map: In scope SELECT',
    'SELECT 1, arrayJoin(1)',
    'Argument for function arrayJoin must be Array or Map.',
    '1:11',
  ],
]

for (const [raw, sql, message, place] of CASES) {
  test(`${message} ${place ?? 'has no single place'}`, () => {
    const error = toQueryError(
      new ClickHouseError({
        code: '43',
        type: 'ILLEGAL_TYPE_OF_ARGUMENT',
        message: `Code: 43. DB::Exception: ${raw}. (ILLEGAL_TYPE_OF_ARGUMENT) (version 26.7.2.1)`,
      }),
      readStatement(sql),
    )
    assert.deepEqual(
      [error.code, error.message, error.place && `${error.place.line}:${error.place.column}`],
      ['sql.type', message, place],
    )
  })
}

test('names that every object has are names like others', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const error = toQueryError(
      new ClickHouseError({
        code: '43',
        type: 'X',
        message: `Illegal type A of argument of function ${name}`,
      }),
      readStatement('SELECT 1 + 1'),
    )
    assert.equal(error.message, `\`${name}\` does not accept A.`)
  }
})

test('a long query is searched in a moment, whatever the message names', () => {
  const errorOf = (code: string, message: string, sql: string) => {
    const statement = readStatement(sql)
    const start = performance.now()
    const error = toQueryError(new ClickHouseError({ code, type: 'X', message }), statement)
    assert.ok(performance.now() - start < 1000)
    return error
  }
  // The message quotes a text of the query, which can look like a name with many parts.
  const names = Array(45_000).fill('a').join('.')
  errorOf('6', `Cannot parse string 'Unknown function ${'a.'.repeat(1_900)}b' as UInt64`, `SELECT ${names}`)
  const nested = `SELECT ${'f('.repeat(900)}${'1, '.repeat(40_000).slice(0, 97_000)}1${')'.repeat(900)}`
  errorOf('43', 'Illegal type String of argument of function f', nested)
  const { message } = errorOf(
    '43',
    'Illegal type A of argument of function f',
    `SELECT f${'()'.repeat(49_000)}`,
  )
  assert.equal(message, '`f` does not accept A.')
})
