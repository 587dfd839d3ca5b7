import { closeSync, existsSync, fdatasync, readSync, renameSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Bytes, withView } from '#kernel/bytes.ts'
import type { FoundOutput } from '../prevoutCache.ts'
import { lengthOf, OUTPUT_WORDS, RECORD, TYPE_AND_LENGTH, typeOf } from './layout.ts'
import { discard, partOf, type RunFacts } from './runFile.ts'
import type { Wanted } from './wanted.ts'

/** Blocks this close together are read as one: a longer read costs less than one more. */
const GAP_WORDS = 2 ** 13
/** As much is read at once, unless the records of one key are more. */
const READ_WORDS = 2 ** 18

/** Records in the order of their keys, on disk; in memory where every few kilobytes of them begin. */
export class Run {
  readonly path: string
  readonly fd: number
  readonly facts: RunFacts
  /** One bit an output: it was found, and nobody will ask for it again. */
  readonly gone: Uint8Array
  #isRemoved = false
  #keeping: Promise<void> | undefined

  constructor(path: string, fd: number, facts: RunFacts) {
    this.path = path
    this.fd = fd
    this.facts = facts
    this.gone = new Uint8Array(Math.ceil(facts.outputCount / 8))
  }

  /** Once it has reached the disk it is there after a stop too. */
  keep(): Promise<void> {
    this.#keeping ??= promisify(fdatasync)(this.fd).then(() => {
      if (!this.#isRemoved && existsSync(partOf(this.path))) renameSync(partOf(this.path), this.path)
    })
    return this.#keeping
  }

  /** Closes it; it stays on disk as far as it was kept. */
  async close(): Promise<void> {
    await this.#keeping?.catch(() => {})
    if (!this.#isRemoved) closeSync(this.fd)
  }

  async remove(): Promise<void> {
    this.#isRemoved = true
    // A file that is being written out must not be closed.
    await this.#keeping?.catch(() => {})
    discard(this.path, this.fd)
  }

  /** Finds what it holds of what is still open; `onFound` gets the place of each and what was found. */
  search(wanted: Wanted, room: ReadRoom, onFound: (place: number) => void): void {
    const { firstKeys, offsets } = this.facts
    const { keys, openCount } = wanted
    const blockCount = firstKeys.length
    if (blockCount === 0) return
    let from = 0
    for (let i = 0; i < openCount; ) {
      const key = keys[wanted.open[i]!]!
      const start = lastBelow(firstKeys, key, from)
      let end = firstAbove(firstKeys, key, start)
      let j = i + 1
      if (end === start) {
        // The run begins above it.
        i = j
        continue
      }
      for (; j < openCount; j++) {
        const next = keys[wanted.open[j]!]!
        const nextStart = lastBelow(firstKeys, next, end - 1)
        const nextEnd = firstAbove(firstKeys, next, nextStart)
        if (nextEnd === end) continue
        if (offsets[nextStart]! > offsets[end]! + GAP_WORDS) break
        if (offsets[nextEnd]! - offsets[start]! > READ_WORDS) break
        end = nextEnd
      }
      room.read(this.fd, offsets[start]!, offsets[end]!)
      this.#searchRead(wanted, i, j, start, end, room, onFound)
      from = end - 1
      i = j
    }
  }

  /** Searches blocks that were read for the open outpoints from `i` to `end`. */
  #searchRead(
    wanted: Wanted,
    i: number,
    end: number,
    firstBlock: number,
    endBlock: number,
    room: ReadRoom,
    onFound: (place: number) => void,
  ): void {
    const { firstKeys, offsets, firstOutputs } = this.facts
    const { keys, open } = wanted
    const { words } = room
    const base = offsets[firstBlock]!
    let at = i
    for (let block = firstBlock; block < endBlock && at < end; block++) {
      // Where the next block begins below the key, this one cannot hold it.
      if (block + 1 < endBlock && firstKeys[block + 1]! < keys[open[at]!]!) continue
      const stop = offsets[block + 1]! - base
      let output = firstOutputs[block]!
      for (let record = offsets[block]! - base; record < stop; record += words[record]!) {
        if (words[record]! < RECORD.outputs) throw damaged()
        const key = words[record + RECORD.txid]!
        while (at < end && keys[open[at]!]! < key) at++
        if (at === end) return
        for (let one = at; one < end && keys[open[one]!] === key; one++)
          this.#match(wanted, open[one]!, record, output, room, onFound)
        output += words[record + RECORD.outputCount]!
      }
    }
  }

  #match(
    wanted: Wanted,
    place: number,
    record: number,
    firstOutput: number,
    { words, bytes, found }: ReadRoom,
    onFound: (place: number) => void,
  ): void {
    if (wanted.isAnswered[place] === 1) return
    for (let word = 0; word < 8; word++)
      if (words[record + RECORD.txid + word] !== wanted.txids[place * 8 + word]) return
    const count = words[record + RECORD.outputCount]!
    const vout = wanted.vouts[place]!
    let at = record + RECORD.outputs
    let script = 4 * (at + count * OUTPUT_WORDS)
    for (let i = 0; i < count; i++, at += OUTPUT_WORDS) {
      const typeAndLength = words[at + TYPE_AND_LENGTH]!
      const length = lengthOf(typeAndLength)
      if (words[at] === vout) {
        found.valueLow = words[at + 1]!
        found.valueHigh = words[at + 2]!
        found.scriptType = typeOf(typeAndLength)
        found.height = words[record + RECORD.height]!
        found.timeS = words[record + RECORD.timeS]!
        found.scripts = bytes
        found.scriptStart = script
        found.scriptEnd = script + length
        const output = firstOutput + i
        this.gone[output >>> 3]! |= 1 << (output & 7)
        wanted.isAnswered[place] = 1
        onFound(place)
        return
      }
      script += length
    }
  }
}

const damaged = (): Error => new Error('A file of older outputs is damaged.')

/** Memory that stretches of runs are read into, and where the last one found lies. */
export class ReadRoom {
  words = new Uint32Array(READ_WORDS)
  bytes: Bytes = withView(new Uint8Array(this.words.buffer))
  readonly found: FoundOutput

  constructor(found: FoundOutput) {
    this.found = found
  }

  /** Reads the words from `start` to `end` of a file to the front. @throws Error where the file is shorter */
  read(fd: number, start: number, end: number): void {
    if (end - start > this.words.length) {
      this.words = new Uint32Array(end - start)
      this.bytes = withView(new Uint8Array(this.words.buffer))
    }
    const length = (end - start) * 4
    for (let at = 0; at < length; ) {
      const count = readSync(fd, this.bytes.u8, at, length - at, start * 4 + at)
      if (count === 0) throw damaged()
      at += count
    }
  }
}

/** The last block from `from` on that begins below the key; `from` where none does. */
const lastBelow = (firstKeys: Uint32Array, key: number, from: number): number =>
  Math.max(from, firstAtLeast(firstKeys, key, from) - 1)

/** The first block from `from` on that begins above the key; the number of blocks where none does. */
const firstAbove = (firstKeys: Uint32Array, key: number, from: number): number =>
  firstAtLeast(firstKeys, key + 1, from)

/** In steps that double, then by halves: it is mostly near. */
function firstAtLeast(firstKeys: Uint32Array, key: number, from: number): number {
  const { length } = firstKeys
  let low = from
  let stride = 1
  while (low + stride < length && firstKeys[low + stride]! < key) {
    low += stride
    stride *= 2
  }
  let high = Math.min(length, low + stride)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (firstKeys[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}
