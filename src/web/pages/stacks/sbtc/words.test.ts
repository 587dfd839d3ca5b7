/** Signer votes would show where none were recorded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { votesText } from './words.ts'

test('votes are told where they are recorded, and never guessed from a bitmap of 0', () => {
  const settled = { status: 'accepted', signerCount: 14 } as const
  assert.equal(votesText({ ...settled, votesNotFor: 2 }), '12 of 14 signers voted for it')
  assert.equal(
    votesText({ ...settled, votesNotFor: 1, signerCount: null }),
    '1 signer did not vote for it (number of signers unknown)',
  )
  for (const status of ['accepted', 'rejected'] as const)
    assert.equal(votesText({ ...settled, status, votesNotFor: null }), 'No votes recorded')
  assert.equal(votesText({ ...settled, status: 'pending', votesNotFor: null }), undefined)
})
