import rule from '../../../../catalog/rules/rootstock-merge-mining.json' with { type: 'json' }
import { hexOf } from '../../hex.ts'
import type { DecodedBlock, LayerOperation } from '../block.ts'

const TAG = Buffer.from(rule.tag)
const HASH_BYTES = 32
/** Surely behind the Wasabi upgrade of mid-2019, which gave the tag its inner fields (RSKIP-110). */
const FIELDS_FROM_TIME_S = Date.UTC(2019, 8, 1) / 1000

/**
 * The merge-mining tag of Rootstock in the coinbase transaction: `RSKBLOCK:` and 32 bytes, normally in an OP_RETURN output;
 * the last occurrence counts. The bytes are the block's hash for merged mining; since RSKIP-110 its first 20 bytes, 7 of
 * the parents' vector, the count of uncles and the block number. Whether Rootstock took the block is not to be seen here.
 * Source: RSKIP-92, RSKIP-110; rskj `ProofOfWorkRule`.
 */
export function rootstockOp(block: DecodedBlock): LayerOperation | undefined {
  const { bytes, txs, outputs } = block
  for (let o = txs.firstOutput[1]! - 1; o >= 0; o--) {
    const at = outputs.scriptOffset[o]!
    const script = Buffer.from(bytes.buffer, bytes.byteOffset + at, outputs.scriptLength[o]!)
    const found = tagIn(script)
    if (found !== undefined) return operation(block, o, 'output', found)
  }
  const at = block.inputs.scriptOffset[0]!
  const coinbase = Buffer.from(bytes.buffer, bytes.byteOffset + at, block.inputs.scriptLength[0]!)
  const found = tagIn(coinbase)
  return found === undefined ? undefined : operation(block, 0, 'input script', found)
}

function tagIn(script: Buffer): Buffer | undefined {
  const at = script.lastIndexOf(TAG)
  const hash = script.subarray(at + TAG.length, at + TAG.length + HASH_BYTES)
  return at < 0 || hash.length < HASH_BYTES ? undefined : hash
}

function operation(block: DecodedBlock, vout: number, where: string, hash: Buffer): LayerOperation {
  const hasFields = block.timeS >= FIELDS_FROM_TIME_S
  return {
    txIndex: 0,
    vout,
    op: 'rootstock.merge_mining',
    valueSat: 0n,
    details: {
      where,
      hashForMergedMining: hexOf(hash),
      uncleCount: hasFields ? hash[27]! : null,
      blockNumber: hasFields ? hash.readUInt32BE(28) : null,
    },
    rule: 'rootstock.rskblock_tag',
  }
}
