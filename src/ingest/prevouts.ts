import { type Bytes, copyBytes, withView } from '#kernel/bytes.ts'
import { type OutputBatch, wordsOf } from './outputBatch.ts'
import { FoundOutput, PrevoutCache, WARM_ROWS } from './prevoutCache.ts'
import type { Chunk, ScriptRoom } from './rows/chunk.ts'
import type { OutputSpill } from './spill/outputSpill.ts'

/** Outputs that the engine found for the inputs that memory did not know; entry i answers `wanted[i]`. */
export type FoundPrevouts = {
  readonly isFound: Uint8Array
  readonly valueWords: Uint32Array
  readonly scriptType: Uint8Array
  readonly height: Uint32Array
  readonly timeS: Uint32Array
  /** Script i is `scripts.subarray(scriptStart[i], scriptEnd[i])`. */
  readonly scripts: Uint8Array
  readonly scriptStart: Uint32Array
  readonly scriptEnd: Uint32Array
  /** 0 where height and time are not known (given from outside). */
  readonly isPlaced: Uint8Array
}

/** Rows of the chunk's inputs that want a prevout; the outpoints stand in the chunk. */
export type FindPrevouts = (chunk: Chunk, wanted: Uint32Array) => Promise<FoundPrevouts>

/** A chunk whose inputs know what was found of them so far. */
export type Recalled = {
  readonly chunk: Chunk
  /** Rows of the inputs whose prevout is not known yet. */
  wanted: Uint32Array
  readonly prevouts: PrevoutColumns
}

/**
 * Fills in what each input of a chunk spends as far as memory knows it (its own outputs and the newest ones before it must
 * be there). `within` block: outputs of other blocks do not answer.
 */
export function recall(
  chunk: Chunk,
  memory: readonly PrevoutCache[],
  within: 'chain' | 'block' = 'chain',
): Recalled {
  const prevouts = new PrevoutColumns(chunk)
  return { chunk, wanted: fromMemory(chunk, memory, prevouts, within === 'block'), prevouts }
}

/** The same from what memory had no room for; the chunks want less afterwards. Returns how many were found. */
export function recallSpilled(spill: OutputSpill, recalled: readonly Recalled[]): number {
  let count = 0
  spill.find(recalled, (chunk, row, found) => {
    recalled[chunk]!.prevouts.put(row, found)
    count++
  })
  for (const one of recalled) {
    const { nulls } = one.chunk.inputs.prevValueSat
    one.wanted = one.wanted.filter(row => nulls[row] === 1)
  }
  return count
}

/** Fills in the rest; `found` answers `wanted`. Returns the rows that stay unknown. */
export function fillIn({ chunk, wanted, prevouts }: Recalled, found: FoundPrevouts | undefined): Uint32Array {
  const unknown = found === undefined ? wanted : fromFound(wanted, found, prevouts)
  // The chunk was laid out without prevouts: its script column takes shape here.
  Object.assign(chunk.inputs, { prevScript: prevouts.scripts.inOrder() })
  return unknown
}

/** A cache that holds all outputs of a chunk, and nothing else. */
export function cacheOf(chunk: Chunk): PrevoutCache {
  const { outputs, txs } = chunk
  const cache = new PrevoutCache(256 * (outputs.rowCount + txs.rowCount) + 4 * outputs.script.bytes.length, 0)
  cache.add(outputBatchOf(chunk))
  return cache
}

/** The outputs of a chunk in the form the cache takes. */
export const outputBatchOf = ({ txs, outputs, firstOutput }: Chunk): OutputBatch => ({
  txCount: txs.rowCount,
  txidWords: wordsOf(txs.txid),
  height: txs.height,
  timeS: txs.blockTime,
  firstOutput,
  valueWords: wordsOf(outputs.valueSat),
  scriptType: outputs.scriptType,
  // `outputRows` packs scripts as bytes and offsets.
  scripts: withView(outputs.script.bytes),
  scriptOffsets: outputs.script.offsets,
})

function fromMemory(
  { inputs }: Chunk,
  memory: readonly PrevoutCache[],
  prevouts: PrevoutColumns,
  isOwnBlockOnly: boolean,
): Uint32Array {
  const { rowCount, height, isCoinbase, prevVout } = inputs
  const words = wordsOf(inputs.prevTxid)
  const found = new FoundOutput()
  const wanted = new Uint32Array(rowCount)
  let wantedCount = 0
  for (let row = 0; row < rowCount; row++) {
    if (row % WARM_ROWS === 0)
      for (const cache of memory) cache.warm(words, prevVout, row, Math.min(WARM_ROWS, rowCount - row))
    if (isCoinbase[row] === 1) continue
    let isFound = false
    for (let i = 0; i < memory.length && !isFound; i++) {
      const cache = memory[i]!
      isFound =
        cache.find(words, row * 8, prevVout[row]!, found) && !(isOwnBlockOnly && found.height !== height[row])
      if (isFound) cache.spend(found)
    }
    if (isFound) prevouts.put(row, found)
    else wanted[wantedCount++] = row
  }
  return wanted.subarray(0, wantedCount)
}

function fromFound(wanted: Uint32Array, found: FoundPrevouts, prevouts: PrevoutColumns): Uint32Array {
  const one = new FoundOutput()
  one.scripts = withView(found.scripts)
  const unknown: number[] = []
  for (let i = 0; i < wanted.length; i++) {
    const row = wanted[i]!
    if (found.isFound[i] === 0) {
      unknown.push(row)
      continue
    }
    one.valueLow = found.valueWords[i * 2]!
    one.valueHigh = found.valueWords[i * 2 + 1]!
    one.scriptType = found.scriptType[i]!
    one.height = found.height[i]!
    one.timeS = found.timeS[i]!
    one.scriptStart = found.scriptStart[i]!
    one.scriptEnd = found.scriptEnd[i]!
    prevouts.put(row, one, found.isPlaced[i] === 1)
  }
  return Uint32Array.from(unknown)
}

/** The columns of a chunk's inputs that say what they spend. */
class PrevoutColumns {
  readonly scripts: ScriptStore
  readonly #inputs: Chunk['inputs']
  readonly #valueWords: Uint32Array

  constructor({ inputs, room }: Chunk) {
    this.scripts = new ScriptStore(room)
    this.#inputs = inputs
    this.#valueWords = wordsOf(inputs.prevValueSat.values)
  }

  /** `isPlaced`: whether height and time of the output are known. */
  put(row: number, found: FoundOutput, isPlaced = true): void {
    const { prevValueSat, prevScriptType, prevHeight, prevTime } = this.#inputs
    this.#valueWords[row * 2] = found.valueLow
    this.#valueWords[row * 2 + 1] = found.valueHigh
    prevValueSat.nulls[row] = 0
    prevScriptType.values[row] = found.scriptType
    prevScriptType.nulls[row] = 0
    if (isPlaced) {
      prevHeight.values[row] = found.height
      prevHeight.nulls[row] = 0
      prevTime.values[row] = found.timeS
      prevTime.nulls[row] = 0
    }
    this.scripts.put(row, found.scripts, found.scriptStart, found.scriptEnd)
  }
}

/** Scripts come in any order and leave in the order of rows. */
class ScriptStore {
  readonly #room: ScriptRoom
  #bytes: Bytes
  #used = 0
  #isInOrder = true
  #lastRow = -1

  constructor(room: ScriptRoom) {
    this.#room = room
    this.#bytes = withView(room.asTheyCome)
  }

  put(row: number, from: Bytes, start: number, end: number): void {
    const length = end - start
    const held = this.#bytes.u8
    if (this.#used + length > held.length) {
      const more = new Uint8Array(Math.max(held.length * 2, this.#used + length))
      more.set(held.subarray(0, this.#used))
      this.#bytes = withView(more)
    }
    this.#room.start[row] = this.#used
    this.#room.length[row] = length
    copyBytes(this.#bytes, this.#used, from, start, length)
    this.#used += length
    this.#isInOrder &&= row > this.#lastRow
    this.#lastRow = row
  }

  inOrder(): { bytes: Uint8Array; offsets: Uint32Array } {
    const { start, length, offsets, inOrder } = this.#room
    for (let row = 0; row < length.length; row++) offsets[row + 1] = offsets[row]! + length[row]!
    if (this.#isInOrder) return { bytes: this.#bytes.u8.subarray(0, this.#used), offsets }
    const bytes = this.#used <= inOrder.length ? inOrder : new Uint8Array(this.#used)
    const target = withView(bytes)
    for (let row = 0; row < length.length; row++)
      copyBytes(target, offsets[row]!, this.#bytes, start[row]!, length[row]!)
    return { bytes, offsets }
  }
}

const ownRoom = (count: number): ScriptRoom => ({
  start: new Uint32Array(count),
  length: new Uint32Array(count),
  offsets: new Uint32Array(count + 1),
  asTheyCome: new Uint8Array(0),
  inOrder: new Uint8Array(0),
})

/** Outputs given from outside, in the order of a block's inputs without the coinbase's. */
export type GivenPrevout = {
  readonly valueSat: bigint
  readonly script: Uint8Array
  readonly scriptType: number
}

/** Prevouts of lone blocks as their files give them, by height; height and time of the outputs stay unknown. */
export function findAmongGiven(given: ReadonlyMap<number, readonly GivenPrevout[]>): FindPrevouts {
  return async ({ inputs, firstTx, firstInput, placed }, wanted) => {
    const firstRow = new Map(placed.map(({ height }, block) => [height, firstInput[firstTx[block]!]!]))
    const count = wanted.length
    const isFound = new Uint8Array(count)
    const valueSat = new BigUint64Array(count)
    const scriptType = new Uint8Array(count)
    const store = new ScriptStore(ownRoom(count))
    for (let i = 0; i < count; i++) {
      const row = wanted[i]!
      const height = inputs.height[row]!
      // The first input is the coinbase's.
      const one = given.get(height)?.[row - firstRow.get(height)! - 1]
      if (one === undefined) continue
      isFound[i] = 1
      valueSat[i] = one.valueSat
      scriptType[i] = one.scriptType
      store.put(i, withView(one.script), 0, one.script.length)
    }
    const { bytes, offsets } = store.inOrder()
    return {
      isFound,
      valueWords: wordsOf(valueSat),
      scriptType,
      height: new Uint32Array(count),
      timeS: new Uint32Array(count),
      scripts: bytes,
      scriptStart: offsets.subarray(0, -1),
      scriptEnd: offsets.subarray(1),
      isPlaced: new Uint8Array(count),
    }
  }
}
