import type { BlockRef, RawBlock } from '#chains/bitcoin/node/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { Batch, BatchLog } from './batchLog.ts'
import type { DecodePool } from './decodePool.ts'
import type { FindInEngineOptions } from './findInEngine.ts'
import { type Group, type GroupLimits, groupBlocks } from './groups.ts'
import type { RecentTimes } from './medianTimes.ts'
import { planBatches } from './planBatches.ts'
import { prepare, type RunState } from './prepare.ts'
import type { PrevoutCache } from './prevoutCache.ts'
import type { Refusals } from './refusals.ts'
import { forgetStaleBlocks, removeBatches } from './removeBatches.ts'
import { type Chunk, type RefusedBlock, rowCountOf } from './rows/chunk.ts'
import { writeChunk } from './writeChunk.ts'

export type RunDeps = {
  readonly warehouse: Warehouse
  readonly batches: BatchLog
  readonly cache: PrevoutCache
  readonly pool: DecodePool
  readonly refusals: Refusals
  readonly network: Network
  readonly checksWork: boolean
  readonly limits: GroupLimits
  readonly lookup?: Pick<FindInEngineOptions, 'mostInStatement'> | undefined
  /** True until it is known that no block above a former gap lacks prevouts. */
  mayBeIncomplete: boolean
  /** Heights of which a stale block is on record. */
  readonly staleHeights: Set<number>
}

/** A stretch of linked blocks to append to what is held. */
export type Run = {
  readonly blocks: AsyncIterable<RawBlock>
  readonly origin: Batch['origin']
  /** For sentences. */
  readonly sourceName: string
  /** The block before the first one, where it is held or known. */
  readonly before: BlockRef | undefined
  /** Whether every output from genesis on is held: then an input without its output proves the block wrong. */
  readonly isComplete: boolean
  readonly recent: RecentTimes | undefined
  /** From this height on, a batch a block. */
  readonly singleFromHeight: number
  /** Live batches that give way with the first group, beside those whose heights a group takes. */
  readonly replaces: readonly Batch[]
  /** Why they give way. */
  readonly why: string
  /** A node's word ends at a refused block; files go on behind it, with a gap. */
  readonly atRefused: 'stop' | 'skip'
  readonly onCommit: (committed: Committed) => void
  readonly signal?: AbortSignal | undefined
}

export type Committed = { readonly toHeight: number; readonly blockCount: number; readonly rowCount: number }

export type RunEnd =
  | { readonly type: 'done' }
  /** The source changed its chain on the way; what was written before stands. */
  | { readonly type: 'moved'; readonly height: number }
  | { readonly type: 'refused'; readonly block: RefusedBlock }

/**
 * Decodes, completes and writes a run, group by group: while one group is being written the next is completed and the
 * ones behind it are being decoded. Each group becomes visible whole.
 */
export async function runBlocks(deps: RunDeps, run: Run): Promise<RunEnd> {
  const state: RunState = {
    tip: run.before,
    recent: run.recent,
    isComplete: run.isComplete,
    firstOfLast: deps.cache.addedCount,
  }
  let replaces = run.replaces
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const { group, chunk: decoding } of decodeAhead(deps, run)) {
      run.signal?.throwIfAborted()
      const { chunk, end } = await prepare(deps, run, state, { group, decoding, replaces, written: writing })
      await writing
      if (chunk.placed.length > 0) {
        writing = write(deps, run, replaces, chunk)
        // Reported by the next `await`; until then a failure must not count as unhandled.
        writing.catch(() => {})
        replaces = []
      }
      if (end.type !== 'done') {
        await writing
        return end
      }
    }
    await writing
    return { type: 'done' }
  } finally {
    await writing.catch(() => {})
  }
}

async function* decodeAhead(
  deps: RunDeps,
  run: Run,
): AsyncGenerator<{ group: Group; chunk: Promise<Chunk> }> {
  const waiting: { group: Group; chunk: Promise<Chunk> }[] = []
  for await (const group of groupBlocks(run.blocks, deps.limits, deps)) {
    const chunk = deps.pool.decode(group.job)
    chunk.catch(() => {})
    waiting.push({ group, chunk })
    if (waiting.length > deps.pool.threads) yield waiting.shift()!
  }
  yield* waiting
}

async function write(deps: RunDeps, run: Run, replaces: readonly Batch[], chunk: Chunk): Promise<void> {
  const { warehouse, batches, staleHeights } = deps
  const { plans, planOf } = planBatches(chunk.placed, {
    origin: run.origin,
    singleFromHeight: run.singleFromHeight,
    areIslands: false,
  })
  const begun = await batches.begin(plans)
  await writeChunk(
    warehouse,
    chunk,
    planOf.map(plan => begun[plan]!.batch),
  )
  const givesWay = new Set(replaces)
  for (const batch of batches.overlapping(plans[0]!.fromHeight, plans.at(-1)!.toHeight))
    if (plans.some(plan => plan.fromHeight <= batch.toHeight && plan.toHeight >= batch.fromHeight))
      givesWay.add(batch)
  await batches.commit(begun, [...givesWay], run.why)
  for (const batch of givesWay) addHeights(staleHeights, batch)
  await removeBatches(warehouse, batches, batches.unfinished())
  if (chunk.placed.some(({ height }) => staleHeights.has(height)))
    await forgetStaleBlocks(warehouse, chunk.placed[0]!.height, chunk.placed.at(-1)!.height)
  const committed = {
    toHeight: chunk.placed.at(-1)!.height,
    blockCount: chunk.placed.length,
    rowCount: rowCountOf(chunk),
  }
  deps.pool.release(chunk)
  run.onCommit(committed)
}

function addHeights(heights: Set<number>, { fromHeight, toHeight }: Batch): void {
  for (let height = fromHeight; height <= toHeight; height++) heights.add(height)
}
