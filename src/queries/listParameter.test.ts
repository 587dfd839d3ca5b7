import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveParameters } from './parameters.ts'
import { readStatement } from './statement.ts'

const resolve = (type: string, value: string): unknown =>
  resolveParameters(readStatement(`SELECT {x:${type}}`), { x: value }, []).x

const TAKEN: readonly (readonly [type: string, value: string, read: unknown])[] = [
  ['Array(String)', '["a", "b"]', ['a', 'b']],
  ['Array(String)', "['a','it''s', 'x\\'y']", ['a', "it's", "x'y"]],
  ['Array(String)', '["\\u00e9\\n,]"]', ['é\n,]']],
  ['Array(String)', ' [ ] ', []],
  ['Array(UInt64)', '[18446744073709551615, "7"]', [18446744073709551615n, 7n]],
  ['Array(Float64)', '[0.1234567890123456, -1e9]', [0.1234567890123456, -1e9]],
  ['Array(Nullable(String))', "['NULL', NULL]", ['NULL', null]],
  ['Array(LowCardinality(String))', '["a"]', ['a']],
  ['Array(Array(UInt8))', '[[1, 2], []]', [[1n, 2n], []]],
  ['Array(Date)', "['2020-01-01']", ['2020-01-01']],
  ['Array(Bool)', '[true, 0]', [true, false]],
]
const REFUSED: readonly (readonly [type: string, value: string])[] = [
  ...["'a'", 'a', '', '[', '["a"', '["a"]]', '["a" "b"]', '["a",]', '[a]', '[["a"]]', '["a]'].map(
    value => ['Array(String)', value] as const,
  ),
  // Read as 44, had the engine its way.
  ['Array(UInt8)', '[300]'],
  ['Array(UInt8)', '[NULL]'],
  ['Array(Date)', "['2020-02-30']"],
  ['Array(Decimal(38, 9))', '[1234567890.1234567891]'],
]

test('a list is given as JSON or SQL write it, and read value by value', () => {
  for (const [type, value, read] of TAKEN) assert.deepEqual(resolve(type, value), read, `${type} ${value}`)
})

test('what is no list of the type is refused and the parameter named', () => {
  for (const [type, value] of REFUSED)
    assert.throws(
      () => resolve(type, value),
      { code: 'sql.parameter_value', parameter: 'x' },
      `${type} ${value}`,
    )
})
