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
  const perBlock = (rows: number, firstRow: (block: number) => number): Uint32Array => {
    const batch = new Uint32Array(rows)
    for (let block = 0; block < batchOf.length; block++)
      batch.fill(batchOf[block]!, firstRow(block), firstRow(block + 1))
    return batch
  }
  const byHeight = new Map(chunk.placed.map(({ height }, block) => [height, batchOf[block]!]))
  const perHeight = ({ height }: { readonly height: Uint32Array }): Uint32Array =>
    Uint32Array.from(height, one => byHeight.get(one)!)

  const insert = async <T extends Table>(table: T, columns: ColumnsOf<T>): Promise<void> => {
    if (columns.rowCount > 0) await warehouse.insertColumns(table, columns)
  }
  await Promise.all([
    insert(btcOutputs, {
      ...outputs,
      batch: perBlock(outputs.rowCount, block => firstOutput[firstTx[block]!]!),
    }),
    insert(btcInputs, { ...inputs, batch: perBlock(inputs.rowCount, block => firstInput[firstTx[block]!]!) }),
    insert(btcTxs, { ...txs, batch: perBlock(txs.rowCount, block => firstTx[block]!) }),
    insert(btcBlocks, { ...blocks, batch: Uint32Array.from(batchOf) }),
    insert(btcInscriptions, { ...inscriptions, batch: perHeight(inscriptions) }),
    insert(btcLayerOps, { ...layerOps, batch: perHeight(layerOps) }),
  ])
}
