import type { Warehouse } from '#warehouse/index.ts'
import { BTC_BATCH_TABLES } from '#warehouse/tables/bitcoin.ts'
import { type Batch, type BatchLog, BEGUN } from './batchLog.ts'

/**
 * Deletes the rows of batches that are not live, keeps a line about each block that lost, and writes that they are gone.
 * Safe to repeat from any point: readers have not seen these rows since the decision was written.
 */
export async function removeBatches(
  warehouse: Warehouse,
  log: BatchLog,
  batches: readonly Batch[],
): Promise<void> {
  if (batches.length === 0) return
  const tookPart = batches.filter(batch => batch.reason !== BEGUN)
  if (tookPart.length > 0) await keepStaleBlocks(warehouse, tookPart)
  await deleteRows(warehouse, batches)
  await log.removed(batches)
}

async function deleteRows(warehouse: Warehouse, batches: readonly Batch[]): Promise<void> {
  const ids = batches.map(({ batch }) => batch).join(', ')
  const from = Math.min(...batches.map(({ fromHeight }) => fromHeight))
  const to = Math.max(...batches.map(({ toHeight }) => toHeight))
  for (const table of BTC_BATCH_TABLES)
    await warehouse.writer.command({
      query: `DELETE FROM base.${table.name} WHERE batch IN (${ids}) AND height BETWEEN ${from} AND ${to}`,
      // Kept by the engine at once, carried out when it comes to it, even after a restart: no reader sees the rows.
      clickhouse_settings: { lightweight_deletes_sync: '0' },
    })
}

/** Blocks of these batches whose hash no live block of the same height has. */
async function keepStaleBlocks(warehouse: Warehouse, batches: readonly Batch[]): Promise<void> {
  const ids = batches.map(({ batch }) => batch).join(', ')
  const heights = [...new Set(batches.flatMap(({ fromHeight, toHeight }) => [fromHeight, toHeight]))]
  await warehouse.writer.command({
    query: `
INSERT INTO base.btc_stale_blocks (height, hash, block_time, winner_hash, source, seen_at)
WITH
  held AS (
    SELECT height, hash
    FROM base.btc_blocks
    WHERE height BETWEEN ${Math.min(...heights)} AND ${Math.max(...heights)}
      AND batch IN (SELECT batch FROM base.btc_live_batches)
  )
SELECT lost.height, lost.hash, lost.block_time, held.hash, 'reorg', now()
FROM base.btc_blocks AS lost
LEFT JOIN held ON held.height = lost.height
WHERE lost.batch IN (${ids})
  AND lost.hash NOT IN (SELECT hash FROM held)
  AND lost.hash NOT IN (SELECT hash FROM base.btc_stale_blocks)`,
    clickhouse_settings: { join_use_nulls: 1 },
  })
}

/** A stale block that came back to the best chain is stale no more. */
export async function forgetStaleBlocks(
  warehouse: Warehouse,
  fromHeight: number,
  toHeight: number,
): Promise<void> {
  await warehouse.writer.command({
    query: `
DELETE FROM base.btc_stale_blocks
WHERE height BETWEEN ${fromHeight} AND ${toHeight}
  AND hash IN (
    SELECT hash
    FROM base.btc_blocks
    WHERE height BETWEEN ${fromHeight} AND ${toHeight}
      AND batch IN (SELECT batch FROM base.btc_live_batches)
  )`,
    clickhouse_settings: { lightweight_deletes_sync: '2' },
  })
}
