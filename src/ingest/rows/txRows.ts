import { wordsOf } from '../outputBatch.ts'
import type { Arena } from './arena.ts'
import type { Chunk } from './chunk.ts'
import { allNull, type BlockToStore } from './toStore.ts'

const OP_RETURN = 0x6a

type Firsts = Pick<Chunk, 'firstTx' | 'firstInput' | 'firstOutput'>

/** The rows of `btc_txs`; what takes a prevout is null so far. */
export function txRows(arena: Arena, store: readonly BlockToStore[], { firstTx }: Firsts): Chunk['txs'] {
  const count = firstTx.at(-1) ?? 0
  const height = arena.u32(count)
  const blockTime = arena.u32(count)
  const txIndex = arena.u32(count)
  const txid = arena.u8(count * 32)
  const wtxid = arena.u8(count * 32)
  const version = arena.i32(count)
  const lockTime = arena.u32(count)
  const sizeBytes = arena.u32(count)
  const vsizeVb = arena.u32(count)
  const weightWu = arena.u32(count)
  const inputCount = arena.u32(count)
  const outputCount = arena.u32(count)
  const paymentOutputCount = arena.u32(count)
  const isCoinbase = arena.u8(count)
  const hasWitness = arena.u8(count)
  const signalsRbf = arena.u8(count)
  const outputSat = arena.u64(count)
  const opReturnBytes = arena.u32(count)
  const inscriptionCount = arena.u32(count)
  const inscriptionBytes = arena.u32(count)
  const protocolMask = arena.u16(count)
  const outputWords = wordsOf(outputSat)

  store.forEach(({ block, height: at, payloads }, b) => {
    const { txs, outputs, bytes } = block
    const base = firstTx[b]!
    txid.set(txs.txid, base * 32)
    wtxid.set(txs.wtxid, base * 32)
    version.set(txs.version, base)
    lockTime.set(txs.lockTime, base)
    sizeBytes.set(txs.sizeBytes, base)
    weightWu.set(txs.weightWu, base)
    hasWitness.set(txs.hasWitness, base)
    signalsRbf.set(txs.signalsRbf, base)
    opReturnBytes.set(payloads.opReturnBytes, base)
    protocolMask.set(payloads.protocolMask, base)
    height.fill(at, base, base + txs.count)
    blockTime.fill(block.timeS, base, base + txs.count)
    isCoinbase[base] = 1
    const words = new Uint32Array(outputs.valueSat.buffer, outputs.valueSat.byteOffset, outputs.count * 2)
    for (let t = 0; t < txs.count; t++) {
      const row = base + t
      const first = txs.firstOutput[t]!
      const end = txs.firstOutput[t + 1]!
      txIndex[row] = t
      vsizeVb[row] = Math.ceil(txs.weightWu[t]! / 4)
      inputCount[row] = txs.firstInput[t + 1]! - txs.firstInput[t]!
      outputCount[row] = end - first
      let payments = 0
      let sum = 0
      for (let o = first; o < end; o++) {
        const isOpReturn = outputs.scriptLength[o]! > 0 && bytes[outputs.scriptOffset[o]!] === OP_RETURN
        if (!isOpReturn) payments++
        // Exact: `checkAmounts` keeps the sum below 2^53.
        sum += words[2 * o + 1]! * 2 ** 32 + words[2 * o]!
      }
      paymentOutputCount[row] = payments
      outputWords[2 * row] = sum >>> 0
      outputWords[2 * row + 1] = Math.floor(sum / 2 ** 32)
    }
    for (const envelope of payloads.envelopes) {
      inscriptionCount[base + envelope.txIndex]!++
      inscriptionBytes[base + envelope.txIndex]! += envelope.bodyBytes
    }
  })
  return {
    rowCount: count,
    batch: arena.u32(count),
    height,
    blockTime,
    txIndex,
    txid,
    wtxid,
    version,
    lockTime,
    sizeBytes,
    vsizeVb,
    weightWu,
    inputCount,
    outputCount,
    paymentOutputCount,
    isCoinbase,
    hasWitness,
    signalsRbf,
    inputSat: allNull(arena, arena.u64(count)),
    outputSat,
    returnedSat: allNull(arena, arena.u64(count)),
    feeSat: allNull(arena, arena.u64(count)),
    opReturnBytes,
    inscriptionCount,
    inscriptionBytes,
    protocolMask,
  }
}
