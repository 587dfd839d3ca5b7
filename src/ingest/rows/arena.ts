/**
 * Hands out zeroed typed arrays from one block of memory that goes around between threads: the columns of a chunk come
 * to tens of megabytes, and getting and giving back that much for each chunk costs more than filling it. What does not
 * fit is allocated apart.
 */
export class Arena {
  readonly buffer: ArrayBufferLike
  /** Bytes asked for in all: what the next block of memory should hold. */
  neededBytes = 0

  constructor(buffer: ArrayBufferLike) {
    this.buffer = buffer
    new Uint8Array(buffer).fill(0)
  }

  u8 = (length: number): Uint8Array => {
    const at = this.#take(length)
    return at < 0 ? new Uint8Array(length) : new Uint8Array(this.buffer, at, length)
  }

  u16 = (length: number): Uint16Array => {
    const at = this.#take(length * 2)
    return at < 0 ? new Uint16Array(length) : new Uint16Array(this.buffer, at, length)
  }

  u32 = (length: number): Uint32Array => {
    const at = this.#take(length * 4)
    return at < 0 ? new Uint32Array(length) : new Uint32Array(this.buffer, at, length)
  }

  i32 = (length: number): Int32Array => {
    const at = this.#take(length * 4)
    return at < 0 ? new Int32Array(length) : new Int32Array(this.buffer, at, length)
  }

  u64 = (length: number): BigUint64Array => {
    const at = this.#take(length * 8)
    return at < 0 ? new BigUint64Array(length) : new BigUint64Array(this.buffer, at, length)
  }

  /** Start of a stretch that begins at a multiple of eight; −1 where it does not fit. */
  #take(byteLength: number): number {
    const start = this.neededBytes
    this.neededBytes += Math.ceil(byteLength / 8) * 8
    return this.neededBytes <= this.buffer.byteLength ? start : -1
  }
}
