/** Operators could not find the byte or the field of an answer that was refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BytesError, DecodeError } from './errors.ts'

test('a message names the field, or the byte, or neither where none is known', () => {
  assert.equal(new DecodeError('short', 'Too short', { path: 'a.0', offset: 3 }).message, 'a.0: Too short.')
  assert.equal(new DecodeError('short', 'Too short', { offset: 0 }).message, 'Too short, at byte 0.')
  assert.equal(new DecodeError('short', 'Too short', {}).message, 'Too short.')
  const bytes = new BytesError('count', 'Too many', { offset: 7, what: 'inputs' })
  assert.deepEqual([bytes.offset, bytes.code, bytes.facts.what], [7, 'decode.count', 'inputs'])
})
