import { SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import rule from '../../../../catalog/rules/sbtc-sweep.json' with { type: 'json' }
import type { DecodedBlock, LayerOperation } from '../block.ts'
import { type DataOutput, startsWith } from './dataOutput.ts'

/**
 * A sweep of the sBTC signers: output 0 is their new taproot output, output 1 an OP_RETURN with `ST` and a version (0, or
 * 1 since it lists withdrawal ids), the rest pays withdrawals, whose sum is `valueSat`. Deposits into the peg are plain
 * taproot outputs until they are swept: they cannot be told before. Anyone can write these bytes: whether the first
 * output is the signers' is known only with their key. Source: stacks-network/sbtc, signer `bitcoin/utxo.rs`.
 */
export function sbtcSweepOp(
  block: DecodedBlock,
  { txIndex, vout, data }: DataOutput,
): LayerOperation | undefined {
  if (vout !== 1 || data.length < 3 || !startsWith(data, rule.tag) || data[2]! > 1) return undefined
  const { txs, outputs } = block
  const first = txs.firstOutput[txIndex]!
  if (SCRIPT_TYPES[outputs.scriptType[first]!] !== 'v1_p2tr') return undefined
  const withdrawals = outputs.valueSat.subarray(first + 2, txs.firstOutput[txIndex + 1]!)
  return {
    txIndex,
    vout,
    op: 'stacks.peg',
    valueSat: withdrawals.reduce((sum, value) => sum + value, 0n),
    details: {
      version: data[2]!,
      withdrawalCount: withdrawals.length,
      signersOutputSat: outputs.valueSat[first]!.toString(),
    },
    rule: 'stacks.sbtc_sweep',
  }
}
