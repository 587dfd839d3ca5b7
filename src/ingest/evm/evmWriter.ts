import type { EventIndex, EvmCodec, Hex } from '#chains/evm/index.ts'
import { type EvmSource, NodeError, type SourcedBlock } from '#chains/evm/node/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import type { Warehouse } from '#warehouse/index.ts'
import {
  evmBlocks,
  evmBridges,
  evmContracts,
  evmLending,
  evmLogs,
  evmSwaps,
  evmTransfers,
  evmTxs,
} from '#warehouse/tables/evm.ts'
import type { Batch, BatchLog, BatchPlan } from '../batchLog.ts'
import { commitBatches } from '../commitBatches.ts'
import { forgetStaleBlocks } from '../removeBatches.ts'
import { type EvmColumns, openEvmRows } from '../rows/evm/evmRows.ts'
import type { Committed } from '../run.ts'
import type { TokenKeeper } from './tokenKeeper.ts'

export type EvmRunDeps = {
  readonly warehouse: Warehouse
  readonly batches: BatchLog
  readonly layer: EvmLayer
  readonly codec: EvmCodec
  readonly events: EventIndex
  readonly source: EvmSource
  readonly limits: EvmLimits
  readonly tokens: TokenKeeper
  /** Heights of which a stale block is on record. */
  readonly staleHeights: Set<number>
}

export type EvmLimits = {
  /** Blocks that a batch of a backfill covers: batches begin at multiples of it. */
  readonly batchBlocks: number
  /** About what the rows of one load may take in memory. */
  readonly loadBytes: number
  /** Every so many blocks all endpoints are asked whether it is theirs too. */
  readonly crossCheckEvery: number
}

export const EVM_LIMITS: EvmLimits = {
  batchBlocks: 1_000,
  loadBytes: 32 * 1024 * 1024,
  crossCheckEvery: 10_000,
}

/** A stretch of the source's chain to write over what is held, or behind it. */
export type EvmRun = {
  readonly fromHeight: number
  readonly toHeight: number
  /** Hash of the block before the first one, where it is held. */
  readonly before: string | undefined
  /** From this height on, a batch a block: a reorg then takes back no more than it must. */
  readonly singleFromHeight: number
  /** Live batches that give way with the first load. */
  readonly replaces: readonly Batch[]
  readonly why: string
  readonly onCommit: (committed: Committed) => void
  readonly signal?: AbortSignal | undefined
}

type Numbered = BatchPlan & Pick<Batch, 'batch'>

/** What is loaded and committed together. */
type Unit = { readonly plans: Numbered[]; bytes: number; readonly toConfirm: { height: number; hash: Hex }[] }

/** As the log has it: without `0x`. */
export const bare = (hash: Hex): string => hash.slice(2)

/**
 * Reads, checks and writes a run; while one load is written the next is read. Every load is whole or absent, and loads
 * are committed in order. Throws what the source throws, and `node.reorged` where the run does not follow on what is held.
 */
export async function writeRun(deps: EvmRunDeps, run: EvmRun): Promise<void> {
  const { source, limits } = deps
  const rows = openEvmRows(deps.layer, deps.codec, deps.events)
  let unit: Unit = openUnit()
  let replaces = run.replaces
  let loading: Promise<void> = Promise.resolve()
  let before = run.before

  async function startLoad(): Promise<void> {
    await loading
    if (unit.plans.length === 0) return
    const [full, columns, givesWay] = [unit, rows.take(), replaces]
    unit = openUnit()
    replaces = []
    loading = load(deps, run, full, columns, givesWay)
    // Reported by whoever waits for it next; until then a failure must not count as unhandled.
    loading.catch(() => {})
  }

  try {
    for await (const sourced of source.blocks(run.fromHeight, run.toHeight, run.signal)) {
      run.signal?.throwIfAborted()
      const { header } = sourced.block
      if (before !== undefined && bare(header.parentHash) !== before)
        throw notOurs(source.name, header.number)
      before = bare(header.hash)
      const height = header.number
      rows.add(numberFor(deps.batches, unit, sourced, run.singleFromHeight, limits), sourced)
      unit.bytes += bytesOf(sourced)
      if (height === run.toHeight || height % limits.crossCheckEvery === 0)
        unit.toConfirm.push({ height, hash: header.hash })
      const isWhole = unit.plans.length === 1 && (height + 1) % limits.batchBlocks === 0
      if (isWhole || unit.bytes >= limits.loadBytes) await startLoad()
    }
    await startLoad()
  } finally {
    await loading
  }
}

const openUnit = (): Unit => ({ plans: [], bytes: 0, toConfirm: [] })

/** The batch that a block belongs to: the one under way, or a new one. */
function numberFor(
  batches: BatchLog,
  { plans }: Unit,
  { block: { header } }: SourcedBlock,
  singleFromHeight: number,
  { batchBlocks }: EvmLimits,
): number {
  const { number: height } = header
  const last = plans.at(-1)
  const lastHash = bare(header.hash)
  if (last !== undefined && height < singleFromHeight && height % batchBlocks !== 0) {
    plans[plans.length - 1] = { ...last, toHeight: height, lastHash, blockCount: last.blockCount + 1 }
    return last.batch
  }
  const batch = batches.nextNumber()
  plans.push({
    batch,
    isIsland: false,
    fromHeight: height,
    toHeight: height,
    firstPrevHash: bare(header.parentHash),
    lastHash,
    blockCount: 1,
    origin: 'rpc',
  })
  return batch
}

async function load(
  { warehouse, batches, source, tokens, staleHeights }: EvmRunDeps,
  run: EvmRun,
  { plans, toConfirm }: Unit,
  columns: EvmColumns,
  replaces: readonly Batch[],
): Promise<void> {
  // With a single endpoint there is nobody else to ask.
  if (source.client.health().length > 1)
    for (const { height, hash } of toConfirm) await source.crossCheck(height, hash, run.signal)
  const gaveWay = await commitBatches(warehouse, batches, {
    plans,
    replaces,
    why: run.why,
    insert: () => insertRows(warehouse, columns),
  })
  const [first, last] = [plans[0]!.fromHeight, plans.at(-1)!.toHeight]
  for (const { fromHeight, toHeight } of gaveWay) {
    tokens.forget(fromHeight, toHeight)
    for (let height = fromHeight; height <= toHeight; height++) staleHeights.add(height)
  }
  tokens.note(columns.transfers)
  for (let height = first; height <= last; height++)
    if (staleHeights.has(height)) {
      await forgetStaleBlocks(warehouse, batches.of, first, last)
      break
    }
  const rowCount = Object.values(columns).reduce((sum, one) => sum + one.rowCount, 0)
  const blockCount = plans.reduce((sum, plan) => sum + plan.blockCount, 0)
  run.onCommit({ toHeight: last, blockCount, rowCount })
}

/** Two tables at a time: those of transactions and those of logs take about as long. Nothing of it can be seen yet. */
async function insertRows(warehouse: Warehouse, columns: EvmColumns): Promise<void> {
  const ends = await Promise.allSettled([
    (async () => {
      await warehouse.insertColumns(evmTxs, columns.txs)
      await warehouse.insertColumns(evmBlocks, columns.blocks)
      await warehouse.insertColumns(evmContracts, columns.contracts)
    })(),
    (async () => {
      await warehouse.insertColumns(evmLogs, columns.logs)
      await warehouse.insertColumns(evmTransfers, columns.transfers)
      await warehouse.insertColumns(evmSwaps, columns.swaps)
      await warehouse.insertColumns(evmLending, columns.lending)
      await warehouse.insertColumns(evmBridges, columns.bridges)
    })(),
  ])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** About what the rows of a block take: fixed columns, and two bytes of text for each byte of input and data. */
function bytesOf({ block: { transactions, receipts } }: SourcedBlock): number {
  let bytes = 400
  for (const { input } of transactions) bytes += 500 + input.length / 2
  for (const { logs } of receipts ?? []) for (const { data } of logs) bytes += 600 + data.length / 2
  return bytes
}

const notOurs = (name: string, height: number): NodeError =>
  new NodeError(
    'node.reorged',
    `The chain changed while block ${height} was requested from ${name}. Its parent is not the indexed block below it.`,
    { facts: { number: height } },
  )
