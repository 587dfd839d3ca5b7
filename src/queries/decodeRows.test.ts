/** Query results would lose digits of large numbers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRow } from '#kernel/sqlCells.ts'
import { toCsv } from './csv.ts'
import { decodeRows } from './decodeRows.ts'
import { argumentName, engineType } from './engineType.ts'

/** An answer as the engine writes it: `bytes` are put into string values as they are. */
const answer = (types: string[], rows: string[]): Buffer =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify({ meta: types.map((type, i) => ({ name: `c${i}`, type })) })}\n`),
    ...rows.map(row => Buffer.from(`{"row":${row}}\n`, 'latin1')),
    Buffer.from('{"progress":{"read_rows":"12","read_bytes":"34"}}\n'),
  ])

test('integers beyond 2^53 are text, others numbers', async () => {
  const { rows } = await decodeRows(answer(['UInt64', 'Int64'], ['[9007199254740991,-9007199254740993]']), 10)
  assert.deepEqual(rows, [[9_007_199_254_740_991, '-9007199254740993']])
})

test('decimals are text with all their digits, however many they have', async () => {
  const { rows } = await decodeRows(
    answer(
      ['Decimal(18, 2)', 'Nullable(Decimal(76, 8))', 'SimpleAggregateFunction(sum, Decimal(38, 2))'],
      [
        '[90071992547409.93,90248280.48088222,1.5]',
        '[1,0.0000001,100000000000000000000000]',
        '[-1234567890123456.78,null,0]',
      ],
    ),
    9,
  )
  assert.deepEqual(rows, [
    ['90071992547409.93', '90248280.48088222', '1.5'],
    ['1', '0.0000001', '100000000000000000000000'],
    ['-1234567890123456.78', null, '0'],
  ])
})

test('floats are numbers, whatever stands beside them', async () => {
  const floats = '1e300,100000000000000000,0.1,-0.00001'
  const types = ['Float64', 'Nullable(Float64)', 'Float32', 'LowCardinality(Float64)']
  const expected = [1e300, 1e17, 0.1, -0.00001]
  assert.deepEqual((await decodeRows(answer(types, [`[${floats}]`]), 9)).rows, [expected])
  assert.deepEqual(
    (await decodeRows(answer([...types, 'UInt64'], [`[${floats},9007199254740993]`]), 9)).rows,
    [[...expected, '9007199254740993']],
  )
})

test('a cell does not depend on other cells of its column', async () => {
  const utf8 = Buffer.from('héłło').toString('latin1')
  const cells = ['"abc"', `"${utf8}"`, '"\xff\\u0000"', '"a\\u0007b"', '"\\u2028"', '"\\\\x61"', '""', 'null']
  const shown = ['abc', 'héłło', '\\xff00', '\\x610762', '\u2028', '\\x5c783631', '', null]
  const all = await decodeRows(
    answer(
      ['Nullable(String)'],
      cells.map(cell => `[${cell}]`),
    ),
    99,
  )
  assert.deepEqual(
    all.rows.map(([cell]) => cell),
    shown,
  )
  for (const [i, cell] of cells.entries())
    assert.deepEqual((await decodeRows(answer(['Nullable(String)'], [`[${cell}]`]), 9)).rows, [[shown[i]]])
})

test('bytes of a fixed length are hex, be they letters or not', async () => {
  const { columns, rows } = await decodeRows(
    answer(
      ['FixedString(3)', 'Nullable(FixedString(3))'],
      ['["abc","\xff\\u0000\xfe"]', '["\xff\xff\xff",null]'],
    ),
    9,
  )
  assert.deepEqual(
    columns.map(({ shownAs }) => shownAs),
    ['hex', 'hex'],
  )
  assert.deepEqual(rows, [
    ['616263', 'ff00fe'],
    ['ffffff', null],
  ])
  assert.deepEqual(csvRow(columns, rows[0]!), ['\\x616263', '\\xff00fe'])
  assert.deepEqual(csvRow(columns, rows[1]!), ['\\xffffff', null])
})

test('arrays and the like come as JSON text', async () => {
  const { rows } = await decodeRows(
    answer(['Array(UInt64)', 'Map(String, UInt8)'], ['[[1,18446744073709551615],{"a":1}]']),
    9,
  )
  assert.deepEqual(rows, [['[1,"18446744073709551615"]', '{"a":1}']])
})

test('values in arrays, maps and tuples have the forms of their types', async () => {
  const cases: readonly [type: string, json: string, cell: string][] = [
    ['Array(Decimal(18, 2))', '[1,90071992547409.93]', '["1","90071992547409.93"]'],
    ['Array(Float64)', '[1e300,100000000000000000]', '[1e+300,100000000000000000]'],
    ['Array(Nullable(String))', '["abc","\xff",null]', '["abc","\\\\xff",null]'],
    ['Array(FixedString(2))', '["ab"]', '["\\\\x6162"]'],
    ['Map(String, Decimal(9, 1))', '{"\xc3\xa9":1.5}', '{"é":"1.5"}'],
    [
      'Tuple(Float64, UInt64)',
      '[100000000000000000,100000000000000000]',
      '[100000000000000000,"100000000000000000"]',
    ],
    [
      'Tuple(f Float64, `a b` Array(Tuple(n UInt64, d Decimal(9, 1))))',
      '{"f":100000000000000000,"a b":[{"n":9007199254740993,"d":2}]}',
      '{"f":100000000000000000,"a b":[{"n":"9007199254740993","d":"2"}]}',
    ],
    ['Nested(f Float64, u UInt64)', '[{"f":1e17,"u":1}]', '[{"f":100000000000000000,"u":1}]'],
    [
      'JSON(max_dynamic_paths=8)',
      '{"a":{"b":9007199254740993},"c":1.5}',
      '{"a":{"b":"9007199254740993"},"c":1.5}',
    ],
    ['Point', '[100000000000000000,1.5]', '[100000000000000000,1.5]'],
  ]
  for (const [type, json, cell] of cases) {
    assert.deepEqual((await decodeRows(answer([type], [`[${json}]`]), 9)).rows, [[cell]], type)
    const beside = answer([type, 'UInt256'], [`[${json},18446744073709551616]`])
    assert.deepEqual((await decodeRows(beside, 9)).rows, [[cell, '18446744073709551616']], type)
  }
})

test('types are read with their quotes and parentheses', () => {
  const types = [
    "Enum8('a, b' = 1, 'it\\\\'s (' = 2)",
    "DateTime64(3, 'UTC')",
    "Tuple(`x, y` Enum8(')' = 1), z DateTime('UTC'))",
    'Map(LowCardinality(String), Array(Nullable(Decimal(9, 2))))',
  ]
  assert.deepEqual(
    types.map(type => engineType(type).args),
    [
      ["'a, b' = 1", "'it\\\\'s (' = 2"],
      ['3', "'UTC'"],
      ["`x, y` Enum8(')' = 1)", "z DateTime('UTC')"],
      ['LowCardinality(String)', 'Array(Nullable(Decimal(9, 2)))'],
    ],
  )
  assert.deepEqual(
    ["`x, y` Enum8(')' = 1)", "z DateTime('UTC')", "DateTime('UTC')", 'UInt64'].map(argumentName),
    [
      { name: 'x, y', type: "Enum8(')' = 1)" },
      { name: 'z', type: "DateTime('UTC')" },
      { name: null, type: "DateTime('UTC')" },
      { name: null, type: 'UInt64' },
    ],
  )
})

test('rows beyond the limit are cut and that is told', async () => {
  const cut = await decodeRows(answer(['UInt8'], ['[1]', '[2]', '[3]']), 2)
  assert.deepEqual([cut.rows, cut.isTruncated, cut.readRows, cut.readBytes], [[[1], [2]], true, 12, 34])
})

test('what the engine says at the end of a broken answer is thrown', async () => {
  const broken = Buffer.from(
    '{"meta":[]}\n{"exception":"Code: 241. DB::Exception: too much. (MEMORY_LIMIT_EXCEEDED)"}\n',
  )
  await assert.rejects(decodeRows(broken, 10), { code: '241' })
})

test('a field that a spreadsheet would run is kept from it', () => {
  assert.equal(
    toCsv(['a'], [['=1+1'], ['-5'], ['-x'], [null], ['a\nb']]),
    'a\r\n\'=1+1\r\n-5\r\n\'-x\r\n\r\n"a\nb"\r\n',
  )
})
