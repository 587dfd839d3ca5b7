/** A wallet request would stay open or end another one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  requestsAfter,
  requestsAtStart,
  WALLET_REQUESTS,
  type WalletSignInEvent,
  walletAfter,
  walletAtStart,
} from './walletRequests.ts'

const ADDRESS = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'

test('each kind of request is loading from its opening to its finish or cancel, and touches no other kind', () => {
  for (const of of WALLET_REQUESTS)
    for (const on of ['finish', 'cancel'] as const) {
      const open = requestsAfter(requestsAtStart, { of, on: 'open' })
      assert.deepEqual(open, { ...requestsAtStart, [of]: 'loading' })
      assert.deepEqual(requestsAfter(open, { of, on }), requestsAtStart)
    }
})

test('what ends although nothing was open changes nothing', () => {
  assert.deepEqual(requestsAfter(requestsAtStart, { of: 'auth', on: 'cancel' }), requestsAtStart)
})

test('a stored session or a finished request signs in with the main-network address', () => {
  for (const on of ['stored session', 'finish'] as const)
    assert.deepEqual(walletAfter(walletAtStart, { on, address: ADDRESS }), {
      name: 'signed in',
      address: ADDRESS,
    })
  assert.equal(walletAfter(walletAtStart, { on: 'finish', address: `ST${ADDRESS.slice(2)}` }), walletAtStart)
})

test('cancel, sign-out and another account in the wallet clear the address', () => {
  const signedIn = walletAfter(walletAtStart, { on: 'finish', address: ADDRESS })
  const ends: readonly WalletSignInEvent[] = [{ on: 'cancel' }, { on: 'sign out' }, { on: 'other account' }]
  for (const end of ends) assert.deepEqual(walletAfter(signedIn, end), walletAtStart)
})
