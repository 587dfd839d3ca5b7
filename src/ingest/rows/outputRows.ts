import type { Arena } from '#kernel/arena.ts'
import { wordsOf } from '../outputBatch.ts'
import type { Chunk } from './chunk.ts'
import { BlobColumn, type BlockToStore, nameTxs, sumOf } from './toStore.ts'

type Firsts = Pick<Chunk, 'firstTx' | 'firstOutput'>

/** The rows of `btc_outputs`. `txids`: those of all transactions of the chunk. */
export function outputRows(
  arena: Arena,
  store: readonly BlockToStore[],
  { firstTx, firstOutput }: Firsts,
  txids: Uint8Array,
): Chunk['outputs'] {
  const count = firstOutput.at(-1) ?? 0
  const height = arena.u32(count, 'overwritten')
  const blockTime = arena.u32(count, 'overwritten')
  const txIndex = arena.u32(count, 'overwritten')
  const txid = arena.u8(count * 32, 'overwritten')
  const vout = arena.u32(count, 'overwritten')
  const valueSat = arena.u64(count, 'overwritten')
  const scriptType = arena.u8(count, 'overwritten')
  const isCoinbase = arena.u8(count)
  const script = new BlobColumn(
    arena,
    count,
    store.reduce((sum, { block }) => sum + sumOf(block.outputs.scriptLength), 0),
  )
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
    script.addAll(bytes, outputs.scriptOffset, outputs.scriptLength)
    nameTxs(
      { txIndex, indexInTx: vout, txidWords: rowWords },
      firstRow,
      txs.firstOutput,
      txidWords,
      firstTx[b]!,
    )
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
