import { bool, bytes, nullable, oneOf, type RowOf, type Table, text, time, u32, u64 } from '#kernel/table.ts'

/**
 * What all families of chains keep in the same columns: the number of the batch on each row, the log of decisions, the
 * blocks that lost, and what their ingest is doing. A family whose log serves many chains puts `chain` before them.
 */
export const batchNumber = u32(
  'the ingest batch that wrote the row; rows of a batch without a commit row do not exist for readers',
)

/**
 * The columns of a commit log. A batch is live when its newest row says so; the row that makes it live is written
 * after all its other rows, so a batch is whole or absent. A reorg appends rows with `isLive` false.
 */
export const batchLogColumns = <const Origin extends string>(origins: readonly Origin[]) => ({
  batch: batchNumber,
  seq: u64('order of decisions; the newest one of a batch holds'),
  isLive: bool('true: committed; false: taken back'),
  isIsland: bool('true: blocks without their neighbors, outside tip and reorg rules'),
  fromHeight: u32('lowest height in the batch'),
  toHeight: u32('highest height in the batch'),
  firstPrevHash: bytes(32, 'hash of the block before the first one'),
  lastHash: bytes(32, 'hash of the last block'),
  blockCount: u32('blocks in the batch'),
  origin: oneOf(origins, 'where the bytes came from'),
  reason: text(
    'empty for a commit; else `begun` (rows may be on their way), `removed` (no row is left), `aside` (kept, not canonical), `moved` (other batches hold its blocks), or why it was taken back',
  ),
  decidedAt: time('when, UTC'),
})

/** The log of any family, as the one mechanism sees it. */
export type BatchLogTable = Table<string, ReturnType<typeof batchLogColumns<string>>>
export type BatchLogRow = RowOf<BatchLogTable>

/** Stale blocks: seen, valid, not in the best chain. */
export const staleBlockColumns = (height: ReturnType<typeof u32>) => ({
  height,
  hash: bytes(32, 'hash of the stale block, display order'),
  blockTime: nullable(time('header time, UTC; null where only the hash is known')),
  winnerHash: nullable(bytes(32, 'hash of the block that won, display order')),
  source: text('who saw it'),
  seenAt: time('when it was recorded, UTC'),
})

/** What ingest is doing. `halted` waits for a person, `waiting` for the node. */
export const INGEST_STATES = ['following', 'backfilling', 'waiting', 'halted', 'stopped'] as const

/** The newest row of a chain holds. */
export const ingestStateColumns = () => ({
  changedAt: time('when, UTC'),
  seq: u64('order of changes; the newest one holds'),
  state: oneOf(INGEST_STATES, 'what ingest does since'),
  sentence: text('why, for a person; empty where there is nothing to say'),
  sourceTip: nullable(u32('height of the source’s newest block')),
  heldTip: nullable(u32('height of the newest block held of its chain')),
})

export type IngestStatesTable = Table<string, ReturnType<typeof ingestStateColumns>>
export type IngestStateRow = RowOf<IngestStatesTable>
