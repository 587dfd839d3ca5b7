import { wordsOf } from '../outputBatch.ts'
import type { Arena } from './arena.ts'
import type { Chunk } from './chunk.ts'
import { BlobColumn, type BlockToStore } from './toStore.ts'

type Firsts = Pick<Chunk, 'firstTx' | 'firstOutput'>

/** The rows of `btc_outputs`. `txids`: those of all transactions of the chunk. */
export function outputRows(
  arena: Arena,
  store: readonly BlockToStore[],
  { firstTx, firstOutput }: Firsts,
  txids: Uint8Array,
): Chunk['outputs'] {
  const count = firstOutput.at(-1) ?? 0
  const height = arena.u32(count)
  const blockTime = arena.u32(count)
  const txIndex = arena.u32(count)
  const txid = arena.u8(count * 32)
  const vout = arena.u32(count)
  const valueSat = arena.u64(count)
  const scriptType = arena.u8(count)
  const isCoinbase = arena.u8(count)
  let scriptBytes = 0
  for (const { block } of store) for (const length of block.outputs.scriptLength) scriptBytes += length
  const script = new BlobColumn(arena, count, scriptBytes)
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
    batch: arena.u32(count),
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
