/** Real Stacks events and blocks would not decode to what the network recorded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeNakamotoBlock, encodeTransaction } from '#tests/encodeStacks.ts'
import { bytesOfHex, recordedMessages, STACKS_ARCHIVES } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { createAddressTexts } from './address/addressTexts.ts'
import { readNakamotoBlock } from './block/nakamotoBlock.ts'
import {
  admits,
  blockIdOf,
  checkNakamotoBlock,
  encodeValue,
  nameArguments,
  openStacksCodec,
  parseInterface,
} from './index.ts'
import { openReader } from './reader.ts'

const codec = openStacksCodec()
/** What nodes send in place of a transaction for an operation made on Bitcoin. */
const NO_BYTES = '0x00'

test(
  'every recorded transaction has the txid that its node gave, and nothing of it is lost',
  skipWithoutShared,
  () => {
    let count = 0
    let values = 0
    for (const archive of STACKS_ARCHIVES) {
      for (const [, { transactions = [] }] of recordedMessages(archive)) {
        for (const { txid, raw_tx, raw_result } of transactions) {
          const result = bytesOfHex(raw_result)
          assert.deepEqual(encodeValue(codec.decodeValue(result)), result)
          values += 1
          if (raw_tx === NO_BYTES) continue
          const bytes = bytesOfHex(raw_tx)
          const tx = codec.decodeTransaction(bytes)
          assert.equal(`0x${tx.txid}`, txid)
          assert.deepEqual(encodeTransaction(tx), bytes)
          count += 1
        }
      }
    }
    assert.deepEqual([count, values], [1527, 1534])
  },
)

test('every recorded event value decodes and encodes to its bytes', skipWithoutShared, () => {
  let count = 0
  for (const archive of STACKS_ARCHIVES) {
    for (const [, { events = [] }] of recordedMessages(archive)) {
      for (const event of events) {
        for (const part of Object.values(event)) {
          if (typeof part !== 'object' || part === null || !('raw_value' in part)) continue
          const bytes = bytesOfHex(part.raw_value)
          assert.deepEqual(encodeValue(codec.decodeValue(bytes)), bytes)
          count += 1
        }
      }
    }
  }
  assert.equal(count, 179)
})

test('blocks that miners proposed hash to the ids under which the node took them', skipWithoutShared, () => {
  const proposed = new Map<string, string>()
  const addressText = createAddressTexts()
  const accepted: { hash: string; id: string; minerSignature: string }[] = []
  for (const [path, message] of recordedMessages('devnet-nakamoto-with-signer-messages.tsv.gz')) {
    if (path === '/new_block' && message.signer_signature_hash !== undefined) {
      const { block_hash: hash = '', index_block_hash: id = '', consensus_hash, miner_signature } = message
      accepted.push({ hash, id, minerSignature: miner_signature ?? '' })
      if (consensus_hash !== undefined) {
        assert.equal(`0x${blockIdOf(hash.slice(2), consensus_hash.slice(2))}`, id)
      }
    }
    for (const { data } of message.modified_slots ?? []) {
      const bytes = bytesOfHex(data)
      // First byte 0: a proposal, which begins with its block (stacks-core `libsigner/src/v0/messages.rs`).
      if (bytes[0] !== 0) continue
      const r = openReader(bytes.subarray(1), addressText)
      const block = readNakamotoBlock(r)
      checkNakamotoBlock(block)
      assert.deepEqual(encodeNakamotoBlock(block), bytes.subarray(1, 1 + r.pos))
      proposed.set(`0x${block.header.blockHash}`, `0x${block.header.blockId}`)
    }
  }
  const found = accepted.filter(({ hash }) => proposed.has(hash))
  assert.ok(found.length > 300, `${found.length} of ${accepted.length} blocks were proposed in the recording`)
  for (const { hash, id } of found) assert.equal(proposed.get(hash), id)
})

test('recorded calls fit the interfaces that their contracts were deployed with', skipWithoutShared, () => {
  const interfaces = new Map<string, ReturnType<typeof parseInterface>>()
  let named = 0
  for (const archive of STACKS_ARCHIVES) {
    for (const [, { transactions = [] }] of recordedMessages(archive)) {
      for (const { raw_tx, contract_abi, contract_interface } of transactions) {
        if (raw_tx === NO_BYTES) continue
        const { payload, auth } = codec.decodeTransaction(bytesOfHex(raw_tx))
        const abi = contract_abi ?? contract_interface
        if ('contractName' in payload && abi !== null && abi !== undefined) {
          interfaces.set(`${auth.origin.address}.${payload.contractName}`, parseInterface(abi))
        }
        if (payload.kind !== 'contract_call') continue
        const known = interfaces.get(payload.contract)
        if (known === undefined) continue
        for (const { name, type, value } of nameArguments(known, payload.functionName, payload.args)) {
          assert.ok(
            name !== null && type !== null && admits(type, value),
            `${payload.contract} ${payload.functionName}`,
          )
          named += 1
        }
      }
    }
  }
  assert.ok(named > 100, `${named} arguments`)
})
