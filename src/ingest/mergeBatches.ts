import { snake } from '#kernel/table.ts'
import { ofChainSql, type Warehouse } from '#warehouse/index.ts'
import type { Batch, BatchLog } from './batchLog.ts'
import { commitBatches } from './commitBatches.ts'

export type MergeOptions = {
  /** Batches that reach up to this height or above it stay as they are: a reorg may still take them. */
  readonly below: number
  /** Heights that one batch may cover; it begins at a multiple of it, or where what is held begins. */
  readonly size: number
  readonly origin: string
}

/**
 * Puts small batches that no reorg reaches together: the set of live batches, which every statement of a reader builds,
 * stays short. Their rows are copied under a new number, and one insert of the log lets it take their place. For families
 * none of whose tables is filled by the engine. Returns how many batches were put together.
 */
export async function mergeBatches(
  warehouse: Warehouse,
  log: BatchLog,
  { below, size, origin }: MergeOptions,
): Promise<number> {
  let count = 0
  for (const batches of mergeable(log.live(), below, size)) {
    const [first, last] = [batches[0]!, batches.at(-1)!]
    const plan = {
      ...first,
      batch: log.nextNumber(),
      toHeight: last.toHeight,
      lastHash: last.lastHash,
      blockCount: batches.reduce((sum, { blockCount }) => sum + blockCount, 0),
      origin,
    }
    await commitBatches(warehouse, log, {
      plans: [plan],
      replaces: batches,
      why: 'merged',
      insert: () => copyRows(warehouse, log, batches, plan.batch),
    })
    count += batches.length
  }
  return count
}

/** Runs of linked batches within one stretch of `size` heights that lies whole below, two or more each. */
function mergeable(live: readonly Batch[], below: number, size: number): Batch[][] {
  const runs: Batch[][] = []
  const stretchOf = (height: number): number => Math.floor(height / size)
  for (const batch of live) {
    const isWithin = !batch.isIsland && stretchOf(batch.fromHeight) === stretchOf(batch.toHeight)
    if (!isWithin || (stretchOf(batch.toHeight) + 1) * size > below) continue
    const run = runs.at(-1)
    const last = run?.at(-1)
    const continues =
      last !== undefined &&
      last.toHeight + 1 === batch.fromHeight &&
      last.lastHash === batch.firstPrevHash &&
      stretchOf(last.fromHeight) === stretchOf(batch.fromHeight)
    if (continues) run?.push(batch)
    else runs.push([batch])
  }
  return runs.filter(({ length }) => length > 1)
}

async function copyRows(
  warehouse: Warehouse,
  { of }: BatchLog,
  batches: readonly Batch[],
  batch: number,
): Promise<void> {
  const ids = batches.map(one => one.batch).join(', ')
  for (const { name, columns } of of.family.tables) {
    const names = Object.keys(columns).map(snake)
    await warehouse.writer.command({
      query: `
INSERT INTO base.${name} (${names.join(', ')})
SELECT ${names.map(column => (column === 'batch' ? `${batch} AS new_batch` : column)).join(', ')}
FROM base.${name}
WHERE ${ofChainSql(of)}batch IN (${ids}) AND height BETWEEN ${batches[0]!.fromHeight} AND ${batches.at(-1)!.toHeight}`,
    })
  }
}
