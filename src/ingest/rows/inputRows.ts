import { wordsOf } from '../outputBatch.ts'
import type { Chunk } from './chunk.ts'
import { allNull, BlobColumn, type BlockToStore } from './toStore.ts'

type Firsts = Pick<Chunk, 'firstTx' | 'firstInput'>

/** The rows of `btc_inputs`; prevouts are null so far. `txids`: those of all transactions of the chunk. */
export function inputRows(
  store: readonly BlockToStore[],
  { firstTx, firstInput }: Firsts,
  txids: Uint8Array,
): Chunk['inputs'] {
  const count = firstInput.at(-1) ?? 0
  const height = new Uint32Array(count)
  const blockTime = new Uint32Array(count)
  const txIndex = new Uint32Array(count)
  const txid = new Uint8Array(count * 32)
  const vin = new Uint32Array(count)
  const prevTxid = new Uint8Array(count * 32)
  const prevVout = new Uint32Array(count)
  const sequence = new Uint32Array(count)
  const witnessBytes = new Uint32Array(count)
  const isCoinbase = new Uint8Array(count)
  const scriptSig = new BlobColumn(
    count,
    store.reduce((sum, { block }) => sum + total(block.inputs.scriptLength), 0),
  )
  const txidWords = wordsOf(txids)
  const rowWords = wordsOf(txid)

  store.forEach(({ block, height: at }, b) => {
    const { bytes, txs, inputs, timeS } = block
    const firstRow = firstInput[firstTx[b]!]!
    prevTxid.set(inputs.prevTxid, firstRow * 32)
    prevVout.set(inputs.prevVout, firstRow)
    sequence.set(inputs.sequence, firstRow)
    witnessBytes.set(inputs.witnessLength, firstRow)
    height.fill(at, firstRow, firstRow + inputs.count)
    blockTime.fill(timeS, firstRow, firstRow + inputs.count)
    isCoinbase[firstRow] = 1
    for (let i = 0; i < inputs.count; i++)
      scriptSig.add(bytes, inputs.scriptOffset[i]!, inputs.scriptLength[i]!)
    for (let t = 0; t < txs.count; t++) {
      const from = (firstTx[b]! + t) * 8
      const end = firstRow + txs.firstInput[t + 1]!
      for (let row = firstRow + txs.firstInput[t]!, i = 0; row < end; row++, i++) {
        txIndex[row] = t
        vin[row] = i
        for (let word = 0; word < 8; word++) rowWords[row * 8 + word] = txidWords[from + word]!
      }
    }
  })
  return {
    rowCount: count,
    height,
    blockTime,
    txIndex,
    txid,
    vin,
    prevTxid,
    prevVout,
    sequence,
    scriptSig: scriptSig.done(),
    witnessBytes,
    isCoinbase,
    prevValueSat: allNull(new BigUint64Array(count), count),
    prevScriptType: allNull(new Uint8Array(count), count),
    prevScript: { bytes: new Uint8Array(0), offsets: new Uint32Array(count + 1) },
    prevHeight: allNull(new Uint32Array(count), count),
    prevTime: allNull(new Uint32Array(count), count),
  }
}

function total(lengths: Uint32Array): number {
  let sum = 0
  for (const length of lengths) sum += length
  return sum
}
