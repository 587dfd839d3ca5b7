/** Recorded amounts would lose satoshis. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCsv, scaled } from './csv.ts'

test('a decimal text becomes satoshis without a float', () => {
  for (const [text, sat] of [
    ['4.01880956', 401_880_956n],
    ['1.1e-06', 110n],
    ['20999999.9769', 2_099_999_997_690_000n],
    ['0.000000005', 1n],
    ['0.0000000049', 0n],
    ['-3.5', -350_000_000n],
    ['12E2', 120_000_000_000n],
  ] as const) {
    assert.equal(scaled(text, 8, 'test'), sat, text)
  }
  assert.equal(scaled('', 8, 'test'), null)
  assert.throws(() => scaled('12,5', 8, 'test'), { code: 'sources.shape' })
})

test('any amount written with eight decimals reads back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), sat => {
      const digits = sat.toString().padStart(9, '0')
      assert.equal(scaled(`${digits.slice(0, -8)}.${digits.slice(-8)}`, 8, 'test'), sat)
    }),
  )
})

test('a table without a column or with a short row is refused whole, and says where', () => {
  assert.deepEqual(parseCsv('a,b\r\n1,2\r\n', ['b'], 'x.csv'), [{ b: '2' }])
  assert.throws(() => parseCsv('a,b\n1,2', ['c'], 'x.csv'), /x\.csv has no column c/)
  assert.throws(() => parseCsv('a,b\n1,2\n3', ['a'], 'x.csv'), /x\.csv, line 3: 1 cells, not 2/)
})
