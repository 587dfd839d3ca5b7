import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { type Bytes, withView } from '#kernel/bytes.ts'
import { diskFull, isDiskFull } from '../errors.ts'
import { Run } from './run.ts'

/** A stretch of records that is read as one: small enough to be read for one outpoint. */
const BLOCK_WORDS = 4096
const BUFFER_WORDS = 2 ** 18

/**
 * Writes records in the order of their keys to a file without a name: whatever stops the process, the file goes with it.
 */
export class RunWriter {
  /** Where the record goes that `take` made room for; another array after each `take`. */
  words = new Uint32Array(BUFFER_WORDS)
  bytes: Bytes = withView(new Uint8Array(this.words.buffer))
  readonly #path: string
  readonly #fd: number
  readonly #firstKeys: number[] = []
  readonly #offsets: number[] = []
  readonly #firstOutputs: number[] = []
  #used = 0
  #writtenWords = 0
  #outputCount = 0

  /** @param path where a file may be made; its folder exists */
  constructor(path: string) {
    this.#path = path
    try {
      this.#fd = openSync(path, 'wx+', 0o600)
      unlinkSync(path)
    } catch (cause) {
      throw isDiskFull(cause) ? diskFull(path, cause) : cause
    }
  }

  /** Words written so far. */
  get wordCount(): number {
    return this.#writtenWords + this.#used
  }

  /** Makes room for the next record and returns where in `words` it begins. Its key is not below the one before. */
  take(key: number, wordCount: number, outputCount: number): number {
    if (this.#used + wordCount > this.words.length) this.#flush(wordCount)
    const offset = this.wordCount
    const blockStart = this.#offsets.at(-1)
    if (blockStart === undefined || offset - blockStart >= BLOCK_WORDS) {
      this.#firstKeys.push(key)
      this.#offsets.push(offset)
      this.#firstOutputs.push(this.#outputCount)
    }
    const at = this.#used
    this.#used += wordCount
    this.#outputCount += outputCount
    return at
  }

  /** The run of all records. The writer is done for. */
  finish(): Run {
    this.#flush(0)
    const blocks = {
      firstKeys: Uint32Array.from(this.#firstKeys),
      offsets: Uint32Array.from([...this.#offsets, this.#writtenWords]),
      firstOutputs: Uint32Array.from(this.#firstOutputs),
    }
    return new Run(this.#fd, blocks, this.#outputCount)
  }

  abandon(): void {
    closeSync(this.#fd)
  }

  #flush(needed: number): void {
    const end = this.#used * 4
    for (let at = 0; at < end; ) {
      try {
        at += writeSync(this.#fd, this.bytes.u8, at, end - at, this.#writtenWords * 4 + at)
      } catch (cause) {
        throw isDiskFull(cause) ? diskFull(this.#path, cause) : cause
      }
    }
    this.#writtenWords += this.#used
    this.#used = 0
    if (needed > this.words.length) {
      this.words = new Uint32Array(needed)
      this.bytes = withView(new Uint8Array(this.words.buffer))
    }
  }
}
