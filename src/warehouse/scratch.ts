/**
 * Bytes that are needed for a moment, again and again: what was taken goes back all at once. Memory that is made anew for
 * each column of each insert keeps the garbage collector busier than the encoding itself.
 */
export class Scratch {
  #bytes = new Uint8Array(0)
  #used = 0
  #wanted = 0

  /** Bytes of any content; valid until the next `reset`. */
  take(byteCount: number): Uint8Array {
    this.#wanted += byteCount
    const start = this.#used
    if (start + byteCount > this.#bytes.length) return new Uint8Array(byteCount)
    this.#used += byteCount
    return this.#bytes.subarray(start, start + byteCount)
  }

  reset(): void {
    if (this.#wanted > this.#bytes.length) this.#bytes = new Uint8Array(Math.ceil(this.#wanted * 1.1))
    this.#used = 0
    this.#wanted = 0
  }
}
