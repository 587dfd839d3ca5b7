/** Clarity values would be shown wrongly, or a malformed one would crash the ingest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clarityValues } from '#tests/arbitraryStacks.ts'
import { encodeTransaction, TRANSFER } from '#tests/encodeStacks.ts'
import { plain, refusedBy } from '#tests/refusals.ts'
import { type ClarityValue, encodeValue, openStacksCodec, parseRepr, reprOf, typeOf } from '../index.ts'

const codec = openStacksCodec()
const value = (hex: string): ClarityValue => codec.decodeValue(Buffer.from(hex, 'hex'))
const refusedValue = (hex: string, reason: string, offset: number): void =>
  refusedBy(codec.decodeValue, Buffer.from(hex, 'hex'), reason, offset)

test('integers reach to their ends', () => {
  assert.deepEqual(value(`01${'ff'.repeat(16)}`), { type: 'uint', value: 2n ** 128n - 1n })
  assert.deepEqual(value(`0000${'00'.repeat(15)}`), { type: 'int', value: 0n })
  assert.deepEqual(value(`00${'ff'.repeat(16)}`), { type: 'int', value: -1n })
  assert.deepEqual(value(`0080${'00'.repeat(15)}`), { type: 'int', value: -(2n ** 127n) })
  assert.deepEqual(value(`007f${'ff'.repeat(15)}`), { type: 'int', value: 2n ** 127n - 1n })
})

test('texts of values are those of the public API', () => {
  const shown = (hex: string) => [reprOf(value(hex)), typeOf(value(hex))]
  assert.deepEqual(shown('09'), ['none', '(optional UnknownType)'])
  assert.deepEqual(shown('0703'), ['(ok true)', '(response bool UnknownType)'])
  assert.deepEqual(shown('0804'), ['(err false)', '(response UnknownType bool)'])
  assert.deepEqual(shown('0b00000000'), ['(list)', '(list 0 UnknownType)'])
  assert.deepEqual(shown('0200000000'), ['0x', '(buff 0)'])
  assert.deepEqual(shown('0d0000000622275c0a0d41'), [String.raw`"\"\'\\\n\rA"`, '(string-ascii 6)'])
  assert.deepEqual(shown('0e00000006c3a9f09f909f'), [String.raw`u"\u{c3a9}\u{f09f909f}"`, '(string-utf8 8)'])
  assert.deepEqual(shown('0c00000002016203016104'), [
    '(tuple (a false) (b true))',
    '(tuple (a bool) (b bool))',
  ])
})

test('the readable text of any value is read back as the value', () => {
  fc.assert(fc.property(clarityValues, made => assert.deepEqual(plain(parseRepr(reprOf(made))), plain(made))))
  for (const text of [
    '',
    '(',
    'u',
    "'",
    '"',
    '(list u1',
    '(tuple (a u1)',
    'u1 ',
    '0x0',
    '(some)',
    `${'(some '.repeat(2000)}u1`,
  ])
    assert.equal(parseRepr(text), null, text.slice(0, 20))
})

test('values as deep as a contract can hold decode, deeper ones do not, and none overflows', () => {
  const nested = (prefix: string, levels: number) => `${prefix.repeat(levels - 1)}03`
  for (const prefix of ['0a', '07', '08', '0b00000001', '0c000000010161']) {
    assert.doesNotThrow(() => value(nested(prefix, 32)))
    assert.throws(() => value(nested(prefix, 33)), { code: 'decode.depth' })
    assert.throws(() => value(nested(prefix, 100_000)), { code: 'decode.depth' })
  }
  const call = (levels: number) =>
    encodeTransaction({
      ...TRANSFER,
      payload: {
        kind: 'contract_call',
        contract: 'SP000000000000000000002Q6VF78.pox',
        functionName: 'f',
        args: [value(nested('0a', levels))],
      },
    })
  // A node reads no deeper into a transaction than 16 (stacks-core `UNSANITIZED_DEPTH_CHECK`).
  assert.doesNotThrow(() => codec.decodeTransaction(call(16)))
  assert.throws(() => codec.decodeTransaction(call(17)), { code: 'decode.depth' })
})

test('values that break a rule are refused where they break it', () => {
  refusedValue('', 'short', 0)
  refusedValue('0f', 'unknown_kind', 0)
  refusedValue('01ff', 'short', 1)
  refusedValue('0c00000000', 'tuple', 1)
  refusedValue('0c00000002016103016104', 'tuple', 8)
  refusedValue('0c000000030163030161040161', 'count', 1)
  refusedValue('0c00000001012003', 'name', 6)
  refusedValue('0c000000010003', 'count', 1)
  refusedValue(`0c000000018103${'61'.repeat(129)}`, 'name', 5)
  refusedValue('0bffffffff', 'count', 1)
  refusedValue('0200100001', 'count', 1)
  refusedValue('0200000002aa', 'short', 5)
  refusedValue('0d00000002417f', 'text', 6)
  refusedValue('0d0000000141ff', 'trailing', 6)
  refusedValue('0e00000002c328', 'text', 5)
  refusedValue('0e00000003eda080', 'text', 5)
  refusedValue(`0520${'00'.repeat(20)}`, 'unknown_kind', 1)
  refusedValue(`0616${'00'.repeat(20)}00`, 'name', 23)
  refusedValue(`0616${'00'.repeat(20)}022d61`, 'name', 23)
})

test('names on chain may be bare operators, and names of contracts in principals 128 long', () => {
  for (const name of ['+', '-', '*', '/', '<', '>', '<=', '>=', '=', 'a!?']) {
    const hex = `0c00000001${Buffer.of(name.length).toString('hex')}${Buffer.from(name).toString('hex')}03`
    assert.equal(reprOf(value(hex)), `(tuple (${name} true))`)
  }
  const long = 'a'.repeat(128)
  assert.match(
    reprOf(value(`0616${'00'.repeat(20)}80${Buffer.from(long).toString('hex')}`)),
    new RegExp(`\\.${long}$`),
  )
})

test('any value decodes to what it was made from', () => {
  fc.assert(
    fc.property(clarityValues, made => {
      const bytes = encodeValue(made)
      assert.deepEqual(plain(codec.decodeValue(bytes)), plain(made))
      refusedBy(codec.decodeValue, Buffer.concat([bytes, Buffer.of(0)]), 'trailing', bytes.length)
    }),
    { numRuns: 500 },
  )
})
