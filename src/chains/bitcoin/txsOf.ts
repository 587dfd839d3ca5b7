import { SCRIPT_TYPES, type ScriptType } from '#kernel/bitcoin.ts'
import { hexOf, jsonInteger } from '../hex.ts'
import { addressOf } from './address/address.ts'
import type { DecodedTransactions } from './block.ts'
import { witnessItemsOf } from './witness.ts'

export type TxInputJson = {
  /** Null for a coinbase. */
  readonly prevTxid: string | null
  readonly prevVout: number | null
  readonly sequence: number
  readonly scriptSig: string
  /** Hex of each item; empty without a witness. */
  readonly witness: readonly string[]
}

export type TxOutputJson = {
  readonly vout: number
  readonly type: ScriptType
  readonly address: string | null
  /** A decimal string beyond 2^53 − 1. */
  readonly valueSat: number | string
  readonly script: string
}

/** A transaction as `assay decode bitcoin --tx` prints it. */
export type TxJson = {
  readonly txid: string
  readonly wtxid: string
  readonly version: number
  readonly lockTime: number
  readonly size: number
  readonly vsize: number
  readonly weight: number
  readonly isCoinbase: boolean
  readonly inputs: readonly TxInputJson[]
  readonly outputs: readonly TxOutputJson[]
}

export function txsOf(block: DecodedTransactions): TxJson[] {
  return Array.from({ length: block.txs.count }, (_, tx) => txOf(block, tx))
}

/** One transaction of a block, by its position. */
export function txOf(block: DecodedTransactions, tx: number): TxJson {
  const { txs, inputs, outputs } = block
  const ins: TxInputJson[] = []
  for (let i = txs.firstInput[tx]!; i < txs.firstInput[tx + 1]!; i++) ins.push(inputOf(block, i))
  const outs: TxOutputJson[] = []
  for (let o = txs.firstOutput[tx]!; o < txs.firstOutput[tx + 1]!; o++) {
    const script = outputScriptOf(block, o)
    outs.push({
      vout: o - txs.firstOutput[tx]!,
      type: SCRIPT_TYPES[outputs.scriptType[o]!]!,
      address: addressOf(script, block.network),
      valueSat: jsonInteger(outputs.valueSat[o]!),
      script: hexOf(script),
    })
  }
  return {
    txid: hexOf(txs.txid.subarray(32 * tx, 32 * tx + 32)),
    wtxid: hexOf(txs.wtxid.subarray(32 * tx, 32 * tx + 32)),
    version: txs.version[tx]!,
    lockTime: txs.lockTime[tx]!,
    size: txs.sizeBytes[tx]!,
    vsize: Math.ceil(txs.weightWu[tx]! / 4),
    weight: txs.weightWu[tx]!,
    isCoinbase: ins.length === 1 && ins[0]!.prevTxid === null,
    inputs: ins,
    outputs: outs,
  }

  function inputOf({ bytes }: DecodedTransactions, i: number): TxInputJson {
    const prevTxid = inputs.prevTxid.subarray(32 * i, 32 * i + 32)
    const isNull = inputs.prevVout[i] === 0xffffffff && prevTxid.every(byte => byte === 0)
    const at = inputs.scriptOffset[i]!
    return {
      prevTxid: isNull ? null : hexOf(prevTxid),
      prevVout: isNull ? null : inputs.prevVout[i]!,
      sequence: inputs.sequence[i]!,
      scriptSig: hexOf(bytes.subarray(at, at + inputs.scriptLength[i]!)),
      witness: witnessItemsOf(block, i).map(hexOf),
    }
  }
}

/** Script of the o-th output of a block. */
export function outputScriptOf({ bytes, outputs }: DecodedTransactions, o: number): Uint8Array {
  const at = outputs.scriptOffset[o]!
  return bytes.subarray(at, at + outputs.scriptLength[o]!)
}
