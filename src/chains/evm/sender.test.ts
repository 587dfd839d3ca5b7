/** A transaction would be credited to somebody who did not sign it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOfKey, authorize, sign, TEST_KEY, unsigned } from '#tests/evm/sign.ts'
import type { Hex } from './hex.ts'
import { RlpWriter } from './rlp/writer.ts'
import { recoverAuthority, recoverSender } from './sender.ts'
import type { Signature } from './transaction.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const writer = new RlpWriter()
const signer = addressOfKey(TEST_KEY)

test('a legacy transaction names its signer with a chain and without', () => {
  for (const chainId of [null, 1n, 30n, 60_808n]) {
    const { body } = sign(unsigned('legacy', 0, { chainId, gasPrice: 1n }), TEST_KEY)
    assert.equal(recoverSender(body, writer), signer, String(chainId))
    const { v, r, s } = body.signature!
    // The other parity is another key, or none.
    const other = v < 35n ? 55n - v : v % 2n === 1n ? v + 1n : v - 1n
    assert.notEqual(recoverSender({ ...body, signature: { v: other, r, s } }, writer), signer)
  }
})

test('a signature with any small half is read with all its digits', t => {
  const seen = { r: 64, s: 64 }
  for (let nonce = 0n; nonce < 600n; nonce++) {
    const { body } = sign(unsigned('dynamic_fee', 2, { nonce, maxFeePerGas: 1n }), TEST_KEY)
    assert.equal(recoverSender(body, writer), signer, String(nonce))
    seen.r = Math.min(seen.r, body.signature!.r.toString(16).length)
    seen.s = Math.min(seen.s, body.signature!.s.toString(16).length)
  }
  t.diagnostic(JSON.stringify(seen))
  assert.ok(seen.r < 63 && seen.s < 63, 'both begin with zeros in one of them')
})

test('no signature, or one that is none, has no sender', () => {
  const { body } = sign(unsigned('dynamic_fee', 2, { maxFeePerGas: 1n }), TEST_KEY)
  const signature = body.signature!
  const of = (more: Partial<Signature>) =>
    recoverSender({ ...body, signature: { ...signature, ...more } }, writer)
  assert.equal(of({}), signer)
  assert.equal(recoverSender({ ...body, signature: null }, writer), null)
  for (const more of [
    { r: 0n },
    { s: 0n },
    { r: ORDER },
    { s: ORDER },
    { r: 5n * ORDER },
    { v: 2n },
    { v: 27n },
  ])
    assert.equal(of(more), null, JSON.stringify(Object.keys(more)))
  // Its mirror image is the same key's, since no rule against it holds on all chains.
  assert.equal(of({ s: ORDER - signature.s, v: 1n - signature.v }), signer)
  // No point of the curve has this coordinate.
  assert.equal(of({ r: 5n }), null)
})

test('an authorization holds with the lower half of the signature alone', () => {
  const authorization = authorize(
    { chainId: 1n, address: `0x${'11'.repeat(20)}` as Hex, nonce: 0n },
    TEST_KEY,
  )
  assert.equal(recoverAuthority(authorization, writer), signer)
  const { s, yParity } = authorization
  assert.equal(recoverAuthority({ ...authorization, s: ORDER - s, yParity: 1n - yParity }, writer), null)
  for (const parity of [2n, 3n, 27n])
    assert.equal(recoverAuthority({ ...authorization, yParity: parity }, writer), null)
})
