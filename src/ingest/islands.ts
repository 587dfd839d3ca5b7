import type { BtcBatch } from '#warehouse/tables/bitcoin.ts'
import { IngestError } from './errors.ts'
import { assignFees } from './fees.ts'
import { groupAll } from './groups.ts'
import type { HeldChain } from './heldChain.ts'
import { assignMedianTimes } from './medianTimes.ts'
import { planBatches } from './planBatches.ts'
import { cacheOf, fillIn, findAmongGiven, type GivenPrevout, recall } from './prevouts.ts'
import { blockBytes, type Chunk, rowCountOf } from './rows/chunk.ts'
import type { Committed, RunDeps } from './run.ts'

/** A block without its neighbours, as a file gives it. */
export type LoneBlock = {
  /** For sentences. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Undefined: the coinbase may tell. */
  readonly height: number | undefined
  readonly prevouts: readonly GivenPrevout[] | undefined
}

export type LoneBlockEnd =
  | { readonly name: string; readonly end: 'stored'; readonly height: number; readonly hash: string }
  /** Its height is held already: by the same block, or by another that this one lost against. */
  | { readonly name: string; readonly end: 'held' | 'stale'; readonly height: number; readonly hash: string }
  | { readonly name: string; readonly end: 'no_height'; readonly hash: string; readonly txCount: number }
  | { readonly name: string; readonly end: 'refused'; readonly code: string; readonly reason: string }

/**
 * Stores blocks as islands: each is a batch of its own, outside tip and reorg rules. Header, merkle root and witness
 * commitment are checked; prevouts are those given and those of the block itself, and what follows from others is null.
 */
export async function storeIslands(
  deps: RunDeps,
  held: HeldChain,
  lone: readonly LoneBlock[],
  origin: BtcBatch['origin'],
  onCommit: (committed: Committed) => void,
): Promise<LoneBlockEnd[]> {
  const { job } = groupAll(
    lone.map(({ bytes, height }) => ({ bytes, height: height ?? -1, hash: '' })),
    deps,
  )
  const heights = job.heights.slice()
  let chunk = await deps.pool.decode(job)
  const ends = new Map<number, LoneBlockEnd>()
  const nameOf = (index: number): string => lone[index]!.name
  for (const block of chunk.refused) {
    await deps.refusals.record(block, blockBytes(chunk, block.index), origin)
    ends.set(block.index, {
      name: nameOf(block.index),
      end: 'refused',
      code: block.code,
      reason: block.reason,
    })
  }
  for (const { index, hash, txCount } of chunk.unplaced)
    ends.set(index, { name: nameOf(index), end: 'no_height', hash, txCount })

  const taken = new Set<number>()
  for (const { index, height, hash } of chunk.placed) {
    const there = await heldHash(deps, held, height)
    if (there !== null || taken.has(height))
      ends.set(index, {
        name: nameOf(index),
        end: there === null || there === hash ? 'held' : 'stale',
        height,
        hash,
      })
    else {
      taken.add(height)
      ends.set(index, { name: nameOf(index), end: 'stored', height, hash })
    }
  }
  const refuse = async (index: number, code: string, reason: string): Promise<void> => {
    const { height, hash } = chunk.placed.find(block => block.index === index)!
    await deps.refusals.record({ index, height, hash, code, reason }, blockBytes(chunk, index), origin)
    ends.set(index, { name: nameOf(index), end: 'refused', code, reason })
  }
  const isStored = ({ index }: { readonly index: number }): boolean => ends.get(index)?.end === 'stored'

  while (chunk.placed.length > 0) {
    if (!chunk.placed.every(isStored)) {
      const { bytes, offsets, memory } = chunk
      const without = lone.map((_, index) => index).filter(index => !isStored({ index }))
      chunk = await deps.pool.decode({ ...job, bytes, offsets, memory, heights: heights.slice(), without })
      continue
    }
    const wrong = await completeIslands(chunk, lone)
    if (wrong.size === 0) break
    for (const [position, { code, message }] of wrong)
      await refuse(chunk.placed[position]!.index, code, message)
  }
  if (chunk.placed.length > 0) {
    await writeIslands(deps, chunk, origin)
    onCommit({
      toHeight: Math.max(...chunk.placed.map(({ height }) => height)),
      blockCount: chunk.placed.length,
      rowCount: rowCountOf(chunk),
    })
  }
  return lone.map((_, index) => ends.get(index)!)
}

/** Prevouts and fees as far as the files give them; returns the blocks (positions) that they do not fit. */
async function completeIslands(chunk: Chunk, lone: readonly LoneBlock[]): Promise<Map<number, IngestError>> {
  const wrong = new Map<number, IngestError>()
  const given = new Map<number, readonly GivenPrevout[]>()
  for (const [position, { index, height, hash }] of chunk.placed.entries()) {
    const prevouts = lone[index]!.prevouts
    if (prevouts === undefined) continue
    const inputCount = chunk.blocks.inputCount[position]! - 1
    if (prevouts.length === inputCount) given.set(height, prevouts)
    else
      wrong.set(
        position,
        new IngestError(
          'ingest.prevouts_file',
          `The prevouts beside block ${hash} are ${prevouts.length}; it has ${inputCount} inputs without the coinbase's.`,
        ),
      )
  }
  if (wrong.size > 0) return wrong
  const recalled = recall(chunk, [cacheOf(chunk)], 'block')
  fillIn(recalled, await findAmongGiven(given)(chunk, recalled.wanted))
  assignMedianTimes(chunk, undefined)
  return assignFees(chunk)
}

async function writeIslands(
  { staging, batches }: RunDeps,
  chunk: Chunk,
  origin: BtcBatch['origin'],
): Promise<void> {
  const { plans, planOf } = planBatches(chunk.placed, { origin, singleFromHeight: 0, areIslands: true })
  const numbered = plans.map(plan => ({ ...plan, batch: batches.nextNumber() }))
  const rows = staging.open()
  try {
    await rows.append(
      chunk,
      planOf.map(plan => numbered[plan]!.batch),
    )
    const begun = await batches.begin(numbered)
    await rows.load()
    await batches.commit(begun, [], '')
  } finally {
    await rows.drop()
    await staging.tidy()
  }
}

/** The hash held at a height, in a run or as an island. */
async function heldHash({ batches }: RunDeps, held: HeldChain, height: number): Promise<string | null> {
  return batches.islands().find(island => island.fromHeight === height)?.lastHash ?? held.hashAt(height)
}
