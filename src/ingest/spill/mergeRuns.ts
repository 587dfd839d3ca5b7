import { setImmediate as turn } from 'node:timers/promises'
import { FoundOutput } from '../prevoutCache.ts'
import { lengthOf, OUTPUT_WORDS, RECORD, TYPE_AND_LENGTH } from './layout.ts'
import { ReadRoom, type Run } from './run.ts'
import { RunWriter } from './runWriter.ts'

/** Records between two looks at what else there is to do: about a millisecond. */
const RECORDS_A_TURN = 4096

/**
 * One run of what is left of several, the newest first. What is found in them meanwhile is found again in the new one.
 * @throws the signal's reason, having removed what it wrote
 */
export async function mergeRuns(runs: readonly Run[], path: string, signal: AbortSignal): Promise<Run> {
  const writer = new RunWriter(path)
  try {
    const readers = runs.map(run => new RunReader(run))
    let open = readers.filter(reader => reader.next())
    for (let count = 1; open.length > 0; count++) {
      // Of equal keys the newest run's first, as a search would find them.
      let first = open[0]!
      for (const reader of open) if (reader.key < first.key) first = reader
      copyLiving(first, writer)
      if (!first.next()) open = open.filter(reader => reader !== first)
      if (count % RECORDS_A_TURN === 0) {
        await turn()
        signal.throwIfAborted()
      }
    }
    const facts = runs.map(run => run.facts)
    return writer.finish({
      maxHeight: Math.max(...facts.map(({ maxHeight }) => maxHeight)),
      level: 1 + Math.max(...facts.map(({ level }) => level)),
    })
  } catch (thrown) {
    writer.abandon()
    throw thrown
  }
}

/** Reads a run's records one after the other. */
class RunReader {
  key = 0
  /** Where the record lies in the words of `room`, and the number of its first output in the run. */
  record = 0
  firstOutput = 0
  readonly run: Run
  readonly room = new ReadRoom(new FoundOutput())
  #block = 0
  #end = 0

  constructor(run: Run) {
    this.run = run
  }

  /** Goes to the next record; false where there is none. */
  next(): boolean {
    const { words } = this.room
    if (this.#end > 0) {
      this.firstOutput += words[this.record + RECORD.outputCount]!
      this.record += words[this.record + RECORD.words]!
    }
    if (this.record >= this.#end && !this.#read()) return false
    this.key = this.room.words[this.record + RECORD.txid]!
    return true
  }

  #read(): boolean {
    const { offsets, firstOutputs, firstKeys } = this.run.facts
    if (this.#block >= firstKeys.length) return false
    const start = this.#block
    let end = start + 1
    while (end < firstKeys.length && offsets[end + 1]! - offsets[start]! <= MERGE_READ_WORDS) end++
    this.room.read(this.run.fd, offsets[start]!, offsets[end]!)
    this.record = 0
    this.firstOutput = firstOutputs[start]!
    this.#end = offsets[end]! - offsets[start]!
    this.#block = end
    return true
  }
}

const MERGE_READ_WORDS = 2 ** 16

/** Copies a record without the outputs that are gone; nothing where none is left. */
function copyLiving({ run, room, record, firstOutput }: RunReader, writer: RunWriter): void {
  const { words, bytes } = room
  const count = words[record + RECORD.outputCount]!
  const isGone = (i: number): boolean =>
    (run.gone[(firstOutput + i) >>> 3]! & (1 << ((firstOutput + i) & 7))) !== 0
  let living = 0
  let scriptBytes = 0
  for (let i = 0; i < count; i++)
    if (!isGone(i)) {
      living++
      scriptBytes += lengthOf(words[record + RECORD.outputs + i * OUTPUT_WORDS + TYPE_AND_LENGTH]!)
    }
  if (living === 0) return
  const wordCount = RECORD.outputs + living * OUTPUT_WORDS + Math.ceil(scriptBytes / 4)
  const at = writer.take(words[record + RECORD.txid]!, wordCount, living)
  const { words: to, bytes: toBytes } = writer
  to[at + RECORD.words] = wordCount
  for (let word = RECORD.txid; word < RECORD.outputCount; word++) to[at + word] = words[record + word]!
  to[at + RECORD.outputCount] = living
  let output = at + RECORD.outputs
  let script = 4 * (record + RECORD.outputs + count * OUTPUT_WORDS)
  let toScript = 4 * (output + living * OUTPUT_WORDS)
  for (let i = 0; i < count; i++) {
    const from = record + RECORD.outputs + i * OUTPUT_WORDS
    const length = lengthOf(words[from + TYPE_AND_LENGTH]!)
    if (!isGone(i)) {
      for (let word = 0; word < OUTPUT_WORDS; word++) to[output + word] = words[from + word]!
      toBytes.u8.set(bytes.u8.subarray(script, script + length), toScript)
      output += OUTPUT_WORDS
      toScript += length
    }
    script += length
  }
}
