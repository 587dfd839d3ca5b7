import type { BlockSource } from '#chains/bitcoin/node/index.ts'
import { assertNever } from '#kernel/errors.ts'
import type { BtcBatch } from '#warehouse/tables/bitcoin.ts'
import type { Batch, Range } from './batchLog.ts'
import { IngestError } from './errors.ts'
import type { HeldChain } from './heldChain.ts'
import type { RecentTimes } from './medianTimes.ts'
import type { RefusedBlock } from './rows/chunk.ts'
import { type Committed, type Run, type RunDeps, runBlocks } from './run.ts'
import { DEEPEST_REORG, decide, type Effect, type Place } from './step.ts'
import { warmCache } from './warmCache.ts'

export type AdvanceOptions = {
  readonly source: BlockSource
  /** What the rows say about their origin; the source's own kind unless given. */
  readonly origin?: BtcBatch['origin'] | undefined
  /** Where the run of blocks begins if nothing of it is held. */
  readonly fromHeight: number
  /** Last height wanted; the source's tip unless given. */
  readonly toHeight?: number | undefined
  /** The height below the source's first block: −1 for a node. */
  readonly sourceFromHeight: number
  readonly allowDeepReorg: boolean
  readonly atRefused: Run['atRefused']
  readonly onCommit: (committed: Committed, aim: number) => void
  readonly signal?: AbortSignal | undefined
}

export type Outcome =
  /** Held and source agree, or the source has less to offer. */
  | { readonly type: 'idle'; readonly why: 'same' | 'behind' | 'less_work'; readonly forkHeight?: number }
  | { readonly type: 'refused'; readonly block: RefusedBlock }
  | Extract<Effect, { type: 'halt' }>

/** Brings what is held to the source's best chain: asks `step` and carries out what it says until nothing is left to do. */
export async function advance(deps: RunDeps, held: HeldChain, options: AdvanceOptions): Promise<Outcome> {
  const { source, signal } = options
  let start = options.fromHeight
  while (true) {
    signal?.throwIfAborted()
    const nodeTip = await source.tip(signal)
    const sourceTip = await aimOf(source, nodeTip, options)
    const range = held.rangeAt(start)
    const { decision, forkHeight } = await decide(
      {
        fromHeight: range?.fromHeight ?? start,
        heldTip: range && { height: range.toHeight, hash: range.lastHash },
        sourceTip,
        allowDeepReorg: options.allowDeepReorg,
        sourceFromHeight: options.sourceFromHeight,
      },
      {
        heldHashAt: held.hashAt,
        sourceHashAt: height => source.hashAt(height, signal),
        weigh: async fork => ({
          held: range ? await held.workAbove(range, fork) : 0n,
          source: await source.workAbove(fork, signal),
        }),
      },
    )
    switch (decision.type) {
      case 'idle': {
        if (range && decision.why !== 'less_work' && (await complete(deps, held, options, range, nodeTip)))
          break
        return { ...decision, ...(forkHeight !== undefined && { forkHeight }) }
      }
      case 'halt':
        return decision
      case 'append':
      case 'reorg': {
        const end = await carryOut(deps, held, options, decision, range, nodeTip)
        if (end.type === 'refused') return end
        // A block that files offer and that was refused leaves a gap: the run goes on above it.
        const isStuck = held.rangeAt(start)?.toHeight === range?.toHeight
        if (decision.type === 'append' && isStuck && options.atRefused === 'skip')
          start = decision.fromHeight + 1
        if (start > sourceTip.height) return { type: 'idle', why: 'same' }
        break
      }
      default:
        return assertNever(decision)
    }
  }
}

/** Height of the first block that the source can give: files know the hash below theirs, not the block. */
const firstBlockOf = ({ sourceFromHeight }: AdvanceOptions): number => sourceFromHeight + 1

/** The source's tip, or its block at the last height wanted. */
async function aimOf(source: BlockSource, tip: Place, options: AdvanceOptions): Promise<Place> {
  const { toHeight, signal } = options
  if (toHeight === undefined || toHeight >= tip.height) return tip
  const hash = await source.hashAt(toHeight, signal)
  return hash === null ? tip : { height: toHeight, hash }
}

/** So many blocks ask the engine more than reading what they are likely to spend. */
const WORTH_WARMING_BLOCKS = 200

async function carryOut(
  deps: RunDeps,
  held: HeldChain,
  options: AdvanceOptions,
  effect: Extract<Effect, { type: 'append' | 'reorg' }>,
  range: Range | undefined,
  nodeTip: Place,
) {
  const isReorg = effect.type === 'reorg'
  const losing = isReorg
    ? deps.batches.overlapping(effect.forkHeight + 1, range?.toHeight ?? 0).filter(batch => !batch.isIsland)
    : []
  // A batch that reaches below the fork gives way whole; what of it still belongs is taken in again.
  const fromHeight = isReorg
    ? Math.min(effect.forkHeight + 1, ...losing.map(batch => batch.fromHeight))
    : effect.fromHeight
  if (fromHeight < firstBlockOf(options))
    throw new IngestError(
      'ingest.range',
      `${options.source.name} hold a branch from height ${firstBlockOf(options)} on; what it replaces is held together with blocks from height ${fromHeight} on.`,
      { hint: `Give files that hold the chain from height ${fromHeight} on.` },
    )
  const above = isReorg ? undefined : held.rangeAbove(fromHeight)
  const toHeight = Math.min(effect.toHeight, above ? above.fromHeight - 1 : effect.toHeight)
  if (isReorg) {
    deps.cache.clear()
    const hash = await held.hashAt(effect.forkHeight)
    deps.spill.forkedAt(hash === null ? undefined : { height: effect.forkHeight, hash })
  } else if (deps.cache.outputCount === 0 && fromHeight > 0 && toHeight - fromHeight > WORTH_WARMING_BLOCKS)
    await warmCache(deps.warehouse, deps.cache, fromHeight)
  if (above) deps.mayBeIncomplete = true
  return runBlocks(deps, {
    ...(await runOf(held, options, range?.fromHeight ?? fromHeight, fromHeight, toHeight, nodeTip)),
    replaces: losing,
    why: isReorg
      ? `reorg of ${effect.depth} blocks above height ${effect.forkHeight}`
      : 'replaced by a longer run',
    onCommit: committed => options.onCommit(committed, effect.toHeight),
  })
}

/**
 * Blocks that came in above a gap may lack prevouts and median times. Once everything from genesis on is held they are
 * taken in again, if the source has them. Returns whether anything was done.
 */
async function complete(
  deps: RunDeps,
  held: HeldChain,
  options: AdvanceOptions,
  range: Range,
  nodeTip: Place,
): Promise<boolean> {
  if (!deps.mayBeIncomplete || range.fromHeight > 0) return false
  deps.mayBeIncomplete = false
  let isChanged = false
  for (const { fromHeight, toHeight, lastHash } of joined(await held.incompleteBatches(range))) {
    if (fromHeight < firstBlockOf(options) || toHeight > nodeTip.height) continue
    if ((await options.source.hashAt(toHeight, options.signal)) !== lastHash) continue
    const end = await runBlocks(deps, {
      ...(await runOf(held, options, 0, fromHeight, toHeight, nodeTip)),
      replaces: [],
      why: 'taken in again with the blocks below it',
      onCommit: committed => options.onCommit(committed, toHeight),
    })
    if (end.type !== 'done') return isChanged
    isChanged = true
  }
  return isChanged
}

const CLOSE_HEIGHTS = 200

/** Batches of one range as stretches: what lies close together is taken in again in one go. */
function joined(batches: readonly Batch[]): Range[] {
  const stretches: Range[] = []
  for (const batch of batches) {
    const last = stretches.at(-1)
    if (last && batch.fromHeight - last.toHeight <= CLOSE_HEIGHTS)
      stretches[stretches.length - 1] = { ...last, toHeight: batch.toHeight, lastHash: batch.lastHash }
    else stretches.push(batch)
  }
  return stretches
}

/** What any run of blocks from the source takes. */
async function runOf(
  held: HeldChain,
  options: AdvanceOptions,
  rangeFrom: number,
  fromHeight: number,
  toHeight: number,
  nodeTip: Place,
): Promise<Omit<Run, 'replaces' | 'why' | 'onCommit'>> {
  const { source, signal, atRefused } = options
  const below = fromHeight > rangeFrom ? await held.hashAt(fromHeight - 1) : null
  const before = below === null ? undefined : { height: fromHeight - 1, hash: below }
  return {
    blocks: source.blocks(fromHeight, toHeight, signal),
    origin: options.origin ?? source.origin,
    sourceName: source.name,
    before,
    isComplete: rangeFrom === 0,
    recent: before
      ? await held.timesUpTo(before.height, before.hash)
      : await recentOf(source, fromHeight, signal),
    singleFromHeight: nodeTip.height - DEEPEST_REORG,
    atRefused,
    signal,
  }
}

/** Header times before a run that begins above what is held, where the source knows them. */
async function recentOf(
  source: BlockSource,
  fromHeight: number,
  signal: AbortSignal | undefined,
): Promise<RecentTimes | undefined> {
  if (fromHeight === 0) return undefined
  const hash = await source.hashAt(fromHeight - 1, signal)
  if (hash === null) return undefined
  const timesS = await source.headerTimes(Math.max(0, fromHeight - 10), fromHeight - 1, signal)
  return { height: fromHeight - 1, hash, timesS }
}
