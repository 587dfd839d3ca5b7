import { wordsOf } from '../outputBatch.ts'
import type { Chunk } from './chunk.ts'
import { allNull, type BlockToStore } from './toStore.ts'

const OP_RETURN = 0x6a

type Firsts = Pick<Chunk, 'firstTx' | 'firstInput' | 'firstOutput'>

/** The rows of `btc_txs`; what takes a prevout is null so far. */
export function txRows(store: readonly BlockToStore[], { firstTx }: Firsts): Chunk['txs'] {
  const count = firstTx.at(-1) ?? 0
  const height = new Uint32Array(count)
  const blockTime = new Uint32Array(count)
  const txIndex = new Uint32Array(count)
  const txid = new Uint8Array(count * 32)
  const wtxid = new Uint8Array(count * 32)
  const version = new Int32Array(count)
  const lockTime = new Uint32Array(count)
  const sizeBytes = new Uint32Array(count)
  const vsizeVb = new Uint32Array(count)
  const weightWu = new Uint32Array(count)
  const inputCount = new Uint32Array(count)
  const outputCount = new Uint32Array(count)
  const paymentOutputCount = new Uint32Array(count)
  const isCoinbase = new Uint8Array(count)
  const hasWitness = new Uint8Array(count)
  const signalsRbf = new Uint8Array(count)
  const outputSat = new BigUint64Array(count)
  const opReturnBytes = new Uint32Array(count)
  const inscriptionCount = new Uint32Array(count)
  const inscriptionBytes = new Uint32Array(count)
  const protocolMask = new Uint16Array(count)
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
    inputSat: allNull(new BigUint64Array(count), count),
    outputSat,
    returnedSat: allNull(new BigUint64Array(count), count),
    feeSat: allNull(new BigUint64Array(count), count),
    opReturnBytes,
    inscriptionCount,
    inscriptionBytes,
    protocolMask,
  }
}
