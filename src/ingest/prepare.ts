import { type BlockRef, NodeError } from '#chains/bitcoin/node/index.ts'
import type { Batch } from './batchLog.ts'
import { assignFees } from './fees.ts'
import { findInEngine } from './findInEngine.ts'
import type { Group } from './groups.ts'
import { assignMedianTimes, type RecentTimes } from './medianTimes.ts'
import { assignPrevouts, cacheOf, outputBatchOf } from './prevouts.ts'
import { blockBytes, type Chunk, type PlacedBlock, type RefusedBlock } from './rows/chunk.ts'
import type { Run, RunDeps, RunEnd } from './run.ts'

/** What a run knows about the blocks behind it. */
export type RunState = {
  tip: BlockRef | undefined
  recent: RecentTimes | undefined
  isComplete: boolean
  /** Number of the first transaction of the last group, as the cache counts. */
  firstOfLast: number
}

export type ToPrepare = {
  readonly group: Group
  readonly decoding: Promise<Chunk>
  /** Batches that give way to this group: their outputs do not answer. */
  readonly replaces: readonly Batch[]
  /** Settles when the group before is committed. */
  readonly written: Promise<void>
}

/**
 * Completes a group: checks links, finds prevouts, sums fees. Blocks that fail are recorded and left out, and the group is
 * done again without them; where the run ends at a refused block, everything behind it is left out too.
 */
export async function prepare(
  deps: RunDeps,
  run: Run,
  state: RunState,
  todo: ToPrepare,
): Promise<{ chunk: Chunk; end: RunEnd }> {
  const { group } = todo
  const without = new Set<number>()
  let end: RunEnd = { type: 'done' }
  let chunk = await todo.decoding

  const refuse = async (block: RefusedBlock): Promise<void> => {
    await deps.refusals.record(block, blockBytes(chunk, block.index), run.origin)
    if (run.atRefused === 'skip') without.add(block.index)
    else {
      cutFrom(block.index)
      end = { type: 'refused', block }
    }
  }
  const cutFrom = (index: number): void => {
    for (let i = index; i < group.refs.length; i++) without.add(i)
  }

  // One block after the other: behind the first that ends the run nothing is judged any more.
  for (const block of chunk.refused) if (!without.has(block.index)) await refuse(block)
  const broken = firstBrokenLink(run, state, group, chunk, without)
  if (broken) {
    cutFrom(broken.index)
    end = { type: 'moved', height: broken.height }
  }
  while (true) {
    if (chunk.placed.some(({ index }) => without.has(index)))
      chunk = await decodeAgain(deps, group, chunk, without)
    const failed = chunk.placed.length === 0 ? undefined : await complete(deps, state, chunk, todo, without)
    if (failed === undefined) break
    // What the failed block made must not answer for others.
    deps.cache.clear()
    await todo.written
    await refuse(failed)
  }

  const last = chunk.placed.at(-1)
  if (last) state.tip = { height: last.height, hash: last.hash }
  state.recent = assignMedianTimes(chunk, state.recent)
  if (without.size > 0) state.isComplete = false
  return { chunk, end }
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
          hint: 'Nothing of it was stored. Ask another node.',
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

/** Finds prevouts and sums fees; returns the first block that they prove wrong. */
async function complete(
  deps: RunDeps,
  state: RunState,
  chunk: Chunk,
  todo: ToPrepare,
  without: ReadonlySet<number>,
): Promise<RefusedBlock | undefined> {
  const { cache, batches, warehouse } = deps
  const firstOfThis = cache.addedCount
  const givesWay = new Set(todo.replaces.map(({ batch }) => batch))
  const inEngine = findInEngine(warehouse, {
    isVisible: batch => batches.isLive(batch) && !givesWay.has(batch),
    ...deps.lookup,
  })
  cache.add(outputBatchOf(chunk))
  // A chunk that the cache cannot hold whole is held apart: the engine does not know it yet.
  const memory = cache.wholeFrom <= firstOfThis ? [cache] : [cache, cacheOf(chunk)]
  const unknown = await assignPrevouts(chunk, memory, async (wanting, wanted) => {
    // The group before may not be in the engine yet: it must still be whole in memory, or be waited for.
    const isHeld = cache.wholeFrom <= state.firstOfLast
    if (!isHeld) await todo.written
    return inEngine(wanting, wanted)
  })
  state.firstOfLast = firstOfThis
  const wrong = assignFees(chunk)
  for (const row of unknown) {
    const position = blockOfInput(chunk, row)
    const { index, height, hash } = chunk.placed[position]!
    const isComplete = state.isComplete && ![...without].some(one => one < index)
    if (!isComplete) break
    const outpoint = `${hexAt(chunk.inputs.prevTxid, row)}:${chunk.inputs.prevVout[row]}`
    const reason = `Block ${hash} spends ${outpoint}, which no block below it made.`
    if ([...wrong.keys()].every(other => other >= position))
      return { index, height, hash, code: 'ingest.missing_prevout', reason }
    break
  }
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
