/**
 * Recursive length prefix, written from the end to the start: when a list begins, the length of what it holds is known,
 * so nothing is measured twice. Items are therefore given last first. One writer serves a codec; its bytes are valid
 * until `reset`.
 */
export class RlpWriter {
  #bytes: Buffer
  #at: number

  /** Makes room for `byteCount` bytes at first; it grows by itself. */
  constructor(byteCount = 1 << 16) {
    this.#bytes = Buffer.allocUnsafe(byteCount)
    this.#at = byteCount
  }

  reset(): void {
    this.#at = this.#bytes.length
  }

  /** What was written since `mark`; a view, not a copy. */
  since(mark: number): Buffer {
    return this.#bytes.subarray(this.#at, this.#bytes.length - mark)
  }

  /** Bytes written so far: the mark at which a list ends. */
  get mark(): number {
    return this.#bytes.length - this.#at
  }

  /** Closes the list that holds everything written since `mark`. */
  list(mark: number): void {
    this.#head(this.mark - mark, 0xc0)
  }

  /** One byte as it is, without a prefix: the type in front of an EIP-2718 envelope. */
  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[--this.#at] = value
  }

  /** Bytes given as `0x…`. */
  hex(value: string): void {
    const length = (value.length - 2) >>> 1
    this.#reserve(length)
    this.#at -= length
    if (length > 0) this.#bytes.write(value.slice(2), this.#at, length, 'hex')
    if (length !== 1 || this.#bytes[this.#at]! >= 0x80) this.#head(length, 0x80)
  }

  raw(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#at -= value.length
    this.#bytes.set(value, this.#at)
    if (value.length !== 1 || value[0]! >= 0x80) this.#head(value.length, 0x80)
  }

  /** Bytes that are RLP already. */
  encoded(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#at -= value.length
    this.#bytes.set(value, this.#at)
  }

  /** A number in its shortest form: zero is the empty string. */
  quantity(value: bigint | number): void {
    if (typeof value === 'bigint' && value > 0xffffffffn) {
      const digits = value.toString(16)
      this.hex(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`)
      return
    }
    this.#reserve(8)
    const before = this.#at
    for (let left = Number(value); left > 0; left = Math.floor(left / 256))
      this.#bytes[--this.#at] = left % 256
    const length = before - this.#at
    if (length !== 1 || this.#bytes[this.#at]! >= 0x80) this.#head(length, 0x80)
  }

  #head(length: number, base: number): void {
    this.#reserve(9)
    if (length < 56) {
      this.#bytes[--this.#at] = base + length
      return
    }
    const before = this.#at
    for (let left = length; left > 0; left = Math.floor(left / 256)) this.#bytes[--this.#at] = left % 256
    this.#bytes[this.#at - 1] = base + 55 + (before - this.#at)
    this.#at -= 1
  }

  #reserve(length: number): void {
    if (length <= this.#at) return
    const used = this.#bytes.length - this.#at
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, used + length + 1024))
    this.#bytes.copy(larger, larger.length - used, this.#at)
    this.#at = larger.length - used
    this.#bytes = larger
  }
}
