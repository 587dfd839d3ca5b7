/** Pages would flash a wrong signed-in state. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authOfNobody, peopleAtStart } from './peopleState.ts'
import { authAfter, authAtStart } from './states/authState.ts'
import { requestsAtStart, walletAtStart } from './states/walletRequests.ts'

test('what pages begin with, written out, is what the machines begin with', () => {
  const { auth, wallet, requests } = peopleAtStart
  assert.deepEqual(
    { auth, wallet, requests },
    { auth: authAtStart, wallet: walletAtStart, requests: requestsAtStart },
  )
})

test('nobody, written out, is nobody as the machine has them', () => {
  const looked = { type: 'looked', isProviderLoading: false, wallet: null, account: null } as const
  assert.deepEqual(authOfNobody, authAfter(authAtStart, looked))
})
