import type { DecodedTransactions } from './block.ts'
import { openReader, readVarint, take } from './reader.ts'

/** Witness items of the i-th input of a block, in order; empty without a witness. */
export function witnessItemsOf({ bytes, inputs }: DecodedTransactions, i: number): Uint8Array[] {
  const at = inputs.witnessOffset[i]!
  if (at === 0) return []
  const r = openReader(bytes, at)
  const count = readVarint(r, 'witness item count')
  const items: Uint8Array[] = []
  for (let item = 0; item < count; item++) {
    const length = readVarint(r, 'witness item length')
    const start = take(r, length, 'witness item')
    items.push(bytes.subarray(start, start + length))
  }
  return items
}
