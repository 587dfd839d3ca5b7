import { type ChainOfFamily, ofChainSql, rowsOfChain, type Warehouse } from '#warehouse/index.ts'
import type { BatchLogRow } from '#warehouse/tables/batches.ts'

/**
 * The commit log, one row a decision: begun → committed → taken back → removed. A batch's rows may be written only
 * between `begun` and its commit, so start-up finds from the log alone what a stop left behind. A batch may also be set
 * aside in place of its commit or after it: no reader sees its rows, and it may become live without writing them again.
 */
export const BEGUN = 'begun'
export const REMOVED = 'removed'
export const ASIDE = 'aside'
/** Taken back because other batches hold the same blocks: none of them has lost. */
export const MOVED = 'moved'

const SKIPPED = 1000
const DAY_S = 86_400

/** A batch by its newest decision. Hashes in hex, display order. */
export type Batch = Omit<BatchLogRow, 'firstPrevHash' | 'lastHash'> & {
  readonly firstPrevHash: string
  readonly lastHash: string
}

/** What a batch is to hold, before it has a number. */
export type BatchPlan = Pick<
  Batch,
  'isIsland' | 'fromHeight' | 'toHeight' | 'firstPrevHash' | 'lastHash' | 'blockCount' | 'origin'
>

/** A stretch of linked live batches. */
export type Range = {
  readonly fromHeight: number
  readonly toHeight: number
  readonly firstPrevHash: string
  readonly lastHash: string
}

/** The log of one chain: numbers are its own, and no other chain's decisions are read. */
export class BatchLog {
  readonly of: ChainOfFamily
  readonly #warehouse: Warehouse
  readonly #now: () => number
  readonly #newest = new Map<number, Batch>()
  readonly #live = new Map<number, Batch>()
  /** Live batches by height, until the next decision. */
  #inOrder: readonly Batch[] | undefined
  #ranges: readonly Range[] | undefined
  #nextBatch = 1
  #nextSeq = 1n

  constructor(warehouse: Warehouse, of: ChainOfFamily, now: () => number) {
    this.of = of
    this.#warehouse = warehouse
    this.#now = now
  }

  /** Reads the newest decision about each batch: at the start and after any failure, what the engine holds is the truth. */
  async refresh(): Promise<void> {
    const answer = await this.#warehouse.writer.query({ query: newestSql(this.of), format: 'JSONEachRow' })
    this.#newest.clear()
    this.#live.clear()
    this.#inOrder = undefined
    this.#ranges = undefined
    for (const row of await answer.json<LogRow>()) this.#keep(batchOf(row))
    // A statement of a process that died may still arrive: its numbers are never given again.
    this.#nextBatch += SKIPPED
    this.#nextSeq += BigInt(SKIPPED)
  }

  /** Live batches in order of height. */
  live(): readonly Batch[] {
    this.#inOrder ??= [...this.#live.values()].sort((a, b) => a.fromHeight - b.fromHeight)
    return this.#inOrder
  }

  isLive = (batch: number): boolean => this.#live.has(batch)

  /** Live batches that hold a height of this stretch. */
  overlapping(fromHeight: number, toHeight: number): Batch[] {
    return this.live().filter(batch => batch.fromHeight <= toHeight && batch.toHeight >= fromHeight)
  }

  /** Batches that are not live, that nothing waits for, and whose rows may still be there. */
  unfinished(): Batch[] {
    return [...this.#newest.values()].filter(
      batch => !batch.isLive && batch.reason !== REMOVED && batch.reason !== ASIDE,
    )
  }

  /** Batches that were set aside. */
  aside(): Batch[] {
    return [...this.#newest.values()].filter(({ isLive, reason }) => !isLive && reason === ASIDE)
  }

  /** The newest decision about a batch whose rows may be there. */
  get(batch: number): Batch | undefined {
    return this.#newest.get(batch)
  }

  /** Stretches of batches that link to one another by hash; islands are not among them. */
  ranges(): readonly Range[] {
    if (this.#ranges) return this.#ranges
    const ranges: Range[] = []
    for (const batch of this.live()) {
      if (batch.isIsland) continue
      const last = ranges.at(-1)
      if (last && last.toHeight + 1 === batch.fromHeight && last.lastHash === batch.firstPrevHash)
        ranges[ranges.length - 1] = { ...last, toHeight: batch.toHeight, lastHash: batch.lastHash }
      else ranges.push(batch)
    }
    this.#ranges = ranges
    return ranges
  }

  /** The stretch that holds `height`, or ends right below it. */
  rangeAt(height: number): Range | undefined {
    return this.ranges().find(range => range.fromHeight <= height && height <= range.toHeight + 1)
  }

  /** The first stretch that begins above a height. */
  rangeAbove(height: number): Range | undefined {
    return this.ranges().find(range => range.fromHeight > height)
  }

  /** The hash of a held block, islands left out; null where none is held at this height. */
  async hashAt(height: number): Promise<string | null> {
    const batch = this.overlapping(height, height).find(one => !one.isIsland)
    if (batch === undefined) return null
    if (batch.toHeight === height) return batch.lastHash
    const answer = await this.#warehouse.writer.query({
      query: `SELECT lower(hex(hash)) AS hash FROM base.${this.of.family.blocks.name}
WHERE ${ofChainSql(this.of)}height = {height:UInt32} AND batch = {batch:UInt32}`,
      query_params: { height, batch: batch.batch },
      format: 'JSONEachRow',
    })
    const [row] = await answer.json<{ hash: string }>()
    return row?.hash ?? null
  }

  islands(): Batch[] {
    return this.live().filter(batch => batch.isIsland)
  }

  /** A number for a batch; none is given twice. */
  nextNumber(): number {
    return this.#nextBatch++
  }

  /** Writes that the rows of these batches may follow. */
  async begin(plans: readonly (BatchPlan & Pick<Batch, 'batch'>)[]): Promise<Batch[]> {
    const begun = plans.map(plan => this.#decide(plan, false, BEGUN))
    await this.#write(begun)
    return begun
  }

  /**
   * Makes batches live, takes others back and sets others aside, all in one insert: readers see all of it or nothing.
   */
  async commit(
    begun: readonly Batch[],
    takenBack: readonly Batch[],
    why: string,
    setAside: readonly Batch[] = [],
  ): Promise<void> {
    await this.#write([
      ...begun.map(batch => this.#decide(batch, true, '')),
      ...takenBack.map(batch => this.#decide(batch, false, why)),
      ...setAside.map(batch => this.#decide(batch, false, ASIDE)),
    ])
  }

  /** Writes that no row of these batches is left. */
  async removed(batches: readonly Batch[]): Promise<void> {
    await this.#write(batches.map(batch => this.#decide(batch, false, REMOVED)))
  }

  /**
   * Lets go of what the log says about batches that were removed more than a day ago: no statement of then is still on
   * its way. The newest numbers stay on record, so that none is given twice.
   */
  async prune(): Promise<void> {
    const { family } = this.of
    const ofChain = ofChainSql(this.of)
    const before = Math.floor(this.#now() / 1000) - DAY_S
    await this.#warehouse.writer.command({
      query: `
DELETE FROM base.${family.log.name}
WHERE ${ofChain}decided_at < toDateTime(${before})
  AND seq < ${this.#nextSeq - 1n} AND batch < ${this.#nextBatch - 1}
  AND batch IN (
    SELECT batch FROM base.${family.log.name} AS decisions
    WHERE ${ofChain}true
    GROUP BY batch
    HAVING argMax(reason, decisions.seq) = '${REMOVED}' AND max(decided_at) < toDateTime(${before})
  )`,
      clickhouse_settings: { lightweight_deletes_sync: '0' },
    })
  }

  #decide(
    batch: Omit<Batch, 'seq' | 'isLive' | 'reason' | 'decidedAt'>,
    isLive: boolean,
    reason: string,
  ): Batch {
    return { ...batch, seq: this.#nextSeq++, isLive, reason, decidedAt: Math.floor(this.#now() / 1000) }
  }

  async #write(decisions: readonly Batch[]): Promise<void> {
    if (decisions.length === 0) return
    const rows = rowsOfChain(this.of, decisions.map(rowOf))
    await this.#warehouse.insertRows(this.of.family.log, rows)
    for (const decision of decisions) this.#keep(decision)
  }

  #keep(decision: Batch): void {
    this.#inOrder = undefined
    this.#ranges = undefined
    this.#newest.set(decision.batch, decision)
    if (decision.isLive) this.#live.set(decision.batch, decision)
    else this.#live.delete(decision.batch)
    if (decision.reason === REMOVED) this.#newest.delete(decision.batch)
    this.#nextBatch = Math.max(this.#nextBatch, decision.batch + 1)
    if (decision.seq >= this.#nextSeq) this.#nextSeq = decision.seq + 1n
  }
}

type LogRow = Record<'batch' | 'fromHeight' | 'toHeight' | 'blockCount' | 'decidedAt', number> &
  Record<'seq' | 'firstPrevHash' | 'lastHash' | 'reason', string> & {
    readonly isLive: boolean
    readonly isIsland: boolean
    readonly origin: Batch['origin']
  }

const newestSql = (of: ChainOfFamily): string => `
SELECT
  batch, toString(seq) AS seq, is_live AS isLive, is_island AS isIsland,
  from_height AS fromHeight, to_height AS toHeight,
  lower(hex(first_prev_hash)) AS firstPrevHash, lower(hex(last_hash)) AS lastHash,
  block_count AS blockCount, origin, reason, toUnixTimestamp(decided_at) AS decidedAt
FROM base.${of.family.log.name} AS decisions
WHERE ${ofChainSql(of)}true
ORDER BY batch, decisions.seq DESC
LIMIT 1 BY batch`

const batchOf = (row: LogRow): Batch => ({ ...row, seq: BigInt(row.seq) })

const rowOf = (batch: Batch): BatchLogRow => ({
  ...batch,
  firstPrevHash: Buffer.from(batch.firstPrevHash, 'hex'),
  lastHash: Buffer.from(batch.lastHash, 'hex'),
})
