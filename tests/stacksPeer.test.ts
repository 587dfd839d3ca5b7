/** Transactions would be read differently than wallets write them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ClarityValue, openStacksCodec } from '#chains/stacks/index.ts'
import { isLostOnPeer } from '../bench/stacksCodec/contestant.ts'
import { openOurs } from '../bench/stacksCodec/ours.ts'
import { openPeer } from '../bench/stacksCodec/peer.ts'
import { transactions } from './arbitraryStacks.ts'
import { encodeTransaction } from './encodeStacks.ts'
import { bytesOfHex, type StacksVector, stacksVectors } from './recordedStacks.ts'
import { skipWithoutShared } from './shared.ts'

const ours = openOurs()
const peer = openPeer()
const codec = openStacksCodec()

/** The node sorts the fields of a tuple by their bytes, the library by the locale: `a` before `B` for it, behind it on chain. */
function isOrderedOnPeer(value: ClarityValue): boolean {
  switch (value.type) {
    case 'tuple': {
      const names = value.fields.map(field => field.name)
      const theirs = names.toSorted((a, b) => a.localeCompare(b))
      return (
        names.every((name, i) => name === theirs[i]) &&
        value.fields.every(field => isOrderedOnPeer(field.value))
      )
    }
    case 'list':
      return value.items.every(isOrderedOnPeer)
    case 'optional':
      return value.value === null || isOrderedOnPeer(value.value)
    case 'response':
      return isOrderedOnPeer(value.value)
    default:
      return true
  }
}

test('the wallets’ library says the same of any valid transaction of which it loses nothing', () => {
  fc.assert(
    fc.property(transactions, made => {
      // Its memos are texts.
      const payload =
        made.payload.kind === 'token_transfer'
          ? { ...made.payload, memo: made.payload.memo.map(byte => byte & 0x7f) }
          : made.payload
      fc.pre(!isLostOnPeer(payload))
      const values = [
        ...(payload.kind === 'contract_call' ? payload.args : []),
        ...made.postConditions.flatMap(condition => ('value' in condition ? [condition.value] : [])),
      ]
      fc.pre(values.every(isOrderedOnPeer))
      const bytes = new Uint8Array(encodeTransaction({ ...made, payload }))
      assert.deepEqual(ours.facts(bytes), peer.facts(bytes))
    }),
    { numRuns: 300 },
  )
})

test(
  'where the wallets’ library differs on a recorded transaction, the node’s txid is ours',
  skipWithoutShared,
  () => {
    let same = 0
    let lost = 0
    for (const name of [
      'tx-mainnet-decoded',
      'tx-devnet-nakamoto-decoded',
      'tx-decode-fixtures',
      'tx-mainnet-version-misc',
    ]) {
      for (const { input, expected } of stacksVectors<StacksVector<{ tx_id: string }>>(name)) {
        const bytes = new Uint8Array(bytesOfHex(input))
        const [mine, theirs] = [ours.facts(bytes), peer.facts(bytes)]
        assert.equal(`0x${mine.txid}`, expected.tx_id)
        if (isLostOnPeer(codec.decodeTransaction(bytes).payload)) {
          // It drops the headers of a poison microblock and replaces bytes of a memo that are no UTF-8, and hashes what is left. The
          // recorded ids are those under which the node took these transactions (or that the public codec gave), over all bytes.
          assert.notEqual(theirs.txid, mine.txid)
          lost += 1
        } else {
          assert.deepEqual(mine, theirs)
          same += 1
        }
      }
    }
    assert.deepEqual([same, lost], [266, 12])
  },
)

test('the wallets’ library takes bytes behind a transaction, we refuse them', skipWithoutShared, () => {
  const [{ input } = { input: '' }] = stacksVectors<StacksVector<unknown>>('tx-mainnet-decoded')
  const bytes = Uint8Array.from([...bytesOfHex(input), 0])
  assert.doesNotThrow(() => peer.facts(bytes))
  assert.throws(() => ours.facts(bytes), { code: 'decode.trailing' })
})
