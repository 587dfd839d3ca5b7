import type { Warehouse } from '#warehouse/index.ts'
import type { Batch, BatchLog, BatchPlan } from './batchLog.ts'
import { removeBatches } from './removeBatches.ts'

export type BatchesToCommit = {
  readonly plans: readonly (BatchPlan & Pick<Batch, 'batch'>)[]
  /** Live batches that give way, beside those whose heights the plans take. */
  readonly replaces: readonly Batch[]
  /** Why they give way. */
  readonly why: string
  /** Writes the rows. They may come only once it is on record that the batches are begun. */
  readonly insert: () => Promise<void>
}

/**
 * Makes batches live and takes back what they replace, in one insert of the log; then removes the rows of the latter.
 * Returns what gave way. Where it throws, a recovery finds from the log what to remove.
 */
export async function commitBatches(
  warehouse: Warehouse,
  log: BatchLog,
  { plans, replaces, why, insert }: BatchesToCommit,
): Promise<readonly Batch[]> {
  const begun = await log.begin(plans)
  await insert()
  const givesWay = new Set(replaces)
  for (const { fromHeight, toHeight } of plans)
    for (const batch of log.overlapping(fromHeight, toHeight)) givesWay.add(batch)
  await log.commit(begun, [...givesWay], why)
  await removeBatches(warehouse, log, log.unfinished())
  return [...givesWay]
}
