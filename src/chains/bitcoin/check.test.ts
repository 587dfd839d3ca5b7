/** A forged Bitcoin block would be indexed as a real one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { varint } from '#tests/encodeBlock.ts'
import { recordedBlock, recordedRun } from '#tests/recordedBlocks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { CheckError } from './errors.ts'
import { openBitcoinCodec } from './index.ts'

const codec = openBitcoinCodec({ network: 'mainnet' })
const refusedFor = (bytes: Uint8Array, code: string, options = {}): void =>
  assert.throws(() => codec.checkBlock(codec.decodeBlock(bytes), options), { code })

/** A real block whose merkle root is made to fit its changed transactions; it has no work then. */
function withTrueRoot(bytes: Buffer): Buffer {
  const { root } = codec.merkleRoot(codec.decodeBlock(bytes).txs.txid)
  bytes.set(Buffer.from(root).reverse(), 36)
  return bytes
}

test('a header that misses its target is refused, unless work is not asked for', skipWithoutShared, () => {
  const bytes = Buffer.from(recordedBlock('170-8dd4a2ee'))
  bytes[76]! ^= 1
  refusedFor(bytes, 'check.work')
  codec.checkBlock(codec.decodeBlock(bytes), { proofOfWork: false })
})

test('a target that is none is never met', skipWithoutShared, () => {
  const bytes = Buffer.from(recordedBlock('170-8dd4a2ee'))
  bytes.writeUInt32LE(0xff7fffff, 72)
  refusedFor(bytes, 'check.work')
  bytes.writeUInt32LE(0x03000001, 72)
  assert.throws(
    () => codec.checkBlock(codec.decodeBlock(bytes)),
    (thrown: unknown) => thrown instanceof CheckError && thrown.facts.bits === '03000001',
  )
})

test('a changed transaction breaks the merkle root', skipWithoutShared, () => {
  const bytes = Buffer.from(recordedBlock('170-8dd4a2ee'))
  bytes[bytes.length - 1]! ^= 1
  refusedFor(bytes, 'check.merkle_root')
})

test('a block that repeats its last transactions has the same root and is refused', skipWithoutShared, () => {
  // Three transactions hash like four with the last one twice (CVE-2012-2459).
  const odd = [...recordedRun()].map(bytes => codec.decodeBlock(bytes)).find(block => block.txs.count === 3)
  const block = odd ?? codec.decodeBlock(recordedBlock('57043-aaac1fd8'))
  const { txs, bytes } = block
  const last = bytes.subarray(txs.offset[txs.count - 1]!)
  if (txs.count % 2 === 1) {
    const repeated = Buffer.concat([
      bytes.subarray(0, 80),
      varint(txs.count + 1),
      bytes.subarray(txs.offset[0]!),
      last,
    ])
    refusedFor(repeated, 'check.duplicate')
    return
  }
  const { root, isMutated } = codec.merkleRoot(
    Buffer.concat([txs.txid.subarray(0, 32), txs.txid.subarray(0, 32)]),
  )
  assert.deepEqual([root.length, isMutated], [32, true])
})

test('a changed witness breaks the witness commitment and nothing else', skipWithoutShared, () => {
  const bytes = Buffer.from(recordedBlock('757739-1cabd0ea'))
  const { inputs } = codec.decodeBlock(bytes)
  const spend = inputs.witnessOffset.findIndex((at, i) => i > 0 && at > 0)
  bytes[inputs.witnessOffset[spend]! + 3]! ^= 1
  refusedFor(bytes, 'check.witness_commitment')
})

test('witnesses without a commitment are refused', skipWithoutShared, () => {
  const bytes = Buffer.from(recordedBlock('757739-1cabd0ea'))
  const marker = bytes.indexOf(Buffer.from('6a24aa21a9ed', 'hex'))
  bytes[marker + 2]! ^= 1
  refusedFor(withTrueRoot(bytes), 'check.witness_commitment', { proofOfWork: false })
})

test('a second coinbase is refused', skipWithoutShared, () => {
  const { bytes, txs } = codec.decodeBlock(recordedBlock('170-8dd4a2ee'))
  const coinbase = Buffer.from(bytes.subarray(txs.offset[0]!, txs.offset[1]!))
  const other = Buffer.from(coinbase)
  other[other.length - 1]! ^= 1
  const made = withTrueRoot(Buffer.concat([bytes.subarray(0, 80), varint(2), coinbase, other]))
  refusedFor(made, 'check.coinbase', { proofOfWork: false })
})
