import { DecodeError } from './errors.ts'

/** A cursor over bytes. State only: the reading functions are free. */
export type Reader = { readonly bytes: Uint8Array; readonly view: DataView; pos: number }

/** Begins at `pos`. The bytes are seen through a plain view: the reading loops stay fast when they never meet a Buffer. */
export function openReader({ buffer, byteOffset, length }: Uint8Array, pos = 0): Reader {
  return {
    bytes: new Uint8Array(buffer, byteOffset, length),
    view: new DataView(buffer, byteOffset, length),
    pos,
  }
}

/** Reserves `byteCount` bytes and returns where they start. The only bounds check of the codec. */
export function take(r: Reader, byteCount: number, what: string): number {
  const at = r.pos
  if (byteCount > r.bytes.length - at) throw short(r, byteCount, what)
  r.pos = at + byteCount
  return at
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
    value = r.view.getUint16(start, true)
    least = 0xfd
  } else if (first === 0xfe) {
    value = r.view.getUint32(take(r, 4, what), true)
    least = 0x10000
  } else {
    const start = take(r, 8, what)
    value = r.view.getUint32(start, true) + r.view.getUint32(start + 4, true) * 2 ** 32
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
  return new DecodeError('count', `The ${what} of ${count} cannot fit into the ${left} bytes left`, {
    what,
    offset: at,
    got: count,
    expected: `at most ${Math.floor(left / itemBytes)}`,
  })
}
