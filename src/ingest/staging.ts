import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Arena } from '#kernel/arena.ts'
import type { ColumnsOf, Table } from '#kernel/table.ts'
import { encodeNative, type Warehouse } from '#warehouse/index.ts'
import {
  btcBlocks,
  btcInputs,
  btcInscriptions,
  btcLayerOps,
  btcOutputs,
  btcTxs,
} from '#warehouse/tables/bitcoin.ts'
import { IngestError } from './errors.ts'
import type { Chunk } from './rows/chunk.ts'

/**
 * Rows wait on disk, as one file in ClickHouse's Native form a table, until enough of them have come together: an insert
 * costs the engine the more the smaller it is (parts to write, index, merge), and what waits on disk takes no memory.
 */
export type Staging = {
  /** A new, empty set of files. */
  open(): StagedRows
  /** Removes what a stop has left. Nothing must be open. */
  clear(): Promise<void>
}

export type StagedRows = {
  /** Appends all rows of a chunk; `batchOf` says the batch of each of its blocks. The chunk may be let go afterwards. */
  append(chunk: Chunk, batchOf: Uint32Array): Promise<void>
  /** Inserts everything. `btc_outpoints` is filled by the engine. Nothing of it can be seen before a batch is committed. */
  load(): Promise<void>
  /** Removes the files. */
  drop(): Promise<void>
}

/** Tables that are loaded one after the other; the two lanes run beside each other and take about as long. */
const LANES: readonly (readonly Table[])[] = [
  [btcOutputs],
  [btcInputs, btcTxs, btcBlocks, btcInscriptions, btcLayerOps],
]

export function createStaging(warehouse: Warehouse, home: string): Staging {
  const root = join(home, 'staging')
  // Chunks are staged one after the other.
  const arena = new Arena()
  let count = 0
  return {
    open: () => stagedRows(warehouse, join(root, String(count++)), arena),
    clear: () => rm(root, { recursive: true, force: true }),
  }
}

function stagedRows(warehouse: Warehouse, folder: string, arena: Arena): StagedRows {
  const files = new Map<Table, FileHandle>()
  const pathOf = (table: Table): string => join(folder, `${table.name}.native`)

  async function append<T extends Table>(table: T, columns: ColumnsOf<T>): Promise<void> {
    if (columns.rowCount === 0) return
    let file = files.get(table)
    if (file === undefined) {
      await mkdir(folder, { recursive: true })
      file = await open(pathOf(table), 'wx', 0o600)
      files.set(table, file)
    }
    await writeAll(file, encodeNative(table, columns, arena))
    arena.reset()
  }

  async function close(): Promise<void> {
    for (const file of files.values()) await file.close()
  }

  return {
    async append(chunk, batchOf) {
      setBatches(chunk, batchOf)
      try {
        await append(btcOutputs, chunk.outputs)
        await append(btcInputs, chunk.inputs)
        await append(btcTxs, chunk.txs)
        await append(btcBlocks, chunk.blocks)
        await append(btcInscriptions, chunk.inscriptions)
        await append(btcLayerOps, chunk.layerOps)
      } catch (cause) {
        throw isDiskFull(cause) ? diskFull(folder, cause) : cause
      }
    },
    async load() {
      await close()
      const lanes = LANES.map(async tables => {
        for (const table of tables)
          if (files.has(table)) await warehouse.insertNativeFile(table, pathOf(table))
      })
      const ends = await Promise.allSettled(lanes)
      files.clear()
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
    async drop() {
      await close().catch(() => {})
      files.clear()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function setBatches(chunk: Chunk, batchOf: Uint32Array): void {
  const { blocks, txs, inputs, outputs, inscriptions, layerOps, firstTx, firstInput, firstOutput } = chunk
  const perBlock = (batch: Uint32Array, firstRow: (block: number) => number): void => {
    for (let block = 0; block < batchOf.length; block++)
      batch.fill(batchOf[block]!, firstRow(block), firstRow(block + 1))
  }
  perBlock(blocks.batch, block => block)
  perBlock(txs.batch, block => firstTx[block]!)
  perBlock(inputs.batch, block => firstInput[firstTx[block]!]!)
  perBlock(outputs.batch, block => firstOutput[firstTx[block]!]!)
  const byHeight = new Map(chunk.placed.map(({ height }, block) => [height, batchOf[block]!]))
  for (const { batch, height } of [inscriptions, layerOps])
    height.forEach((one, row) => {
      batch[row] = byHeight.get(one)!
    })
}

/** A write may take less than it was given: what is left is written again, or says why not. */
async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  let left = parts.filter(part => part.length > 0)
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left)
    const rest = left.findIndex(part => {
      if (bytesWritten < part.length) return true
      bytesWritten -= part.length
      return false
    })
    left = rest < 0 ? [] : [left[rest]!.subarray(bytesWritten), ...left.slice(rest + 1)]
  }
}

const isDiskFull = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT')

const diskFull = (folder: string, cause: unknown): IngestError =>
  new IngestError('ingest.disk_full', `The disk that holds ${folder} is full.`, {
    hint: 'Free space there, then go on: what was committed is held, nothing else was written.',
    cause,
  })
