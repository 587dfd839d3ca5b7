/** A message that claims billions of items would exhaust memory, or its refusal would name the wrong limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAddressTexts } from './address/addressTexts.ts'
import { DecodeError } from './errors.ts'
import { demandEnd, openReader, readCount } from './reader.ts'

const readerOf = (hex: string) => openReader(Buffer.from(hex, 'hex'), createAddressTexts())

test('a count is taken if its items fit, to the byte', () => {
  assert.equal(readCount(readerOf('00000002aabbccdd'), 2, 'list'), 2)
  assert.throws(
    () => readCount(readerOf('00000002aabbcc'), 2, 'list'),
    (thrown: unknown) => {
      assert.ok(thrown instanceof DecodeError)
      assert.equal(thrown.code, 'decode.count')
      assert.deepEqual([thrown.facts.got, thrown.facts.expected, thrown.facts.offset], [2, 'at most 1', 0])
      return true
    },
  )
})

test('bytes behind the end are refused, and none are not', () => {
  const reader = readerOf('00000000')
  assert.throws(() => demandEnd(reader, 'list'), { code: 'decode.trailing' })
  assert.equal(readCount(reader, 2, 'list'), 0)
  assert.doesNotThrow(() => demandEnd(reader, 'list'))
})
