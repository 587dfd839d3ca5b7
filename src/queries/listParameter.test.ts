/** List parameters of a query would fail or inject SQL. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { openTestServer } from '#warehouse/door.testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { createQueries, type QueryRequest } from './createQueries.ts'
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
  const queries = createQueries({ warehouse, knownSql: () => [], log: silentLog })
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
