import type { BatchFamily, Warehouse } from '#warehouse/index.ts'
import { sqlColumns } from '#warehouse/index.ts'
import type { StxOrigin } from '#warehouse/tables/stacks.ts'
import { type Batch, BatchLog, type BatchPlan, MOVED } from '../batchLog.ts'
import { mergeBatches } from '../mergeBatches.ts'
import { removeBatches } from '../removeBatches.ts'
import type { TableColumns } from '../rows/stacks/writers.ts'
import { type HeldBatch, type Placed, type Placement, placeBlocks, type Run } from './placement.ts'

/** Makes the rows of blocks for their batches. */
export type RowMaker = (
  runs: readonly { readonly batch: number; readonly ids: readonly string[] }[],
) => Promise<readonly TableColumns[]>

export type Changes = {
  readonly blocks: readonly Omit<Placed, 'batch'>[]
  readonly canonical: ReadonlySet<string>
  readonly rows: RowMaker
  readonly origin: StxOrigin
}

const MOST_BLOCKS = 1000
const NO_HASH = '00'.repeat(32)

/**
 * Blocks of a family in the warehouse, canonical ones seen by readers, competitors set aside. One insert into the log changes
 * what readers see; all rows are there before it.
 */
export class HeldBlocks {
  readonly log: BatchLog
  readonly #warehouse: Warehouse
  readonly #family: BatchFamily
  readonly #batchOf = new Map<string, number>()
  #replaced = new Map<number, Set<number>>()

  constructor(warehouse: Warehouse, family: BatchFamily, now: () => number) {
    this.#warehouse = warehouse
    this.#family = family
    this.log = new BatchLog(warehouse, { family }, now)
  }

  /** Reads the log, deletes what a stop has left behind, forgets where blocks are. */
  async recover(): Promise<void> {
    this.#batchOf.clear()
    this.#replaced.clear()
    await this.log.refresh()
    await removeBatches(this.#warehouse, this.log, this.log.unfinished())
  }

  /** The batch that holds a block; undefined for one without rows. */
  batchOf(id: string): number | undefined {
    return this.#batchOf.get(id)
  }

  /** Says which batch holds a block. */
  place(id: string, batch: number): void {
    this.#batchOf.set(id, batch)
  }

  /** The rows of a block are to be written anew. Of a settled one the batch must be named. */
  replace(
    { id, height }: { readonly id: string; readonly height: number },
    batch: number | undefined = this.#batchOf.get(id),
  ): void {
    if (batch === undefined) return
    this.#batchOf.delete(id)
    const heights = this.#replaced.get(batch) ?? new Set()
    this.#replaced.set(batch, heights.add(height))
  }

  /** Makes readers see the canonical blocks and no other. Writes nothing where they do. */
  async show({ blocks, canonical, rows, origin }: Changes): Promise<number> {
    const placement = placeBlocks(
      blocks.map(block => ({ ...block, batch: this.#batchOf.get(block.id) ?? null })),
      canonical,
      this.#heldBatches(),
      this.#replaced,
      MOST_BLOCKS,
    )
    const { written, moved, shown, hidden, givenUp } = placement
    if (written.length + moved.length + shown.length + hidden.length + givenUp.length === 0) return 0
    const numbered = [...written, ...moved].map(run => ({ run, batch: this.log.nextNumber() }))
    const columns = await rows(
      numbered.slice(0, written.length).map(({ run: { ids }, batch }) => ({ batch, ids })),
    )
    const plans = await Promise.all(numbered.map(one => this.#planOf(one, origin)))
    const begun = await this.log.begin(plans)
    for (const { table, columns: values } of columns) await this.#warehouse.insertColumns(table, values)
    for (const [i, run] of moved.entries()) await this.#copy(run, numbered[written.length + i]!.batch)
    await this.#commit(
      placement,
      numbered.map(({ run }, i) => ({ run, batch: begun[i]! })),
    )
    return columns.reduce((sum, { columns: { rowCount } }) => sum + rowCount, 0)
  }

  /** Lets go of batches of blocks that have lost for good; `why` is kept in the log. */
  async dropLost(batches: readonly number[], why: string): Promise<void> {
    const lost = batches.flatMap(batch => this.log.get(batch) ?? []).filter(({ isLive }) => !isLive)
    if (lost.length === 0) return
    await this.log.commit([], lost, why)
    await removeBatches(this.#warehouse, this.log, this.log.unfinished())
  }

  /** Puts batches of settled blocks together, `size` heights each: the set of live batches stays short. */
  async merge(below: number, size: number): Promise<void> {
    const count = await mergeBatches(this.#warehouse, this.log, { below, size, origin: 'merged' })
    if (count > 0) await this.log.prune()
  }

  /** The batch of a block, and forgets it. */
  release(id: string): number | undefined {
    const batch = this.#batchOf.get(id)
    this.#batchOf.delete(id)
    return batch
  }

  async #commit(
    { shown, hidden, givenUp }: Placement,
    runs: readonly { readonly run: Run; readonly batch: Batch }[],
  ): Promise<void> {
    const known = (batches: readonly number[]) => batches.map(batch => this.log.get(batch)!)
    await this.log.commit(
      [...runs.filter(({ run }) => run.isLive).map(({ batch }) => batch), ...known(shown)],
      known(givenUp),
      MOVED,
      [...runs.filter(({ run }) => !run.isLive).map(({ batch }) => batch), ...known(hidden)],
    )
    for (const { run, batch } of runs) for (const id of run.ids) this.#batchOf.set(id, batch.batch)
    this.#replaced = new Map()
    await removeBatches(this.#warehouse, this.log, this.log.unfinished())
  }

  #heldBatches(): Map<number, HeldBatch> {
    const numbers = new Set([...this.#batchOf.values(), ...this.#replaced.keys()])
    return new Map(
      [...numbers].flatMap(number => {
        const batch = this.log.get(number)
        return batch === undefined ? [] : [[number, batch]]
      }),
    )
  }

  async #planOf(
    { run, batch }: { run: Run & { from?: number }; batch: number },
    origin: StxOrigin,
  ): Promise<BatchPlan & { batch: number }> {
    const ends =
      run.ids.length > 0
        ? { firstPrevHash: hashOf(run.firstParentId), lastHash: hashOf(run.lastId) }
        : await this.#endsOf(run.from!, run.fromHeight, run.toHeight)
    return {
      batch,
      isIsland: false,
      fromHeight: run.fromHeight,
      toHeight: run.toHeight,
      ...ends,
      blockCount: run.toHeight - run.fromHeight + 1,
      origin: run.from === undefined ? origin : this.log.get(run.from)!.origin,
    }
  }

  /** What a settled part of a batch stands on, and its last block. */
  async #endsOf(
    batch: number,
    fromHeight: number,
    toHeight: number,
  ): Promise<{ firstPrevHash: string; lastHash: string }> {
    const answer = await this.#warehouse.writer.query({
      query: `SELECT height, lower(hex(hash)) AS hash, lower(hex(prev_hash)) AS prevHash
FROM base.${this.#family.blocks.name}
WHERE batch = {batch:UInt32} AND height IN ({fromHeight:UInt32}, {toHeight:UInt32})`,
      query_params: { batch, fromHeight, toHeight },
      format: 'JSONEachRow',
    })
    const rows = await answer.json<{ height: number; hash: string; prevHash: string | null }>()
    const at = (height: number) => rows.find(row => row.height === height)!
    return { firstPrevHash: at(fromHeight).prevHash ?? NO_HASH, lastHash: at(toHeight).hash }
  }

  /** Writes the rows of some heights of a batch again under another number. */
  async #copy({ from, fromHeight, toHeight }: Run & { from: number }, batch: number): Promise<void> {
    for (const table of this.#family.tables) {
      const names = sqlColumns(table).map(({ name }) => name)
      await this.#warehouse.writer.command({
        query: `INSERT INTO base.${table.name} (${names.join(', ')})
SELECT ${names.map(name => (name === 'batch' ? `{batch:UInt32} AS ${name}` : name)).join(', ')}
FROM base.${table.name}
WHERE ${table.name}.batch = {from:UInt32} AND height BETWEEN {fromHeight:UInt32} AND {toHeight:UInt32}`,
        query_params: { batch, from, fromHeight, toHeight },
      })
    }
  }
}

/** As the log holds hashes; a parent that nobody named is zeros. */
const hashOf = (id: string): string => (id === '' ? NO_HASH : id.slice(2))
