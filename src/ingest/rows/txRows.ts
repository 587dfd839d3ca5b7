import type { DecodedBlock } from '#chains/bitcoin/index.ts'
import type { Arena } from '#kernel/arena.ts'
import { SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import { wordsOf } from '../outputBatch.ts'
import type { Chunk } from './chunk.ts'
import { allNull, type BlockToStore } from './toStore.ts'

const OP_RETURN = SCRIPT_TYPES.indexOf('op_return')

type Firsts = Pick<Chunk, 'firstTx' | 'firstInput' | 'firstOutput'>

/** The rows of `btc_txs`; what takes a prevout is null so far. */
export function txRows(arena: Arena, store: readonly BlockToStore[], { firstTx }: Firsts): Chunk['txs'] {
  const count = firstTx.at(-1) ?? 0
  const height = arena.u32(count, 'overwritten')
  const blockTime = arena.u32(count, 'overwritten')
  const txIndex = arena.u32(count, 'overwritten')
  const txid = arena.u8(count * 32, 'overwritten')
  const wtxid = arena.u8(count * 32, 'overwritten')
  const version = arena.u32(count, 'overwritten')
  const lockTime = arena.u32(count, 'overwritten')
  const sizeBytes = arena.u32(count, 'overwritten')
  const vsizeVb = arena.u32(count, 'overwritten')
  const weightWu = arena.u32(count, 'overwritten')
  const inputCount = arena.u32(count, 'overwritten')
  const outputCount = arena.u32(count, 'overwritten')
  const paymentOutputCount = arena.u32(count, 'overwritten')
  const isCoinbase = arena.u8(count)
  const hasWitness = arena.u8(count, 'overwritten')
  const signalsRbf = arena.u8(count, 'overwritten')
  const outputSat = arena.u64(count, 'overwritten')
  const opReturnBytes = arena.u32(count, 'overwritten')
  const inscriptionCount = arena.u32(count)
  const inscriptionBytes = arena.u32(count)
  const protocolMask = arena.u16(count, 'overwritten')
  const counts = {
    txIndex,
    vsizeVb,
    inputCount,
    outputCount,
    paymentOutputCount,
    outputWords: wordsOf(outputSat),
  }

  store.forEach(({ block, height: at, payloads }, b) => {
    const { txs } = block
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
    countTxs(counts, base, block)
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

type Counts = Readonly<
  Record<
    'txIndex' | 'vsizeVb' | 'inputCount' | 'outputCount' | 'paymentOutputCount' | 'outputWords',
    Uint32Array
  >
>

/** What is counted for each transaction of a block, from row `base` on. A function of its own: see `nameTxs`. */
function countTxs(
  { txIndex, vsizeVb, inputCount, outputCount, paymentOutputCount, outputWords }: Counts,
  base: number,
  { txs: { count, firstInput, firstOutput, weightWu }, outputs: { scriptType, valueSat } }: DecodedBlock,
): void {
  const words = wordsOf(valueSat)
  for (let t = 0; t < count; t++) {
    const row = base + t
    const first = firstOutput[t]!
    const end = firstOutput[t + 1]!
    txIndex[row] = t
    vsizeVb[row] = (weightWu[t]! + 3) >>> 2
    inputCount[row] = firstInput[t + 1]! - firstInput[t]!
    outputCount[row] = end - first
    let payments = 0
    let sum = 0
    for (let o = first; o < end; o++) {
      if (scriptType[o] !== OP_RETURN) payments++
      // Exact: `checkAmounts` keeps the sum below 2^53.
      sum += words[2 * o + 1]! * 2 ** 32 + words[2 * o]!
    }
    paymentOutputCount[row] = payments
    outputWords[2 * row] = sum >>> 0
    outputWords[2 * row + 1] = Math.floor(sum / 2 ** 32)
  }
}
