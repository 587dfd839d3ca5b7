import { wordsOf } from '../outputBatch.ts'
import type { Chunk } from './chunk.ts'
import { BlobColumn, type BlockToStore } from './toStore.ts'

type Firsts = Pick<Chunk, 'firstTx' | 'firstOutput'>

/** The rows of `btc_outputs`. `txids`: those of all transactions of the chunk. */
export function outputRows(
  store: readonly BlockToStore[],
  { firstTx, firstOutput }: Firsts,
  txids: Uint8Array,
): Chunk['outputs'] {
  const count = firstOutput.at(-1) ?? 0
  const height = new Uint32Array(count)
  const blockTime = new Uint32Array(count)
  const txIndex = new Uint32Array(count)
  const txid = new Uint8Array(count * 32)
  const vout = new Uint32Array(count)
  const valueSat = new BigUint64Array(count)
  const scriptType = new Uint8Array(count)
  const isCoinbase = new Uint8Array(count)
  let scriptBytes = 0
  for (const { block } of store) for (const length of block.outputs.scriptLength) scriptBytes += length
  const script = new BlobColumn(count, scriptBytes)
  const txidWords = wordsOf(txids)
  const rowWords = wordsOf(txid)

  store.forEach(({ block, height: at }, b) => {
    const { bytes, txs, outputs, timeS } = block
    const firstRow = firstOutput[firstTx[b]!]!
    valueSat.set(outputs.valueSat, firstRow)
    scriptType.set(outputs.scriptType, firstRow)
    height.fill(at, firstRow, firstRow + outputs.count)
    blockTime.fill(timeS, firstRow, firstRow + outputs.count)
    isCoinbase.fill(1, firstRow, firstRow + txs.firstOutput[1]!)
    for (let o = 0; o < outputs.count; o++)
      script.add(bytes, outputs.scriptOffset[o]!, outputs.scriptLength[o]!)
    for (let t = 0; t < txs.count; t++) {
      const from = (firstTx[b]! + t) * 8
      const end = firstRow + txs.firstOutput[t + 1]!
      for (let row = firstRow + txs.firstOutput[t]!, i = 0; row < end; row++, i++) {
        txIndex[row] = t
        vout[row] = i
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
    vout,
    valueSat,
    scriptType,
    script: script.done(),
    isCoinbase,
  }
}
