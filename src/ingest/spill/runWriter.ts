import { openSync, writeSync } from 'node:fs'
import { type Bytes, withView } from '#kernel/bytes.ts'
import { diskFull, isDiskFull } from '../errors.ts'
import { Run } from './run.ts'
import { discard, footerOf, partOf, type RunFacts } from './runFile.ts'

/** A stretch of records that is read as one: small enough to be read for one outpoint. */
const BLOCK_WORDS = 4096
const BUFFER_WORDS = 2 ** 18

/** Writes records in the order of their keys. The file gets its name once it has reached the disk whole. */
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

  /** @param path of the run to be; its folder exists */
  constructor(path: string) {
    this.#path = path
    try {
      this.#fd = openSync(partOf(path), 'wx+', 0o600)
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
  finish(facts: Pick<RunFacts, 'maxHeight' | 'level'>): Run {
    this.#flush(0)
    const run = new Run(this.#path, this.#fd, {
      ...facts,
      outputCount: this.#outputCount,
      firstKeys: Uint32Array.from(this.#firstKeys),
      offsets: Uint32Array.from([...this.#offsets, this.#writtenWords]),
      firstOutputs: Uint32Array.from(this.#firstOutputs),
    })
    this.#write(footerOf(run.facts))
    return run
  }

  abandon(): void {
    discard(this.#path, this.#fd)
  }

  #flush(needed: number): void {
    this.#write(this.bytes.u8.subarray(0, this.#used * 4))
    this.#writtenWords += this.#used
    this.#used = 0
    if (needed > this.words.length) {
      this.words = new Uint32Array(needed)
      this.bytes = withView(new Uint8Array(this.words.buffer))
    }
  }

  /** Appends to what was written. */
  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; )
      try {
        at += writeSync(this.#fd, bytes, at, bytes.length - at, this.#writtenWords * 4 + at)
      } catch (cause) {
        throw isDiskFull(cause) ? diskFull(this.#path, cause) : cause
      }
  }
}
