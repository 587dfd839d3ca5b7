import { hexOf } from '../../hex.ts'
import { addressOf } from '../address/address.ts'
import type { DecodedBlock, LayerOperation } from '../block.ts'
import { outputScriptOf } from '../txsOf.ts'
import type { DataOutput } from './dataOutput.ts'

/** From here on (PoX-5) a commit pays one output, an sBTC deposit; before, two recipients or one burn. */
const SINGLE_OUTPUT_FROM_HEIGHT = 962_150
const FIRST_HEIGHT = 666_050
const CYCLE_BLOCKS = 2100
const PREPARE_BLOCKS = 100
const PAYLOAD_BYTES = 77
/** `1111111111111111111114oLvT2` on the main network: nobody's key. */
const BURN_SCRIPT = `76a914${'00'.repeat(20)}88ac`

/**
 * A leader block commit and one `stacks.pox_payout` for each output that pays a recipient (burns are none). The bid is the
 * sum of the commit's outputs: outputs 1 and 2 of equal value, or output 1 alone where it burns (prepare phase) or from
 * height 962,150 on. Its `valueSat` is the bid; the payouts repeat the same satoshis by recipient.
 * Source: stacks-core `leader_block_commit.rs`; SIP-007; SIP-045 for the single output.
 */
export function blockCommitOps(block: DecodedBlock, carrier: DataOutput, payload: Buffer): LayerOperation[] {
  const { txIndex, vout } = carrier
  const { height, network } = block
  const refused = (reason: string): LayerOperation[] => [
    {
      txIndex,
      vout,
      op: 'stacks.unknown',
      valueSat: 0n,
      details: { opcode: '[', reason },
      rule: 'stacks.block_commit',
    },
  ]
  if (payload.length < PAYLOAD_BYTES) return refused('too short')
  const outputs = commitOutputs(block, txIndex)
  if (outputs === undefined) return refused('outputs')
  const parentBlock = payload.readUInt32BE(64)
  const parentTxIndex = payload.readUInt16BE(68)
  const keyBlock = payload.readUInt32BE(70)
  if ((parentBlock === 0 && parentTxIndex !== 0) || keyBlock === 0) return refused('pointer')
  if (height !== null && (parentBlock >= height || keyBlock >= height)) return refused('pointer')

  const modulusAndMemo = payload[76]!
  const burnParentModulus = (modulusAndMemo & 7) % 5
  const paid = outputs.filter(output => !output.isBurn)
  const senderOutput = block.txs.firstOutput[txIndex]! + 1 + outputs.length
  const hasSender = senderOutput < block.txs.firstOutput[txIndex + 1]!
  const commit: LayerOperation = {
    txIndex,
    vout,
    op: 'stacks.block_commit',
    valueSat: outputs.reduce((sum, output) => sum + output.valueSat, 0n),
    details: {
      blockHeaderHash: hexOf(payload.subarray(0, 32)),
      newSeed: hexOf(payload.subarray(32, 64)),
      parentBlock,
      parentTxIndex,
      keyBlock,
      keyTxIndex: payload.readUInt16BE(74),
      burnParentModulus,
      memo: modulusAndMemo >> 3,
      modulusMatches: height === null ? null : burnParentModulus === (height - 1) % 5,
      outputCount: outputs.length,
      isBurn: paid.length === 0,
      // The node takes the output behind the commit's own as the sender.
      sender: hasSender ? addressOf(outputScriptOf(block, senderOutput), network) : null,
    },
    rule: 'stacks.block_commit',
  }
  const payouts = paid.map(
    (output): LayerOperation => ({
      txIndex,
      vout: output.vout,
      op: 'stacks.pox_payout',
      valueSat: output.valueSat,
      details: {
        recipient: addressOf(output.script, network),
        isSbtcDeposit: height !== null && height >= SINGLE_OUTPUT_FROM_HEIGHT,
      },
      rule: 'stacks.block_commit',
    }),
  )
  return [commit, ...payouts]
}

type CommitOutput = {
  readonly vout: number
  readonly valueSat: bigint
  readonly script: Uint8Array
  readonly isBurn: boolean
}

/** The outputs that make up the bid, or undefined where the transaction has not the form of a commit. */
function commitOutputs(block: DecodedBlock, txIndex: number): CommitOutput[] | undefined {
  const first = readOutput(block, txIndex, 1)
  const second = readOutput(block, txIndex, 2)
  if (first === undefined || first.valueSat === 0n) return undefined
  const { height, network } = block
  if (network === 'mainnet' && height !== null) {
    if (height >= SINGLE_OUTPUT_FROM_HEIGHT) return [first]
    if (isPreparePhase(height)) return first.isBurn ? [first] : undefined
  }
  if (second?.valueSat === first.valueSat) return [first, second]
  return first.isBurn && network !== 'mainnet' ? [first] : undefined
}

/** The last 100 blocks of a reward cycle, counted as the node counts: the first block of the next one is among them. */
function isPreparePhase(height: number): boolean {
  const index = (height - FIRST_HEIGHT) % CYCLE_BLOCKS
  return index === 0 || index > CYCLE_BLOCKS - PREPARE_BLOCKS
}

function readOutput(block: DecodedBlock, txIndex: number, vout: number): CommitOutput | undefined {
  const output = block.txs.firstOutput[txIndex]! + vout
  if (output >= block.txs.firstOutput[txIndex + 1]!) return undefined
  const script = outputScriptOf(block, output)
  const valueSat = block.outputs.valueSat[output]!
  return { vout, valueSat, script, isBurn: hexOf(script) === BURN_SCRIPT }
}
