import type { DecodedTransactions } from './block.ts'
import { openReader, readVarint, take } from './reader.ts'

/** Witness items of the i-th input of a block, in order; empty without a witness. */
export function witnessItemsOf(block: DecodedTransactions, i: number): Uint8Array[] {
  const items: Uint8Array[] = []
  eachWitnessItem(block, i, item => items.push(item()))
  return items
}

/** How many items the witness of the i-th input has, and its last three: all that a rule about its form asks for. */
export function witnessEndOf(block: DecodedTransactions, i: number): { count: number; last: Uint8Array[] } {
  const last: Uint8Array[] = []
  let total = 0
  eachWitnessItem(block, i, (item, index, count) => {
    total = count
    if (count - index <= 3) last.push(item())
  })
  return { count: total, last }
}

/** Visits the items without making views of them: a hostile witness has millions. */
function eachWitnessItem(
  { bytes, inputs }: DecodedTransactions,
  i: number,
  visit: (item: () => Uint8Array, index: number, count: number) => void,
): void {
  const at = inputs.witnessOffset[i]!
  if (at === 0) return
  const r = openReader(bytes, at)
  const count = readVarint(r, 'witness item count')
  for (let index = 0; index < count; index++) {
    const length = readVarint(r, 'witness item length')
    const start = take(r, length, 'witness item')
    visit(() => bytes.subarray(start, start + length), index, count)
  }
}
