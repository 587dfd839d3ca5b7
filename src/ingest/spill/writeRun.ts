import { copyBytes } from '#kernel/bytes.ts'
import {
  FIRST_OUTPUT,
  GONE,
  HEIGHT,
  type Leaving,
  OUTPUT_WORDS,
  RECORD,
  SCRIPT_END,
  TIME,
  TX_WORDS,
  TYPE,
  TYPE_AND_LENGTH,
} from './layout.ts'
import type { Run } from './run.ts'
import { RunWriter } from './runWriter.ts'

/** What so many transactions take fits into the nearer caches of a processor. */
const WARM_TXS = 256

/** Writes what leaves the cache as a run. @throws IngestError `ingest.disk_full` */
export function writeRun(leaving: Leaving, path: string): Run {
  const order = livingByKey(leaving)
  let maxHeight = 0
  for (let i = 0; i < order.length; i += 2)
    maxHeight = Math.max(maxHeight, leaving.txs[order[i]! * TX_WORDS + HEIGHT]!)
  const writer = new RunWriter(path)
  try {
    for (let i = 0; i < order.length; i += 2) {
      if (i % (2 * WARM_TXS) === 0) warm(leaving, order.subarray(i, i + 2 * WARM_TXS))
      writeRecord(leaving, order[i]!, writer)
    }
    return writer.finish({ maxHeight, level: 0 })
  } catch (thrown) {
    writer.abandon()
    throw thrown
  }
}

/** Transactions with something to spend in the order of their keys: pairs of position and key. */
function livingByKey({ txs, outputs, txCount }: Leaving): Uint32Array {
  // A key above, a position below: sorted as one number, which needs no comparisons in script.
  const order = new BigUint64Array(txCount)
  const halves = new Uint32Array(order.buffer)
  let count = 0
  for (let tx = 0; tx < txCount; tx++) {
    const at = tx * TX_WORDS
    const end = txs[at + TX_WORDS + FIRST_OUTPUT]!
    let output = txs[at + FIRST_OUTPUT]!
    while (output < end && outputs[output * OUTPUT_WORDS + TYPE] === GONE) output++
    if (output === end) continue
    halves[count * 2] = tx
    halves[count * 2 + 1] = txs[at]!
    count++
  }
  order.subarray(0, count).sort()
  return halves.subarray(0, count * 2)
}

/**
 * Brings what `writeRecord` will read into the processor's caches: the loads of many transactions wait for memory side by
 * side. Returns a sum that means nothing.
 */
function warm({ txs, outputs, scripts }: Leaving, order: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < order.length; i += 2) sum ^= txs[order[i]! * TX_WORDS]!
  for (let i = 0; i < order.length; i += 2)
    sum ^= outputs[txs[order[i]! * TX_WORDS + FIRST_OUTPUT]! * OUTPUT_WORDS]!
  for (let i = 0; i < order.length; i += 2)
    sum ^= scripts.u8[outputs[txs[order[i]! * TX_WORDS + FIRST_OUTPUT]! * OUTPUT_WORDS + SCRIPT_END]!]!
  return sum
}

function writeRecord({ txs, outputs, scripts }: Leaving, tx: number, writer: RunWriter): void {
  const from = tx * TX_WORDS
  const first = txs[from + FIRST_OUTPUT]!
  const end = txs[from + TX_WORDS + FIRST_OUTPUT]!
  const firstScript = first === 0 ? 0 : outputs[(first - 1) * OUTPUT_WORDS + SCRIPT_END]!
  let living = 0
  let scriptBytes = 0
  let start = firstScript
  for (let at = first * OUTPUT_WORDS; at < end * OUTPUT_WORDS; at += OUTPUT_WORDS) {
    const stop = outputs[at + SCRIPT_END]!
    if (outputs[at + TYPE] !== GONE) {
      living++
      scriptBytes += stop - start
    }
    start = stop
  }
  const wordCount = RECORD.outputs + living * OUTPUT_WORDS + ((scriptBytes + 3) >>> 2)
  const record = writer.take(txs[from]!, wordCount, living)
  const { words, bytes } = writer
  words[record + RECORD.words] = wordCount
  for (let word = 0; word < 8; word++) words[record + RECORD.txid + word] = txs[from + word]!
  words[record + RECORD.height] = txs[from + HEIGHT]!
  words[record + RECORD.timeS] = txs[from + TIME]!
  words[record + RECORD.outputCount] = living
  let to = record + RECORD.outputs
  let toScript = 4 * (to + living * OUTPUT_WORDS)
  start = firstScript
  for (let output = first; output < end; output++) {
    const at = output * OUTPUT_WORDS
    const stop = outputs[at + SCRIPT_END]!
    const type = outputs[at + TYPE]!
    if (type !== GONE) {
      words[to] = output - first
      words[to + 1] = outputs[at]!
      words[to + 2] = outputs[at + 1]!
      words[to + TYPE_AND_LENGTH] = (type << 24) | (stop - start)
      copyBytes(bytes, toScript, scripts, start, stop - start)
      toScript += stop - start
      to += OUTPUT_WORDS
    }
    start = stop
  }
}
