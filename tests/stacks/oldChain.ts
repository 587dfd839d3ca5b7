import { blockIdOf, merkleRoot, openStacksCodec } from '#chains/stacks/index.ts'
import { encodeEpoch2Block } from '../encodeStacks.ts'
import { bytesOfHex } from '../recordedStacks.ts'
import { type RecordedBlock, recordedChain } from './recordedChain.ts'

const NO_HASH = '00'.repeat(32)

/**
 * Blocks before Nakamoto as a node would give their bytes: no recording holds any, so headers are made around recorded
 * transactions. What happens in the blocks is recorded, their hashes are not.
 */
export function oldChain(): RecordedBlock[] {
  const codec = openStacksCodec()
  const made: RecordedBlock[] = []
  for (const { message } of recordedChain('regtest-epoch-3-transition.tsv.gz').blocks) {
    // From height 7 on no block holds anything that is not in its bytes; later blocks are of Nakamoto.
    if (message.block_height < 7 || message.block_height > 19) continue
    const { transactions } = message
    const height = made.length + 1
    const below = made.at(-1)
    const txs = transactions.map(tx => codec.decodeTransaction(bytesOfHex(tx.raw_tx)))
    const bytes = encodeEpoch2Block({
      header: {
        version: 0,
        burn: BigInt(height),
        work: BigInt(height),
        vrfProof: Buffer.alloc(80),
        parentBlock: below?.message.block_hash.slice(2) ?? NO_HASH,
        parentMicroblock: NO_HASH,
        parentMicroblockSequence: 0,
        txMerkleRoot: merkleRoot(txs.map(({ txid }) => txid)),
        stateIndexRoot: NO_HASH,
        microblockPublicKeyHash: '00'.repeat(20),
        blockHash: '',
      },
      transactions: txs,
    })
    const { blockHash } = codec.decodeEpoch2Block(bytes).header
    const consensusHash = height.toString(16).padStart(40, '0')
    made.push({
      raw: null,
      old: { bytes, consensusHash },
      message: {
        ...message,
        block_height: height,
        tenure_height: height,
        block_hash: `0x${blockHash}`,
        index_block_hash: `0x${blockIdOf(blockHash, consensusHash)}`,
        parent_index_block_hash: below?.message.index_block_hash ?? message.parent_index_block_hash,
        parent_block_hash: below?.message.block_hash ?? message.parent_block_hash,
      },
    })
  }
  return made
}
