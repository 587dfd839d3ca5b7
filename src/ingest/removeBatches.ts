import { type ChainOfFamily, isLiveSql, ofChainSql, type Warehouse } from '#warehouse/index.ts'
import { type Batch, type BatchLog, BEGUN, MOVED } from './batchLog.ts'

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
  const tookPart = batches.filter(({ reason }) => reason !== BEGUN && reason !== MOVED)
  if (tookPart.length > 0) await keepStaleBlocks(warehouse, log.of, tookPart)
  await deleteRows(warehouse, log.of, batches)
  await log.removed(batches)
}

async function deleteRows(warehouse: Warehouse, of: ChainOfFamily, batches: readonly Batch[]): Promise<void> {
  const ids = batches.map(({ batch }) => batch).join(', ')
  const from = Math.min(...batches.map(({ fromHeight }) => fromHeight))
  const to = Math.max(...batches.map(({ toHeight }) => toHeight))
  for (const table of of.family.tables)
    await warehouse.writer.command({
      query: `DELETE FROM base.${table.name} WHERE ${ofChainSql(of)}batch IN (${ids}) AND height BETWEEN ${from} AND ${to}`,
      // Kept by the engine at once, carried out when it comes to it, even after a restart: no reader sees the rows.
      clickhouse_settings: { lightweight_deletes_sync: '0' },
    })
}

/** Blocks of these batches whose hash no live block of the same height has. */
async function keepStaleBlocks(
  warehouse: Warehouse,
  of: ChainOfFamily,
  batches: readonly Batch[],
): Promise<void> {
  const { family } = of
  const ids = batches.map(({ batch }) => batch).join(', ')
  const heights = [...new Set(batches.flatMap(({ fromHeight, toHeight }) => [fromHeight, toHeight]))]
  const chain = family.key.includes('chain') ? 'chain, ' : ''
  const time = 'blockTime' in family.blocks.columns ? 'lost.block_time' : 'NULL'
  await warehouse.writer.command({
    query: `
INSERT INTO base.${family.stale.name} (${chain}height, hash, block_time, winner_hash, source, seen_at)
WITH
  held AS (
    SELECT height, hash
    FROM base.${family.blocks.name}
    WHERE ${ofChainSql(of)}height BETWEEN ${Math.min(...heights)} AND ${Math.max(...heights)}
      AND ${isLiveSql(family)}
  )
SELECT ${chain && 'lost.chain, '}lost.height, lost.hash, ${time}, held.hash, 'reorg', now()
FROM base.${family.blocks.name} AS lost
LEFT JOIN held ON held.height = lost.height
WHERE ${ofChainSql(of, 'lost')}lost.batch IN (${ids})
  AND lost.hash NOT IN (SELECT hash FROM held)
  AND lost.hash NOT IN (SELECT hash FROM base.${family.stale.name})`,
    clickhouse_settings: { join_use_nulls: 1 },
  })
}

/** A stale block that came back to the best chain is stale no more. */
export async function forgetStaleBlocks(
  warehouse: Warehouse,
  of: ChainOfFamily,
  fromHeight: number,
  toHeight: number,
): Promise<void> {
  const { family } = of
  const there = `${ofChainSql(of)}height BETWEEN ${fromHeight} AND ${toHeight}`
  await warehouse.writer.command({
    query: `
DELETE FROM base.${family.stale.name}
WHERE ${there}
  AND hash IN (
    SELECT hash
    FROM base.${family.blocks.name}
    WHERE ${there}
      AND ${isLiveSql(family)}
  )`,
    clickhouse_settings: { lightweight_deletes_sync: '2' },
  })
}
