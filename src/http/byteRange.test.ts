/** A resumed download would get the wrong bytes or crash the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteRangeOf, holdsIfRange } from './byteRange.ts'

/** For a file of 1,000 bytes: header and expected range. */
const CASES: readonly (readonly [header: string | undefined, part: string])[] = [
  [undefined, 'whole'],
  ['bytes=0-0', '0-0'],
  ['bytes=0-499', '0-499'],
  ['bytes=500-999', '500-999'],
  ['bytes=500-', '500-999'],
  ['bytes=999-', '999-999'],
  ['bytes=-1', '999-999'],
  ['bytes=-500', '500-999'],
  ['bytes=-1000', '0-999'],
  ['bytes=-1001', '0-999'],
  ['BYTES=1-2', '1-2'],
  ['bytes= 1-2 ', '1-2'],
  ['bytes=0001-02', '1-2'],
  // Beyond the end.
  ['bytes=0-1000', '0-999'],
  ['bytes=0-18446744073709551616', '0-999'],
  [`bytes=0-${'9'.repeat(150)}`, '0-999'],
  [`bytes=-${'9'.repeat(150)}`, '0-999'],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=1000-1001', 'unsatisfiable'],
  ['bytes=9007199254740993-', 'unsatisfiable'],
  ['bytes=18446744073709551615-18446744073709551616', 'unsatisfiable'],
  [`bytes=${'9'.repeat(150)}-`, 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=-000', 'unsatisfiable'],
  // Reversed, malformed, other units, several parts: the header is ignored.
  ['bytes=2-1', 'whole'],
  ['bytes=18446744073709551616-18446744073709551615', 'whole'],
  ['bytes=9007199254740993-9007199254740992', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=', 'whole'],
  ['bytes', 'whole'],
  ['', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=0x0-0x10', 'whole'],
  ['bytes=1e1-2e1', 'whole'],
  ['bytes=1.5-2', 'whole'],
  ['bytes=+1-2', 'whole'],
  ['bytes=--1', 'whole'],
  ['bytes=1-2-3', 'whole'],
  ['bytes=٠-١', 'whole'],
  ['bytes=0-1\u0000', 'whole'],
  ['rows=0-1', 'whole'],
  ['items=0-1', 'whole'],
  ['bytes=0-1,2-3', 'whole'],
  ['bytes=0-1, -1', 'whole'],
  ['bytes=0-0,0-0,0-0', 'whole'],
  [`bytes=${'0-,'.repeat(10_000)}0-`, 'whole'],
  [`bytes=0-${'9'.repeat(100_000)}`, 'whole'],
]

for (const [header, part] of CASES)
  test(`of 1,000 bytes, ${header === undefined ? 'no header' : JSON.stringify(header.slice(0, 40))} is ${part}`, () => {
    const found = byteRangeOf(header, 1000)
    assert.equal(typeof found === 'string' ? found : `${found.first}-${found.last}`, part)
  })

test('no range of an empty file is satisfiable', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1'])
    assert.equal(byteRangeOf(header, 0), 'unsatisfiable')
  assert.equal(byteRangeOf(undefined, 0), 'whole')
})

test('a range is sent only if If-Range matches the same file', () => {
  assert.ok(holdsIfRange(undefined, '"a"'))
  assert.ok(holdsIfRange('"a"', '"a"'))
  for (const other of ['"b"', 'W/"a"', 'a', '*', '"a", "b"', 'Sat, 29 Oct 2044 19:43:31 GMT', ''])
    assert.equal(holdsIfRange(other, '"a"'), false, other)
})
