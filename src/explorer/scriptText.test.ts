/** Text in an OP_RETURN output would be missing or garbled. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opReturnText } from './scriptText.ts'
import { readUtf8Start } from './text.ts'

const script = (hex: string) => Buffer.from(hex, 'hex')

test('an OP_RETURN of text is read, push by push', () => {
  assert.equal(opReturnText(script('6a0568656c6c6f')), 'hello')
  assert.equal(opReturnText(script('6a026865036c6c6f')), 'hello')
  assert.equal(opReturnText(script('6a4c0568656c6c6f')), 'hello')
})

test('bytes, a cut push and other scripts are no text', () => {
  for (const hex of ['6a04deadbeef', '6a0568656c', '6a', '6a5d0101', '76a9', '6a4d']) {
    assert.equal(opReturnText(script(hex)), null, hex)
  }
})

test('text that is cut within a character is read up to it', () => {
  assert.equal(readUtf8Start(Buffer.from('aé€').subarray(0, 4)), 'aé')
  assert.equal(readUtf8Start(Buffer.from('ff', 'hex')), '')
})
