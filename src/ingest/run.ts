import type { BlockRef, RawBlock } from '#chains/bitcoin/node/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { BtcBatch } from '#warehouse/tables/bitcoin.ts'
import type { Batch, BatchLog } from './batchLog.ts'
import { createBlockWriter } from './blockWriter.ts'
import { createCompletion } from './completion.ts'
import type { DecodePool } from './decodePool.ts'
import type { FindInEngineOptions } from './findInEngine.ts'
import { type Group, type GroupLimits, groupBlocks, groupsAhead } from './groups.ts'
import type { RecentTimes } from './medianTimes.ts'
import { prepare, type RunState } from './prepare.ts'
import type { PrevoutCache } from './prevoutCache.ts'
import type { Refusals } from './refusals.ts'
import type { Chunk, RefusedBlock } from './rows/chunk.ts'
import { runAhead } from './runAhead.ts'
import type { OutputSpill } from './spill/outputSpill.ts'
import type { Staging } from './staging.ts'

/** Prevouts since the opening that memory did not know, by where they were found. */
export type OlderFound = { inSpill: number; inEngine: number }

export type RunDeps = {
  readonly warehouse: Warehouse
  readonly batches: BatchLog
  readonly cache: PrevoutCache
  /** What the cache had no room for. */
  readonly spill: OutputSpill
  readonly pool: DecodePool
  readonly refusals: Refusals
  readonly staging: Staging
  readonly network: Network
  readonly checksWork: boolean
  readonly limits: GroupLimits
  readonly olderFound: OlderFound
  readonly lookup?: Pick<FindInEngineOptions, 'mostInStatement'> | undefined
  /** True until it is known that no block above a former gap lacks prevouts. */
  mayBeIncomplete: boolean
  /** Heights of which a stale block is on record. */
  readonly staleHeights: Set<number>
}

/** A stretch of linked blocks to append to what is held. */
export type Run = {
  readonly blocks: AsyncIterable<RawBlock>
  readonly origin: BtcBatch['origin']
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
 * Decodes, completes and writes a run, group by group: while what was staged is being loaded, a few groups are completed
 * together and staged, and those behind them are being decoded. Each group becomes visible whole.
 */
export async function runBlocks(deps: RunDeps, run: Run): Promise<RunEnd> {
  const { cache } = deps
  const state: RunState = { tip: run.before, recent: run.recent, isComplete: run.isComplete }
  const writer = createBlockWriter(deps, run, () => cache.addedCount)
  const completion = createCompletion(deps, run, state, writer)
  let isWhole = false
  try {
    for await (const { group, chunk } of runAhead(decoding(deps, run), groupsAhead(deps.pool.threads))) {
      run.signal?.throwIfAborted()
      const end = await completion.add(await prepare(deps, run, state, group, chunk))
      if (end.type !== 'done') return end
    }
    const end = await completion.finish()
    isWhole = end.type === 'done'
    return end
  } finally {
    await completion.abandon()
    await deps.staging.tidy()
    // What was recalled and never written must not answer for others.
    if (!isWhole) cache.clear()
  }
}

async function* decoding(deps: RunDeps, run: Run): AsyncGenerator<{ group: Group; chunk: Promise<Chunk> }> {
  for await (const group of groupBlocks(run.blocks, deps.limits, deps)) {
    const chunk = deps.pool.decode(group.job)
    // Reported when its turn comes; until then a failure must not count as unhandled.
    chunk.catch(() => {})
    yield { group, chunk }
  }
}
