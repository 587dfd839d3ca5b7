import { SCRIPT_TYPES, type ScriptType } from '#kernel/bitcoin.ts'
import { hexOf, jsonInteger } from '../hex.ts'
import type { BlockPayloads, DecodedBlock } from './block.ts'

/** What `assay decode bitcoin` prints for a block, keys in this order. The coinbase counts in all of them. */
export type BlockSummary = {
  readonly hash: string
  readonly version: number
  readonly prevHash: string
  readonly merkleRoot: string
  readonly time: number
  readonly bits: string
  readonly nonce: number
  readonly height: number | null
  readonly size: number
  readonly strippedSize: number
  readonly weight: number
  readonly txCount: number
  readonly inputCount: number
  readonly outputCount: number
  /** A decimal string beyond 2^53 − 1. */
  readonly outputSumSat: number | string
  readonly coinbaseSat: number | string
  readonly segwitTxCount: number
  readonly taprootOutputCount: number
  /** Output scripts that start with 6a. */
  readonly opReturnCount: number
  /** ord envelopes, not transactions. */
  readonly inscriptionCount: number
  /** Transactions whose first 6a5d output is a runestone, cenotaphs counted, at any height. */
  readonly runestoneCount: number
  /** By type, in the order of `SCRIPT_TYPES`; a type without outputs is absent. */
  readonly outputsByType: Readonly<Partial<Record<ScriptType, number>>>
}

export function summaryOf(block: DecodedBlock, payloads: BlockPayloads): BlockSummary {
  const { txs, outputs } = block
  const outputsByType = countByType(outputs.scriptType)
  return {
    hash: hexOf(block.hash),
    version: block.version,
    prevHash: hexOf(block.prevHash),
    merkleRoot: hexOf(block.merkleRoot),
    time: block.timeS,
    bits: block.bits.toString(16).padStart(8, '0'),
    nonce: block.nonce,
    height: block.height,
    size: block.sizeBytes,
    strippedSize: block.strippedSizeBytes,
    weight: block.weightWu,
    txCount: txs.count,
    inputCount: block.inputs.count,
    outputCount: outputs.count,
    outputSumSat: jsonInteger(sumSat(outputs.valueSat)),
    coinbaseSat: jsonInteger(sumSat(outputs.valueSat.subarray(0, txs.firstOutput[1]!))),
    segwitTxCount: txs.hasWitness.reduce((count, has) => count + has, 0),
    taprootOutputCount: outputsByType.v1_p2tr ?? 0,
    opReturnCount: payloads.opReturnCount,
    inscriptionCount: payloads.envelopes.length,
    runestoneCount: payloads.runestoneCount,
    outputsByType,
  }
}

/** Exact even where hostile values add up beyond 64 bits. */
export function sumSat(values: BigUint64Array): bigint {
  let sum = 0n
  for (const value of values) sum += value
  return sum
}

function countByType(types: Uint8Array): Partial<Record<ScriptType, number>> {
  const counts = new Uint32Array(SCRIPT_TYPES.length)
  for (const type of types) counts[type]! += 1
  const named: Partial<Record<ScriptType, number>> = {}
  SCRIPT_TYPES.forEach((type, code) => {
    if (counts[code]! > 0) named[type] = counts[code]!
  })
  return named
}
