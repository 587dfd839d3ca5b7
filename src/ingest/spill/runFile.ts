import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** What is known of a run without reading its records. */
export type RunFacts = {
  /** No output in it was made above this height. */
  readonly maxHeight: number
  /** How many times its records were merged. */
  readonly level: number
  readonly outputCount: number
  /** Key of the first record of each block: a stretch of records that is read as one. */
  readonly firstKeys: Uint32Array
  /** Where each block begins, in words of four bytes; the last offset ends the last block. */
  readonly offsets: Uint32Array
  /** Number of the first output of each block, counted over the run. */
  readonly firstOutputs: Uint32Array
}

/*
 * A file of a run: records, then `firstKeys`, `offsets`, `firstOutputs`, then these words: checksum (CRC-32) of everything
 * behind the records but itself, number of blocks, number of outputs, highest height, level, magic. Words as the processor
 * has them: the file stays on the machine that wrote it.
 */
const TRAILER_WORDS = 6
/** "runA": the last letter changes with the form. */
const MAGIC = 0x416e7572

/** Name of a file that is not whole yet. */
export const partOf = (path: string): string => `${path}.part`

/** What stands behind the records. */
export function footerOf({
  maxHeight,
  level,
  outputCount,
  firstKeys,
  offsets,
  firstOutputs,
}: RunFacts): Uint8Array {
  const blockCount = firstKeys.length
  const words = new Uint32Array(3 * blockCount + 1 + TRAILER_WORDS)
  words.set(firstKeys)
  words.set(offsets, blockCount)
  words.set(firstOutputs, 2 * blockCount + 1)
  const trailer = words.length - TRAILER_WORDS
  words.set([0, blockCount, outputCount, maxHeight, level, MAGIC], trailer)
  words[trailer] = checksumOf(words, trailer)
  return new Uint8Array(words.buffer)
}

/** Opens a run's file and reads what stands behind its records; undefined where it is not the whole file of a run. */
export function openRunFile(path: string): { fd: number; facts: RunFacts } | undefined {
  const fd = openSync(path, 'r')
  const facts = readFooter(fd)
  if (facts === undefined) closeSync(fd)
  return facts && { fd, facts }
}

function readFooter(fd: number): RunFacts | undefined {
  const size = fstatSync(fd).size
  if (size % 4 !== 0 || size < 4 * TRAILER_WORDS) return undefined
  const [, blockCount, outputCount, maxHeight, level, magic] = readWords(
    fd,
    size - 4 * TRAILER_WORDS,
    TRAILER_WORDS,
  )
  const footerWords = 3 * blockCount! + 1 + TRAILER_WORDS
  if (magic !== MAGIC || footerWords * 4 > size) return undefined
  const words = readWords(fd, size - 4 * footerWords, footerWords)
  const trailer = footerWords - TRAILER_WORDS
  if (words[trailer] !== checksumOf(words, trailer)) return undefined
  const offsets = words.slice(blockCount, 2 * blockCount! + 1)
  if (offsets.at(-1)! * 4 !== size - 4 * footerWords) return undefined
  return {
    maxHeight: maxHeight!,
    level: level!,
    outputCount: outputCount!,
    firstKeys: words.slice(0, blockCount),
    offsets,
    firstOutputs: words.slice(2 * blockCount! + 1, trailer),
  }
}

/** Closes and removes the file of a run, whether it is whole or not. */
export function discard(path: string, fd: number): void {
  closeSync(fd)
  rmSync(path, { force: true })
  rmSync(partOf(path), { force: true })
}

function readWords(fd: number, position: number, count: number): Uint32Array {
  const words = new Uint32Array(count)
  readSync(fd, words, 0, count * 4, position)
  return words
}

function checksumOf(words: Uint32Array, trailer: number): number {
  const bytes = new Uint8Array(words.buffer)
  return crc32(bytes.subarray(4 * (trailer + 1)), crc32(bytes.subarray(0, 4 * trailer)))
}
