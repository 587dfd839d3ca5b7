/** Bytes, with the view that reads and writes words of four of them at any place. */
export type Bytes = { readonly u8: Uint8Array; readonly view: DataView }

export const withView = (u8: Uint8Array): Bytes => ({
  u8,
  view: new DataView(u8.buffer, u8.byteOffset, u8.byteLength),
})

/** Up to here a loop beats the cost of making a view of a byte string. */
const SHORT_BYTES = 256

/** Copies `length` bytes from `start` of one place to `at` of another that does not overlap. */
export function copyBytes(to: Bytes, at: number, from: Bytes, start: number, length: number): void {
  if (length > SHORT_BYTES) to.u8.set(from.u8.subarray(start, start + length), at)
  else if (length < 4) for (let k = 0; k < length; k++) to.u8[at + k] = from.u8[start + k]!
  else {
    // The last word overlaps the one before where the length is no multiple of four.
    const last = length - 4
    for (let k = 0; k < last; k += 4) to.view.setInt32(at + k, from.view.getInt32(start + k, true), true)
    to.view.setInt32(at + last, from.view.getInt32(start + last, true), true)
  }
}

/** Moves `length` bytes from `start` towards the front of the same bytes, to `at`; both stretches may overlap. */
export function moveBytes(bytes: Bytes, at: number, start: number, length: number): void {
  // Word by word where no word is written before it has been read.
  if (start - at >= length || (start - at >= 4 && length <= SHORT_BYTES))
    copyBytes(bytes, at, bytes, start, length)
  else bytes.u8.copyWithin(at, start, start + length)
}
