import { DecodeError } from './errors.ts'

/** A cursor over bytes. State only: the reading functions are free. */
export type Reader = { readonly bytes: Uint8Array; pos: number }

/** Reserves `byteCount` bytes and returns where they start. The only bounds check of the codec. */
export function take(r: Reader, byteCount: number, what: string): number {
  const at = r.pos
  if (byteCount > r.bytes.length - at) throw short(r, byteCount, what)
  r.pos = at + byteCount
  return at
}

/** Four bytes as an unsigned number, little-endian. The caller has reserved them. */
export function u32At(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
}

/**
 * A CompactSize, which must be in its shortest form, as Bitcoin Core demands. Values beyond 2^32 are refused here: no
 * count or length of a block can reach them.
 */
export function readVarint(r: Reader, what: string): number {
  const at = take(r, 1, what)
  const first = r.bytes[at]!
  return first < 0xfd ? first : readLongVarint(r, first, at, what)
}

/**
 * A count of items of at least `itemBytes` bytes each. A count that the remaining bytes cannot hold is refused before
 * anything is allocated for it.
 */
export function readCount(r: Reader, itemBytes: number, what: string): number {
  const at = r.pos
  const count = readVarint(r, what)
  if (count * itemBytes > r.bytes.length - r.pos) throw lyingCount(r, at, count, itemBytes, what)
  return count
}

function readLongVarint(r: Reader, first: number, at: number, what: string): number {
  let value: number
  let least: number
  if (first === 0xfd) {
    const start = take(r, 2, what)
    value = r.bytes[start]! | (r.bytes[start + 1]! << 8)
    least = 0xfd
  } else if (first === 0xfe) {
    value = u32At(r.bytes, take(r, 4, what))
    least = 0x10000
  } else {
    const start = take(r, 8, what)
    value = u32At(r.bytes, start) + u32At(r.bytes, start + 4) * 2 ** 32
    least = 2 ** 32
  }
  if (value < least) {
    throw new DecodeError('varint', `The number for the ${what} is not in its shortest form`, {
      what,
      offset: at,
      got: value,
      expected: `at least ${least} after byte 0x${first.toString(16)}`,
    })
  }
  return value
}

function short(r: Reader, needed: number, what: string): DecodeError {
  const left = r.bytes.length - r.pos
  return new DecodeError('short', `The bytes end inside the ${what}: ${needed} needed, ${left} left`, {
    what,
    offset: r.pos,
    got: left,
    expected: needed,
  })
}

function lyingCount(r: Reader, at: number, count: number, itemBytes: number, what: string): DecodeError {
  const left = r.bytes.length - r.pos
  return new DecodeError('count', `A ${what} of ${count} cannot fit into the ${left} bytes left`, {
    what,
    offset: at,
    got: count,
    expected: `at most ${Math.floor(left / itemBytes)}`,
  })
}
