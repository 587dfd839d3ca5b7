/** Whether an array must begin with zeros, or every entry of it is written anyway, which spares the zeroing. */
export type Start = 'zeroed' | 'overwritten'

/**
 * Hands out typed arrays from one block of memory that is used again and again: getting and giving back tens of megabytes
 * for each group of blocks costs more than filling them, and keeps the garbage collector busy. What does not fit is
 * allocated apart; without memory of its own an arena allocates everything apart.
 */
export class Arena {
  #buffer: ArrayBufferLike
  /** Bytes asked for since the last `reset`: what would have held it all. */
  neededBytes = 0

  constructor(buffer: ArrayBufferLike = new ArrayBuffer(0)) {
    this.#buffer = buffer
  }

  /** Takes everything back: no array handed out before may be used any more. Room that was missing is there from now on. */
  reset(): void {
    if (this.neededBytes > this.#buffer.byteLength)
      this.#buffer = new ArrayBuffer(Math.ceil(this.neededBytes * 1.1))
    this.neededBytes = 0
  }

  u8 = (length: number, start: Start = 'zeroed'): Uint8Array => {
    const at = this.#take(length, start)
    return at < 0 ? new Uint8Array(length) : new Uint8Array(this.#buffer, at, length)
  }

  u16 = (length: number, start: Start = 'zeroed'): Uint16Array => {
    const at = this.#take(length * 2, start)
    return at < 0 ? new Uint16Array(length) : new Uint16Array(this.#buffer, at, length)
  }

  u32 = (length: number, start: Start = 'zeroed'): Uint32Array => {
    const at = this.#take(length * 4, start)
    return at < 0 ? new Uint32Array(length) : new Uint32Array(this.#buffer, at, length)
  }

  i32 = (length: number, start: Start = 'zeroed'): Int32Array => {
    const at = this.#take(length * 4, start)
    return at < 0 ? new Int32Array(length) : new Int32Array(this.#buffer, at, length)
  }

  u64 = (length: number, start: Start = 'zeroed'): BigUint64Array => {
    const at = this.#take(length * 8, start)
    return at < 0 ? new BigUint64Array(length) : new BigUint64Array(this.#buffer, at, length)
  }

  /** Start of a stretch that begins at a multiple of eight; −1 where it does not fit. */
  #take(byteLength: number, start: Start): number {
    const at = this.neededBytes
    this.neededBytes += Math.ceil(byteLength / 8) * 8
    if (this.neededBytes > this.#buffer.byteLength) return -1
    if (start === 'zeroed') new Uint8Array(this.#buffer, at, byteLength).fill(0)
    return at
  }
}
