import type { BlockPayloads, DecodedBlock } from '#chains/bitcoin/index.ts'
import type { Arena } from '#kernel/arena.ts'
import { copyBytes, withView } from '#kernel/bytes.ts'
import type { VarBytes } from '#kernel/table.ts'

/** A block that passed its checks, with the height it is stored under. */
export type BlockToStore = {
  readonly block: DecodedBlock
  readonly height: number
  readonly payloads: BlockPayloads
}

/** Collects byte strings of known total length one after the other. */
export class BlobColumn implements VarBytes {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  #row = 0

  constructor(arena: Arena, rowCount: number, byteCount: number) {
    this.bytes = arena.u8(byteCount, 'overwritten')
    this.offsets = arena.u32(rowCount + 1, 'overwritten')
    this.offsets[0] = 0
  }

  /** One row for each pair of a start and a length in `from`. */
  addAll(from: Uint8Array, starts: Uint32Array, lengths: Uint32Array): void {
    const { bytes, offsets } = this
    const source = withView(from)
    const target = withView(bytes)
    let row = this.#row
    let at = offsets[row]!
    for (let i = 0; i < lengths.length; i++) {
      const length = lengths[i]!
      copyBytes(target, at, source, starts[i]!, length)
      at += length
      offsets[++row] = at
    }
    this.#row = row
  }

  /** A plain record: class instances lose their type on the way to another thread. */
  done(): VarBytes {
    return { bytes: this.bytes, offsets: this.offsets }
  }
}

const WHOLE = Uint32Array.of(0)

/** Byte strings as one column. */
export function blobColumn(arena: Arena, values: readonly Uint8Array[]): VarBytes {
  const column = new BlobColumn(
    arena,
    values.length,
    values.reduce((sum, value) => sum + value.length, 0),
  )
  for (const value of values) column.addAll(value, WHOLE, Uint32Array.of(value.length))
  return column.done()
}

// Loops over all rows of a block are functions of their own, not parts of a closure: the engine compiles them once.

type TxNames = {
  readonly txIndex: Uint32Array
  readonly indexInTx: Uint32Array
  readonly txidWords: Uint32Array
}

/**
 * Names the transaction of each input or output of a block, from `firstRow` on: its index, the place within it and its
 * txid. `firstOf`: first input or output of each transaction, one more at the end. `firstTx`: where the txids begin.
 */
export function nameTxs(
  { txIndex, indexInTx, txidWords }: TxNames,
  firstRow: number,
  firstOf: Uint32Array,
  allTxidWords: Uint32Array,
  firstTx: number,
): void {
  for (let tx = 0; tx + 1 < firstOf.length; tx++) {
    const from = (firstTx + tx) * 8
    const start = firstRow + firstOf[tx]!
    const end = firstRow + firstOf[tx + 1]!
    for (let row = start; row < end; row++) {
      txIndex[row] = tx
      indexInTx[row] = row - start
      const to = row * 8
      txidWords[to] = allTxidWords[from]!
      txidWords[to + 1] = allTxidWords[from + 1]!
      txidWords[to + 2] = allTxidWords[from + 2]!
      txidWords[to + 3] = allTxidWords[from + 3]!
      txidWords[to + 4] = allTxidWords[from + 4]!
      txidWords[to + 5] = allTxidWords[from + 5]!
      txidWords[to + 6] = allTxidWords[from + 6]!
      txidWords[to + 7] = allTxidWords[from + 7]!
    }
  }
}

/** Sum of a column; exact below 2^53. */
export function sumOf(values: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum
}

/** Hashes of 32 bytes one after the other. */
export function hashColumn(values: readonly Uint8Array[]): Uint8Array {
  const column = new Uint8Array(values.length * 32)
  values.forEach((value, i) => {
    column.set(value, i * 32)
  })
  return column
}

/** Rows that are all null so far. */
export const allNull = <A extends { readonly length: number }>(
  arena: Arena,
  values: A,
): { values: A; nulls: Uint8Array } => ({ values, nulls: arena.u8(values.length, 'overwritten').fill(1) })
