/** Blocks of Stacks would name signers who did not sign. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointFromScalar, signRecoverable } from 'tiny-secp256k1'
import { signersOf } from './signers.ts'

const HASH = Buffer.alloc(32, 7)
const keyOf = (number: number) => Buffer.alloc(32, number)
function signatureOf(number: number): Buffer {
  const { signature, recoveryId } = signRecoverable(HASH, keyOf(number))
  return Buffer.concat([Buffer.of(recoveryId), signature])
}
const publicKeys = (...numbers: number[]) =>
  Buffer.concat(numbers.map(number => Buffer.from(pointFromScalar(keyOf(number), true)!)))

test('keys of signatures come in their order, compressed, each once', () => {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  const all = Buffer.concat([...numbers, 3, 1].map(signatureOf))
  assert.deepEqual(Buffer.from(signersOf(HASH, all)), publicKeys(...numbers))
  assert.deepEqual(Buffer.from(signersOf(HASH, Buffer.alloc(0))), Buffer.alloc(0))
})

test('a signature that is cut off, of another parity or of nobody is left out', () => {
  const [one, two] = [signatureOf(1), signatureOf(2)]
  const of = (...signatures: Buffer[]) => Buffer.from(signersOf(HASH, Buffer.concat(signatures)))
  assert.deepEqual(of(one, two.subarray(0, 64)), publicKeys(1))
  assert.deepEqual(of(Buffer.concat([Buffer.of(2), one.subarray(1)]), two), publicKeys(2))
  assert.deepEqual(of(Buffer.alloc(65), two), publicKeys(2))
})
