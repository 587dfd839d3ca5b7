import type { ColumnsOf, Table } from '#kernel/table.ts'
import type { Warehouse } from '#warehouse/index.ts'
import {
  btcBlocks,
  btcInputs,
  btcInscriptions,
  btcLayerOps,
  btcOutputs,
  btcTxs,
} from '#warehouse/tables/bitcoin.ts'
import type { Chunk } from './rows/chunk.ts'

/**
 * Inserts all rows of a chunk; `batchOf` says the batch of each of its blocks. `btc_outpoints` is filled by the engine.
 * Nothing of it can be seen before the batches are committed.
 */
export async function writeChunk(warehouse: Warehouse, chunk: Chunk, batchOf: Uint32Array): Promise<void> {
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

  const insert = async <T extends Table>(table: T, columns: ColumnsOf<T>): Promise<void> => {
    if (columns.rowCount > 0) await warehouse.insertColumns(table, columns)
  }
  await Promise.all([
    insert(btcOutputs, outputs),
    insert(btcInputs, inputs),
    insert(btcTxs, txs),
    insert(btcBlocks, blocks),
    insert(btcInscriptions, inscriptions),
    insert(btcLayerOps, layerOps),
  ])
}
