/** A parameter would change its value in silence, fail, or inject SQL. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { TupleParam } from '@clickhouse/client'
import { silentLog } from '#kernel/log.ts'
import { openTestServer } from '#warehouse/door.testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { createQueries } from './createQueries.ts'
import { createExecutor, type QueryRequest } from './execute.ts'
import members from './listMembers.fixture.json' with { type: 'json' }
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
  ['Array(String)', '[\'\\x41\\0\\a\', "\\ud83d\\ude00"]', ['A\0\x07', '😀']],
  ['Array(IPv6)', '[::1]', ['::1']],
  ['Array(tinyint unsigned)', '[255]', [255n]],
  [
    'Map(String, UInt8)',
    `{"a": 1, 'b' : 2}`,
    new Map([
      ['a', 1n],
      ['b', 2n],
    ]),
  ],
  ['Map(String, UInt8)', '{}', new Map()],
  ['Map(UInt8, Array(String))', "{1:['x', ':']}", new Map([[1n, ['x', ':']]])],
  ['Map(String, Tuple(UInt8, String))', "{'a': (1, 'x')}", new Map([['a', new TupleParam([1n, 'x'])]])],
  ['Tuple(UInt8, String)', '(1, "a")', new TupleParam([1n, 'a'])],
  ['Tuple(a UInt8, `b c` Nullable(String), INT UNSIGNED)', '[1, NULL, 3]', new TupleParam([1n, null, 3n])],
  // What is no list goes to the engine as it was sent.
  ...[
    ['Nullable(UInt8)', '255'],
    ['LowCardinality(Nullable(Int8))', '-128'],
    ['Nullable(String)', 'NULL'],
    ['tinyint', '-128'],
    ['INT UNSIGNED', '4294967295'],
    ['BIGINT', '9223372036854775807'],
    ['DOUBLE  PRECISION', '1e300'],
    ['boolean', 'true'],
    ['Decimal(5, 2)', '-999.99'],
    ['Decimal(5, 2)', '1e2'],
    ['Decimal32(2)', '0.010'],
    ['Date', '2149-06-06'],
    ['Date32', '1900-01-01'],
    ['DateTime', '2106-02-07 06:28:15'],
    ['DateTime', '4294967295'],
    ['DateTime64(3)', '2299-12-31 23:59:59.999'],
    ['UUID', 'anything'],
  ].map(([type = '', value = '']) => [type, value, value] as const),
  ['Nullable(UInt8)', 'NULL', null],
  ['Nullable(String)', '\\N', null],
]
const REFUSED: readonly (readonly [type: string, value: string])[] = [
  ...["'a'", 'a', '', '[', '["a"', '["a"]]', '["a" "b"]', '["a",]', '[a]', '[["a"]]', '["a]'].map(
    value => ['Array(String)', value] as const,
  ),
  // Half a character, a byte that is no text, and escapes that the engine reads in its own way.
  ...['["\\ud800"]', "['\\xff']", "['\\d']", "['\\N']", '["\\"]'].map(
    value => ['Array(String)', value] as const,
  ),
  [`${'Array('.repeat(5000)}String${')'.repeat(5000)}`, `${'['.repeat(5000)}${']'.repeat(5000)}`],
  // Read as 44, had the engine its way.
  ['Array(UInt8)', '[300]'],
  ['Array(UInt8)', '[NULL]'],
  ['Array(Date)', "['2020-02-30']"],
  ['Array(Decimal(38, 9))', '[1234567890.1234567891]'],
  ['Array(Decimal(38, 19))', '[1.1234567890123456789]'],
  ['Nullable(UInt8)', '300'],
  ['LowCardinality(Nullable(UInt8))', '-1'],
  ['Nullable(UInt8)', ''],
  ['TINYINT', '128'],
  ['INTEGER', '2147483648'],
  ['INT  UNSIGNED', '-1'],
  ['bigint', '9223372036854775808'],
  ['IntervalDay', '9223372036854775808'],
  ['Array(Nullable(SMALLINT))', '[32768]'],
  ['Map(String, UInt8)', '{"a": 256}'],
  ['Map(UInt8, UInt8)', '{256: 1}'],
  ...['{"a": 1, "a": 2}', '{"a"}', '{"a": 1', '{"a": 1}}', '["a", 1]', '{"a" 1}', '{"a": }', ''].map(
    value => ['Map(String, UInt8)', value] as const,
  ),
  ...['(256, "a")', '(1)', '(1, "a", 2)', '(1, "a"', '(1, "a"]', '{1, "a"}', '(1, a)', ''].map(
    value => ['Tuple(UInt8, String)', value] as const,
  ),
  ['Float32', '1e39'],
  ['REAL', '1e39'],
  ['FLOAT', 'x'],
  ['BOOLEAN', 'yes'],
  ['Date', '2149-06-07'],
  ['Nullable(Date)', '1969-12-31'],
  ['Date32', '1899-12-31'],
  ['DateTime', '2106-02-07 06:28:16'],
  ["DateTime('Asia/Tokyo')", '2106-02-07 00:00:00'],
  ['TIMESTAMP', '2026-02-30 00:00:00'],
  ['DateTime', '2026-02-03 24:00:00'],
  ['DateTime', '4294967296'],
  ['DateTime64(9)', '2262-04-12 00:00:00'],
  ['Decimal(5, 2)', '1000'],
  ['Decimal(5, 2)', '0.001'],
  ['Decimal64(2)', '1e17'],
  ['Decimal', '1e999'],
]

test('a list is given as JSON or SQL write it, and read value by value', () => {
  for (const [type, value, read] of TAKEN) assert.deepEqual(resolve(type, value), read, `${type} ${value}`)
})

test('what is no value of the type is refused and the parameter named', () => {
  for (const [type, value] of REFUSED)
    assert.throws(
      () => resolve(type, value),
      // A type nested so deep is refused before any value is read.
      type.length > 1_000 ? { code: 'sql.too_complex' } : { code: 'sql.parameter_value', parameter: 'x' },
      `${type.slice(0, 100)} ${value.slice(0, 100)}`,
    )
})

test('an error says what the value has to be, also within a list', () => {
  for (const [type, value, message] of [
    ['Nullable(UInt8)', '300', 'The parameter `x` must be a whole number from 0 to 255, not "300".'],
    ['TINYINT', '300', 'The parameter `x` must be a whole number from -128 to 127, not "300".'],
    [
      'Array(UInt8)',
      '[1, 300]',
      'Each part of the parameter `x` must be a whole number from 0 to 255, not "300".',
    ],
    [
      'Map(String, UInt8)',
      'a=1',
      'The parameter `x` must be a value of the type Map(String, UInt8), such as {"a": 1, "b": 2}, not "a=1".',
    ],
    [
      'Date',
      '2150-01-01',
      'The parameter `x` must be a day from 1970-01-01 to 2149-06-06, not "2150-01-01".',
    ],
    [
      'Decimal(5, 2)',
      '1.234',
      'The parameter `x` must be a number with up to 3 digits before the point and 2 behind it, not "1.234".',
    ],
  ] as const)
    assert.throws(() => resolve(type, value), { message })
})

test('a value has to be one of each type that its parameter has', () => {
  const valuesOf = (sql: string, x: string) => resolveParameters(readStatement(sql), { x }, [])
  assert.deepEqual(valuesOf('SELECT {x:UInt8}, {x:UInt16}, {x:UInt8}', '255'), { x: '255' })
  for (const sql of ['SELECT {x:UInt8}, {x:UInt16}', 'SELECT {x:UInt16}, {x:TINYINT}'])
    assert.throws(() => valuesOf(sql, '300'), { code: 'sql.parameter_value', parameter: 'x' }, sql)
  const many = Array.from({ length: 5 }, (_, i) => `{x:FixedString(${i + 1})}`).join(', ')
  assert.throws(() => valuesOf(`SELECT ${many}`, 'a'), { code: 'sql.parameter_value' })
})

test('types and values of any length are read in time', () => {
  const deep = `${'Nullable('.repeat(9_000)}UInt8${')'.repeat(9_000)}`
  const long = `Array(Enum8(${Array.from({ length: 4_000 }, (_, i) => `'${i}' = 1`).join(', ')}))`
  const list = `[${"'a',".repeat(14_000)}'a']`
  const start = performance.now()
  assert.throws(() => resolve(deep, '1'), { code: 'sql.too_complex' })
  for (const [type, value] of [
    [long, list],
    [`Array(${long})`, `[${'[],'.repeat(19_000)}[]]`],
  ] as const)
    resolve(type, value)
  assert.ok(performance.now() - start < 5_000)
})

const hexOf = (text: string): string => Buffer.from(text).toString('hex').toUpperCase()
/** As long as all values may be, in signs that are escaped. */
const LONGEST: readonly (readonly string[])[] = [
  ["'".repeat(59_996)],
  ['\\'.repeat(29_998)],
  ['é'.repeat(29_998)],
  Array<string>(14_999).fill("'"),
]
const READS = 'SELECT arrayMap(x -> hex(x), {list:Array(String)}) AS list, {other:String} AS other'

async function checkLists(warehouse: Warehouse): Promise<void> {
  const queries = createQueries(createExecutor({ warehouse, knownSql: () => [], log: silentLog }))
  const rowOf = async (request: QueryRequest): Promise<unknown[]> => {
    const { rows } = await queries.rows(request, 'reader')
    return (rows[0] ?? []).map(cell => (/^\[/.test(String(cell)) ? JSON.parse(String(cell)) : cell))
  }
  for (const list of [members, ...members.map(member => [member])])
    assert.deepEqual(
      await rowOf({ sql: READS, parameters: { list: JSON.stringify(list), other: 'same' } }),
      [list.map(hexOf), 'same'],
      JSON.stringify(list),
    )
  for (const list of LONGEST)
    assert.deepEqual(
      await rowOf({
        sql: 'SELECT hex(MD5(arrayStringConcat({list:Array(String)})))',
        parameters: { list: JSON.stringify(list) },
      }),
      [createHash('md5').update(list.join('')).digest('hex').toUpperCase()],
    )
  const nested = 'SELECT arrayMap(y -> arrayMap(x -> hex(x), y), {list:Array(Array(String))})'
  const lists = [members, [], ...members.map(member => [member])]
  assert.deepEqual(await rowOf({ sql: nested, parameters: { list: JSON.stringify(lists) } }), [
    lists.map(list => list.map(hexOf)),
  ])
  const map = new Map(members.map((member, i) => [member, members[members.length - 1 - i]]))
  assert.deepEqual(
    await rowOf({
      sql: 'SELECT arrayMap(x -> hex(x), mapKeys({x:Map(String, String)})), arrayMap(x -> hex(x), mapValues({x:Map(String, String)}))',
      parameters: { x: JSON.stringify(Object.fromEntries(map)) },
    }),
    [[...map.keys()].map(hexOf), [...map.values()].map(value => hexOf(value ?? ''))],
  )
  assert.deepEqual(
    await rowOf({
      sql: `WITH {x:Tuple(String, UInt64, Nullable(String), Array(String))} AS x
        SELECT hex(x.1), x.2, x.3 IS NULL, {y:Nullable(TINYINT)} IS NULL, {z:BIGINT}`,
      parameters: { x: `("it's \\\\ (1, 2)", 7, NULL, ['a'])`, y: 'NULL', z: '-5' },
    }),
    [hexOf("it's \\ (1, 2)"), 7, 1, 1, -5],
  )
  for (const [type, list] of UNREADABLE)
    await assert.rejects(
      rowOf({ sql: `SELECT {list:${type}}`, parameters: { list } }),
      { code: 'sql.parameter_value' },
      type,
    )
  for (const type of CLOSED_TYPES)
    await assert.rejects(
      rowOf({ sql: `SELECT {list:${type}}`, parameters: { list: JSON.stringify(members) } }),
      { code: 'sql.refused' },
      type,
    )
}

/** Lists that the engine alone can tell to be none of their type. */
const UNREADABLE = [
  ['Array(UUID)', '["x"]'],
  ["Array(Enum8('a' = 1))", '["b"]'],
  ['Array(FixedString(2))', '["abc"]'],
] as const
const CLOSED_TYPES = ['Array(AggregateFunction(sum, UInt8))', 'Array(Identifier)', 'Array(Variant(String))']

test('members of a list stay data, on the embedded engine and on a server', async () => {
  await using embedded = await openTestWarehouse()
  await checkLists(embedded)
  await using onServer = await openTestServer(embedded.home)
  await checkLists(onServer.warehouse)
})

test('values that are longer than all may be are refused, and the parameter is named', () => {
  for (const type of ['String', 'Array(String)'])
    assert.throws(() => resolve(type, `["${'a'.repeat(60_000)}"]`), {
      code: 'sql.parameter_value',
      parameter: 'x',
    })
})
