import { type BlockRef, NodeError } from '#chains/bitcoin/node/index.ts'
import type { IngestError } from './errors.ts'
import { assignFees } from './fees.ts'
import { type FindInEngineOptions, findInEngine } from './findInEngine.ts'
import type { Group } from './groups.ts'
import { assignMedianTimes, type RecentTimes } from './medianTimes.ts'
import {
  cacheOf,
  type FoundPrevouts,
  fillIn,
  outputBatchOf,
  type Recalled,
  recall,
  recallSpilled,
} from './prevouts.ts'
import { blockBytes, type Chunk, type PlacedBlock, type RefusedBlock } from './rows/chunk.ts'
import type { Run, RunDeps, RunEnd } from './run.ts'

/** What a run knows about the blocks behind it. */
export type RunState = {
  tip: BlockRef | undefined
  recent: RecentTimes | undefined
  isComplete: boolean
}

/** A group on its way: its inputs know what memory knew, and wait for the engine to be asked for the rest. */
export type Prepared = {
  readonly group: Group
  /** Blocks that were refused or that follow one. */
  readonly without: Set<number>
  readonly recalled: Recalled
  /** Number of its first transaction, as the cache counts. */
  readonly firstTx: number
  /** How the run ends with this group; `done` where it goes on. */
  readonly end: RunEnd
}

/**
 * Checks a group as far as it goes without other blocks' outputs, and finds what memory knows. Blocks that fail are
 * recorded and left out; where the run ends at a refused block, everything behind it is left out too.
 */
export async function prepare(
  deps: RunDeps,
  run: Run,
  state: RunState,
  group: Group,
  decoding: Promise<Chunk>,
): Promise<Prepared> {
  const without = new Set<number>()
  let end: RunEnd = { type: 'done' }
  let chunk = await decoding
  // One block after the other: behind the first that ends the run nothing is judged any more.
  for (const block of chunk.refused)
    if (!without.has(block.index)) end = await refuse(deps, run, group, without, chunk, block)
  const broken = firstBrokenLink(run, state, group, chunk, without)
  if (broken) {
    cutFrom(group, without, broken.index)
    end = { type: 'moved', height: broken.height }
  }
  if (chunk.placed.some(({ index }) => without.has(index)))
    chunk = await decodeAgain(deps, group, chunk, without)
  const last = chunk.placed.at(-1)
  if (last) state.tip = { height: last.height, hash: last.hash }
  return { group, without, end, ...recallAll(deps, chunk) }
}

/** The same without the blocks that were found to be wrong since. */
export async function prepareAgain(deps: RunDeps, prepared: Prepared): Promise<Prepared> {
  const { group, without, recalled } = prepared
  return { ...prepared, ...recallAll(deps, await decodeAgain(deps, group, recalled.chunk, without)) }
}

function recallAll({ cache }: RunDeps, chunk: Chunk): Pick<Prepared, 'recalled' | 'firstTx'> {
  const firstTx = cache.addedCount
  cache.add(outputBatchOf(chunk))
  // A chunk that the cache cannot hold whole is held apart: the engine does not know it yet.
  const memory = cache.wholeFrom <= firstTx ? [cache] : [cache, cacheOf(chunk)]
  return { recalled: recall(chunk, memory), firstTx }
}

/** Searches the spill, then asks the engine, each in one go, for what memory did not know. */
export async function findRest(
  { warehouse, batches, lookup, spill, olderFound }: RunDeps,
  run: Run,
  waiting: readonly Prepared[],
  beforeEngine: () => Promise<void>,
): Promise<FoundPrevouts[]> {
  const recalled = waiting.map(one => one.recalled)
  olderFound.inSpill += recallSpilled(spill, recalled)
  if (recalled.every(({ wanted }) => wanted.length === 0)) return []
  await beforeEngine()
  const givesWay = new Set(run.replaces.map(({ batch }) => batch))
  const options: FindInEngineOptions = {
    isVisible: batch => batches.isLive(batch) && !givesWay.has(batch),
    ...lookup,
  }
  const found = await findInEngine(warehouse, recalled, options)
  for (const { isFound } of found) for (const one of isFound) olderFound.inEngine += one
  return found
}

/** Completes a group by what was found: prevouts, fees, median times. Returns the first block that they prove wrong. */
export function complete(
  state: RunState,
  { recalled, without }: Prepared,
  found: FoundPrevouts | undefined,
): RefusedBlock | undefined {
  const { chunk } = recalled
  const unknown = fillIn(recalled, found)
  const wrong = assignFees(chunk)
  const failed = unknownSpend(state, chunk, without, unknown, wrong) ?? firstOf(chunk, wrong)
  if (failed) return failed
  state.recent = assignMedianTimes(chunk, state.recent)
  if (without.size > 0) state.isComplete = false
  return undefined
}

/** Keeps a refused block and leaves it out; says how the run ends with it. */
export async function refuse(
  deps: RunDeps,
  run: Run,
  group: Group,
  without: Set<number>,
  chunk: Chunk,
  block: RefusedBlock,
): Promise<RunEnd> {
  await deps.refusals.record(block, blockBytes(chunk, block.index), run.origin)
  if (run.atRefused === 'skip') {
    without.add(block.index)
    return { type: 'done' }
  }
  cutFrom(group, without, block.index)
  return { type: 'refused', block }
}

function cutFrom(group: Group, without: Set<number>, index: number): void {
  for (let i = index; i < group.refs.length; i++) without.add(i)
}

function decodeAgain(
  deps: RunDeps,
  group: Group,
  chunk: Chunk,
  without: ReadonlySet<number>,
): Promise<Chunk> {
  const { bytes, offsets, memory } = chunk
  const heights = Int32Array.from(group.refs, ({ height }) => height)
  const { network, checksWork } = deps
  return deps.pool.decode({ bytes, offsets, heights, network, checksWork, memory, without: [...without] })
}

/**
 * The first block that does not follow the one before it. A source that hands out other blocks than it named is not
 * believed at all; one whose chain changed between two answers is asked again.
 */
function firstBrokenLink(
  run: Run,
  state: RunState,
  group: Group,
  chunk: Chunk,
  without: ReadonlySet<number>,
): PlacedBlock | undefined {
  let before = state.tip
  let isFirst = true
  for (const block of chunk.placed) {
    if (without.has(block.index)) continue
    const named = group.refs[block.index]!
    if (block.hash !== named.hash)
      throw new NodeError(
        'node.lied',
        `${run.sourceName} gave block ${block.hash} where it had named ${named.hash}.`,
        {
          hint: 'Nothing was stored. Try another node.',
          facts: { height: block.height },
        },
      )
    if (before && before.height === block.height - 1 && before.hash !== block.prevHash) {
      if (isFirst && before === run.before)
        throw new NodeError(
          'node.lied',
          `${run.sourceName} gave block ${block.hash} for height ${block.height}, which does not follow ${before.hash}, its own block below.`,
          { hint: 'It was not stored. If its chain has just changed, the next question settles it.' },
        )
      return block
    }
    before = block
    isFirst = false
  }
  return undefined
}

/** The first block that spends what nobody made, where everything is held that could have made it. */
function unknownSpend(
  state: RunState,
  chunk: Chunk,
  without: ReadonlySet<number>,
  unknown: Uint32Array,
  wrong: ReadonlyMap<number, unknown>,
): RefusedBlock | undefined {
  const [row] = unknown
  if (row === undefined) return undefined
  const position = blockOfInput(chunk, row)
  const { index, height, hash } = chunk.placed[position]!
  const isComplete = state.isComplete && ![...without].some(one => one < index)
  if (!isComplete || [...wrong.keys()].some(other => other < position)) return undefined
  const outpoint = `${hexAt(chunk.inputs.prevTxid, row)}:${chunk.inputs.prevVout[row]}`
  const reason = `Block ${hash} spends ${outpoint}, which no block below it made.`
  return { index, height, hash, code: 'ingest.missing_prevout', reason }
}

function firstOf(chunk: Chunk, wrong: ReadonlyMap<number, IngestError>): RefusedBlock | undefined {
  const first = Math.min(...wrong.keys())
  const error = wrong.get(first)
  if (error === undefined) return undefined
  const { index, height, hash } = chunk.placed[first]!
  return { index, height, hash, code: error.code, reason: error.message }
}

function blockOfInput({ firstTx, firstInput }: Chunk, row: number): number {
  let block = 0
  while (firstInput[firstTx[block + 1]!]! <= row) block++
  return block
}

const hexAt = (hashes: Uint8Array, row: number): string =>
  Buffer.from(hashes.subarray(row * 32, row * 32 + 32)).toString('hex')
