import { SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import rule from '../../../../catalog/rules/babylon-stake.json' with { type: 'json' }
import { hexOf } from '../../hex.ts'
import type { DecodedBlock, LayerOperation } from '../block.ts'
import { type DataOutput, startsWith } from './dataOutput.ts'

const PAYLOAD_BYTES = 71

/**
 * A stake of Babylon's first phase: OP_RETURN of 71 bytes, tag `bbn1`, version 0, staker key 32, finality provider key 32,
 * lock time in blocks 2; the stake is the first taproot output. Not covered: whether that output holds Babylon's script
 * (it needs the covenant's keys of its time), stakes of the second phase (registered on Babylon itself), unbonding, and
 * epoch checkpoints (their tag is a chain parameter that we lack).
 * Source: babylonlabs-io/babylon `btcstaking/identifiable_staking.go`; tag and start height 857,910 from
 * bitcoinlayers/data-ingestion.
 */
export function babylonStakeOp(
  block: DecodedBlock,
  { txIndex, data }: DataOutput,
): LayerOperation | undefined {
  if (data.length !== PAYLOAD_BYTES || !startsWith(data, rule.tag) || data[4] !== 0) return undefined
  const { txs, outputs } = block
  const [first, end] = [txs.firstOutput[txIndex]!, txs.firstOutput[txIndex + 1]!]
  for (let o = first; o < end; o++) {
    if (SCRIPT_TYPES[outputs.scriptType[o]!] !== 'v1_p2tr') continue
    return {
      txIndex,
      vout: o - first,
      op: 'babylon.stake',
      valueSat: outputs.valueSat[o]!,
      details: {
        stakerKey: hexOf(data.subarray(5, 37)),
        finalityProviderKey: hexOf(data.subarray(37, 69)),
        lockBlocks: data.readUInt16BE(69),
      },
      rule: 'babylon.v0_tag',
    }
  }
  return undefined
}
