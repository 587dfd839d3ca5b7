import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Arena } from '#kernel/arena.ts'
import type { ColumnsOf, Table } from '#kernel/table.ts'
import { encodeNative, inputsOf, type Warehouse } from '#warehouse/index.ts'
import {
  btcBlocks,
  btcInputs,
  btcInscriptions,
  btcLayerOps,
  btcOutputs,
  btcTxs,
} from '#warehouse/tables/bitcoin.ts'
import { diskFull, isDiskFull } from './errors.ts'
import type { Chunk } from './rows/chunk.ts'

/**
 * Rows wait on disk, as one file in ClickHouse's Native form a table, until enough of them have come together: an insert
 * costs the engine the more the smaller it is (parts to write, index, merge), and what waits on disk takes no memory.
 * Files are written over rather than made anew: the kernel then need not find pages and disk blocks for them again.
 */
export type Staging = {
  /** An empty set of files. */
  open(): StagedRows
  /** Removes the files that are kept to be written over. For when no more rows are about to come. */
  tidy(): Promise<void>
  /** Removes what a stop has left. Nothing must be open. */
  clear(): Promise<void>
}

export type StagedRows = {
  /** Appends all rows of a chunk; `batchOf` says the batch of each of its blocks. The chunk may be let go afterwards. */
  append(chunk: Chunk, batchOf: Uint32Array): Promise<void>
  /** Inserts everything. `btc_outpoints` is filled by the engine. Nothing of it can be seen before a batch is committed. */
  load(): Promise<void>
  /** Lets the files go, once: others may write over them. */
  drop(): Promise<void>
}

/** Tables that are loaded one after the other; the two lanes run beside each other and take about as long. */
const LANES: readonly (readonly Table[])[] = [
  [btcOutputs],
  [btcInputs, btcTxs, btcBlocks, btcInscriptions, btcLayerOps],
]

export function createStaging(warehouse: Warehouse, home: string): Staging {
  const root = inputsOf(home)
  // Chunks are staged one after the other.
  const arena = new Arena()
  const spare: string[] = []
  let count = 0
  return {
    open() {
      const folder = spare.pop() ?? join(root, String(count++))
      return stagedRows(warehouse, folder, arena, () => spare.push(folder))
    },
    async tidy() {
      for (const folder of spare.splice(0)) await rm(folder, { recursive: true, force: true })
    },
    // The folder itself stays: the engine may read this one, and not another in its place.
    async clear() {
      const left = await readdir(root).catch(() => [])
      for (const name of left) await rm(join(root, name), { recursive: true, force: true })
    },
  }
}

/** A file that holds rows from its start on, and behind them what it held before. */
type StagedFile = { readonly handle: FileHandle; byteCount: number }

function stagedRows(warehouse: Warehouse, folder: string, arena: Arena, onDrop: () => void): StagedRows {
  const files = new Map<Table, StagedFile>()
  let isDropped = false
  const pathOf = (table: Table): string => join(folder, `${table.name}.native`)

  async function append<T extends Table>(table: T, columns: ColumnsOf<T>): Promise<void> {
    if (columns.rowCount === 0) return
    let file = files.get(table)
    if (file === undefined) {
      // An engine that runs as another user reads by the group, which what is made here has from the folder above.
      await mkdir(folder, { recursive: true })
      await chmod(folder, 0o2750)
      file = { handle: await open(pathOf(table), constants.O_RDWR | constants.O_CREAT, 0o640), byteCount: 0 }
      files.set(table, file)
      await file.handle.chmod(0o640)
    }
    await writeAll(file, encodeNative(table, columns, arena))
    arena.reset()
  }

  async function close(): Promise<void> {
    for (const { handle } of files.values()) await handle.close()
    files.clear()
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
      const staged = new Set(files.keys())
      for (const { handle, byteCount } of files.values()) await handle.truncate(byteCount)
      await close()
      const lanes = LANES.map(async tables => {
        for (const table of tables)
          if (staged.has(table)) await warehouse.insertNativeFile(table, pathOf(table))
      })
      const ends = await Promise.allSettled(lanes)
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
    async drop() {
      if (isDropped) return
      isDropped = true
      await close().catch(() => {})
      onDrop()
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
async function writeAll(file: StagedFile, parts: readonly Uint8Array[]): Promise<void> {
  let left = parts.filter(part => part.length > 0)
  while (left.length > 0) {
    let { bytesWritten } = await file.handle.writev(left, file.byteCount)
    file.byteCount += bytesWritten
    const rest = left.findIndex(part => {
      if (bytesWritten < part.length) return true
      bytesWritten -= part.length
      return false
    })
    left = rest < 0 ? [] : [left[rest]!.subarray(bytesWritten), ...left.slice(rest + 1)]
  }
}
