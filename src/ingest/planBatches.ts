import type { BatchPlan } from './batchLog.ts'
import type { PlacedBlock } from './rows/chunk.ts'

/** Rows of all tables are cut at these heights (`PARTITION BY intDiv(height, 50000)`), so batches are too. */
export const PARTITION_HEIGHTS = 50_000

export type PlanOptions = {
  readonly origin: BatchPlan['origin']
  /** From this height on each block is a batch of its own: a reorg then takes back no more than it must. */
  readonly singleFromHeight: number
  /** Blocks without neighbours: each a batch of its own, outside tip and reorg rules. */
  readonly areIslands: boolean
}

/** The batches for blocks in order, and the batch of each block (position in the list). */
export function planBatches(
  blocks: readonly PlacedBlock[],
  { origin, singleFromHeight, areIslands }: PlanOptions,
): { plans: BatchPlan[]; planOf: Uint32Array } {
  const plans: BatchPlan[] = []
  const planOf = new Uint32Array(blocks.length)
  blocks.forEach((block, i) => {
    const last = plans.at(-1)
    const { height } = block
    const continues =
      last !== undefined &&
      !areIslands &&
      height < singleFromHeight &&
      height === last.toHeight + 1 &&
      block.prevHash === last.lastHash &&
      height % PARTITION_HEIGHTS !== 0
    if (continues)
      plans[plans.length - 1] = {
        ...last,
        toHeight: height,
        lastHash: block.hash,
        blockCount: last.blockCount + 1,
      }
    else
      plans.push({
        isIsland: areIslands,
        fromHeight: height,
        toHeight: height,
        firstPrevHash: block.prevHash,
        lastHash: block.hash,
        blockCount: 1,
        origin,
      })
    planOf[i] = plans.length - 1
  })
  return { plans, planOf }
}
