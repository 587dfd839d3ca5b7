import type { BlockPayloads, DecodedBlock } from '#chains/bitcoin/index.ts'
import type { VarBytes } from '#kernel/table.ts'
import type { Arena } from './arena.ts'

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
    this.bytes = arena.u8(byteCount)
    this.offsets = arena.u32(rowCount + 1)
  }

  add(from: Uint8Array, start: number, length: number): void {
    let at = this.offsets[this.#row]!
    // Scripts are short: a loop beats the cost of making a view for each of them.
    if (length <= 64) for (let i = start; i < start + length; i++) this.bytes[at++] = from[i]!
    else {
      this.bytes.set(from.subarray(start, start + length), at)
      at += length
    }
    this.offsets[++this.#row] = at
  }

  /** A plain record: class instances lose their type on the way to another thread. */
  done(): VarBytes {
    return { bytes: this.bytes, offsets: this.offsets }
  }
}

/** Byte strings as one column. */
export function blobColumn(arena: Arena, values: readonly Uint8Array[]): VarBytes {
  const column = new BlobColumn(
    arena,
    values.length,
    values.reduce((sum, value) => sum + value.length, 0),
  )
  for (const value of values) column.add(value, 0, value.length)
  return column.done()
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
): { values: A; nulls: Uint8Array } => ({ values, nulls: arena.u8(values.length).fill(1) })
