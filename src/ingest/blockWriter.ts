import type { Batch, BatchPlan } from './batchLog.ts'
import { commitBatches } from './commitBatches.ts'
import { planBatches } from './planBatches.ts'
import { forgetStaleBlocks } from './removeBatches.ts'
import { type Chunk, type PlacedBlock, rowCountOf } from './rows/chunk.ts'
import type { Run, RunDeps } from './run.ts'
import type { StagedRows } from './staging.ts'

/**
 * Writes the groups of a run: stages them on disk and, as soon as enough has come together and the engine is free, loads
 * and commits them. Groups that are loaded together become visible together.
 */
export type BlockWriter = {
  /** Number of the first transaction, as the cache counts, that readers of the engine may not find yet. */
  readonly firstUnwritten: number
  /**
   * Stages a group and lets its memory go; `firstTx` is the number of its first transaction. The batches of `replaces`
   * give way with it. Waits where too much is staged. Throws what made an earlier load fail.
   */
  add(chunk: Chunk, firstTx: number, replaces: readonly Batch[]): Promise<void>
  /** Returns once everything that was added is committed. */
  settle(): Promise<void>
  /** Waits for a load under way and drops what is staged. Throws nothing. */
  abandon(): Promise<void>
}

/** What is loaded and committed together. */
type Unit = {
  readonly rows: StagedRows
  readonly firstTx: number
  readonly placed: PlacedBlock[]
  /** Number of each planned batch. */
  readonly numbers: number[]
  plans: readonly BatchPlan[]
  replaces: readonly Batch[]
  rawBytes: number
  rowCount: number
}

export function createBlockWriter(deps: RunDeps, run: Run, nextTx: () => number): BlockWriter {
  const { warehouse, batches, staging, staleHeights } = deps
  let staged: Unit | undefined
  let loading: { readonly unit: Unit; readonly done: Promise<void>; isOver: boolean } | undefined

  function open(firstTx: number): Unit {
    const rows = staging.open()
    return { rows, firstTx, placed: [], numbers: [], plans: [], replaces: [], rawBytes: 0, rowCount: 0 }
  }

  async function load(unit: Unit): Promise<void> {
    const [first, last] = [unit.placed[0]!.height, unit.placed.at(-1)!.height]
    const gaveWay = await commitBatches(warehouse, batches, {
      plans: unit.plans.map((plan, i) => ({ ...plan, batch: unit.numbers[i]! })),
      replaces: unit.replaces,
      why: run.why,
      insert: () => unit.rows.load(),
    })
    deps.spill.committed(unit.placed.at(-1)!)
    for (const batch of gaveWay) addHeights(staleHeights, batch)
    if (unit.placed.some(({ height }) => staleHeights.has(height)))
      await forgetStaleBlocks(warehouse, batches.of, first, last)
    await unit.rows.drop()
    run.onCommit({ toHeight: last, blockCount: unit.placed.length, rowCount: unit.rowCount })
  }

  /** Begins to load what is staged, once the load before is done. */
  async function startLoad(): Promise<void> {
    await loading?.done
    if (staged === undefined) return
    const unit = staged
    staged = undefined
    const current = { unit, done: load(unit), isOver: false }
    loading = current
    // Reported by whoever waits for it next; until then a failure must not count as unhandled.
    current.done.then(
      () => {
        current.isOver = true
      },
      () => {},
    )
  }

  return {
    get firstUnwritten() {
      if (loading !== undefined && !loading.isOver) return loading.unit.firstTx
      return staged?.firstTx ?? nextTx()
    },
    async add(chunk, firstTx, replaces) {
      staged ??= open(firstTx)
      const unit = staged
      const from = unit.placed.length
      unit.placed.push(...chunk.placed)
      const { plans, planOf } = planBatches(unit.placed, {
        origin: run.origin,
        singleFromHeight: run.singleFromHeight,
        areIslands: false,
      })
      while (unit.numbers.length < plans.length) unit.numbers.push(batches.nextNumber())
      unit.plans = plans
      unit.replaces = [...unit.replaces, ...replaces]
      unit.rowCount += rowCountOf(chunk)
      unit.rawBytes += chunk.bytes.length
      await unit.rows.append(
        chunk,
        planOf.subarray(from).map(plan => unit.numbers[plan]!),
      )
      deps.pool.release(chunk)
      const { loadBytes } = deps.limits
      const isFree = loading === undefined || loading.isOver
      if (unit.rawBytes >= (isFree ? loadBytes : 2 * loadBytes)) await startLoad()
    },
    async settle() {
      await startLoad()
      await loading?.done
    },
    async abandon() {
      await loading?.done.catch(() => {})
      await loading?.unit.rows.drop().catch(() => {})
      await staged?.rows.drop().catch(() => {})
      staged = undefined
    },
  }
}

function addHeights(heights: Set<number>, { fromHeight, toHeight }: Batch): void {
  for (let height = fromHeight; height <= toHeight; height++) heights.add(height)
}
