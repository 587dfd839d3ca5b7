import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from './csv.ts'
import { decodeRows } from './decodeRows.ts'

/** An answer as the engine writes it: `bytes` are put into string values as they are. */
const answer = (types: string[], rows: string[]): Buffer =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify({ meta: types.map((type, i) => ({ name: `c${i}`, type })) })}\n`),
    ...rows.map(row => Buffer.from(`{"row":${row}}\n`, 'latin1')),
    Buffer.from('{"progress":{"read_rows":"12","read_bytes":"34"}}\n'),
  ])

test('integers beyond 2^53 are text, others numbers', () => {
  const { rows } = decodeRows(answer(['UInt64', 'Int64'], ['[9007199254740991,-9007199254740993]']), 10)
  assert.deepEqual(rows, [[9_007_199_254_740_991, '-9007199254740993']])
})

test('a column of bytes is hex all over, a column of text is text', () => {
  const utf8 = Buffer.from('héłło').toString('latin1')
  const { columns, rows } = decodeRows(
    answer(['String', 'String'], [`["abc","${utf8}"]`, '["\xff\\u0000","x"]']),
    10,
  )
  assert.deepEqual(
    columns.map(({ shownAs }) => shownAs),
    ['hex', 'value'],
  )
  assert.deepEqual(rows, [
    ['616263', 'héłło'],
    ['ff00', 'x'],
  ])
})

test('line separators that the engine escapes survive beside bytes', () => {
  const { rows } = decodeRows(answer(['String'], ['["\\u2028"]', '["\xff"]']), 10)
  assert.deepEqual(rows, [['e280a8'], ['ff']])
})

test('arrays and the like come as JSON text', () => {
  const { rows } = decodeRows(
    answer(['Array(UInt64)', 'Map(String, UInt8)'], ['[[1,18446744073709551615],{"a":1}]']),
    9,
  )
  assert.deepEqual(rows, [['[1,"18446744073709551615"]', '{"a":1}']])
})

test('rows beyond the limit are cut and that is told', () => {
  const cut = decodeRows(answer(['UInt8'], ['[1]', '[2]', '[3]']), 2)
  assert.deepEqual([cut.rows, cut.isTruncated, cut.readRows, cut.readBytes], [[[1], [2]], true, 12, 34])
})

test('what the engine says at the end of a broken answer is thrown', () => {
  const broken = Buffer.from(
    '{"meta":[]}\n{"exception":"Code: 241. DB::Exception: too much. (MEMORY_LIMIT_EXCEEDED)"}\n',
  )
  assert.throws(() => decodeRows(broken, 10), { code: '241' })
})

test('a field that a spreadsheet would run is kept from it', () => {
  assert.equal(
    toCsv(['a'], [['=1+1'], ['-5'], ['-x'], [null], ['a\nb']]),
    'a\r\n\'=1+1\r\n-5\r\n\'-x\r\n\r\n"a\nb"\r\n',
  )
})
