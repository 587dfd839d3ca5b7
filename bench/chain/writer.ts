/** Bytes written one after the other into a buffer that grows. */
export type Writer = {
  bytes: Buffer
  length: number
}

export const createWriter = (capacity: number): Writer => ({ bytes: Buffer.alloc(capacity), length: 0 })

export function reserve(w: Writer, byteCount: number): number {
  const at = w.length
  w.length = at + byteCount
  if (w.length > w.bytes.length) {
    const longer = Buffer.alloc(2 * w.length)
    w.bytes.copy(longer, 0, 0, at)
    w.bytes = longer
  }
  return at
}

export function writeU32(w: Writer, value: number): void {
  const at = reserve(w, 4)
  w.bytes.writeUInt32LE(value >>> 0, at)
}

/** Satoshis as 64 bits; exact, since no amount here passes 2^53. */
export function writeSat(w: Writer, sat: number): void {
  writeU32(w, sat % 2 ** 32)
  writeU32(w, Math.floor(sat / 2 ** 32))
}

export function writeVarint(w: Writer, value: number): void {
  if (value < 0xfd) {
    w.bytes[reserve(w, 1)] = value
  } else if (value <= 0xffff) {
    const at = reserve(w, 3)
    w.bytes[at] = 0xfd
    w.bytes.writeUInt16LE(value, at + 1)
  } else {
    w.bytes[reserve(w, 1)] = 0xfe
    writeU32(w, value)
  }
}

/** Copies bytes; returns where they begin now. */
export function writeBytes(w: Writer, bytes: Uint8Array, from = 0, to = bytes.length): number {
  const at = reserve(w, to - from)
  const target = w.bytes
  // Most pieces are scripts of a few dozen bytes: a loop beats making a view of each.
  if (to - from <= 64) for (let i = from; i < to; i++) target[at + i - from] = bytes[i]!
  else target.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), at)
  return at
}
