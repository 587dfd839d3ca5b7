import type { Arena } from '#kernel/arena.ts'
import { wordsOf } from '../outputBatch.ts'
import type { Chunk, ScriptRoom } from './chunk.ts'
import { allNull, BlobColumn, type BlockToStore, nameTxs, sumOf } from './toStore.ts'

type Firsts = Pick<Chunk, 'firstTx' | 'firstInput'>

/** The rows of `btc_inputs`; prevouts are null so far. `txids`: those of all transactions of the chunk. */
export function inputRows(
  arena: Arena,
  store: readonly BlockToStore[],
  { firstTx, firstInput }: Firsts,
  txids: Uint8Array,
): Chunk['inputs'] {
  const count = firstInput.at(-1) ?? 0
  const height = arena.u32(count, 'overwritten')
  const blockTime = arena.u32(count, 'overwritten')
  const txIndex = arena.u32(count, 'overwritten')
  const txid = arena.u8(count * 32, 'overwritten')
  const vin = arena.u32(count, 'overwritten')
  const prevTxid = arena.u8(count * 32, 'overwritten')
  const prevVout = arena.u32(count, 'overwritten')
  const sequence = arena.u32(count, 'overwritten')
  const witnessBytes = arena.u32(count, 'overwritten')
  const isCoinbase = arena.u8(count)
  const scriptSig = new BlobColumn(
    arena,
    count,
    store.reduce((sum, { block }) => sum + sumOf(block.inputs.scriptLength), 0),
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
    scriptSig.addAll(bytes, inputs.scriptOffset, inputs.scriptLength)
    nameTxs(
      { txIndex, indexInTx: vin, txidWords: rowWords },
      firstRow,
      txs.firstInput,
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
    vin,
    prevTxid,
    prevVout,
    sequence,
    scriptSig: scriptSig.done(),
    witnessBytes,
    isCoinbase,
    prevValueSat: allNull(arena, arena.u64(count)),
    prevScriptType: allNull(arena, arena.u8(count)),
    prevScript: { bytes: new Uint8Array(0), offsets: arena.u32(count + 1) },
    prevHeight: allNull(arena, arena.u32(count)),
    prevTime: allNull(arena, arena.u32(count)),
  }
}

/** Mean script of a spent output, with room to spare; a chunk of longer ones gets its memory apart. */
const SCRIPT_BYTES = 40

/** Room for the scripts of the prevouts of `count` inputs. */
export const scriptRoom = (arena: Arena, count: number): ScriptRoom => ({
  start: arena.u32(count),
  length: arena.u32(count),
  offsets: arena.u32(count + 1),
  asTheyCome: arena.u8(count * SCRIPT_BYTES, 'overwritten'),
  inOrder: arena.u8(count * SCRIPT_BYTES, 'overwritten'),
})
