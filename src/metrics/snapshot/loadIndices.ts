import type { Catalog } from '#catalog/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { indexLoads } from '#warehouse/tables/indices.ts'
import { ask } from '../ask.ts'
import { sha256Of } from './manifest.ts'

/**
 * Brings the catalogue's indices in where it says of them what it did not say when it was loaded last: all of them anew,
 * since readers see the latest load alone. Rules are written last: by them a load is there. Returns how many came in.
 */
export async function loadIndices(
  warehouse: Warehouse,
  { indices, tokens }: Pick<Catalog, 'indices' | 'tokens'>,
): Promise<number> {
  const known = new Map(tokens.map(token => [token.id, token]))
  const members = indices.flatMap(({ id, members: own }) =>
    own.map(({ token, why, feesOf }, position) => ({
      indexId: id,
      position,
      token,
      symbol: known.get(token)?.symbol ?? token,
      asset: known.get(token)?.priceAsset ?? '',
      why,
      feesOf: feesOf ?? '',
    })),
  )
  const catalogHash = sha256Of(Buffer.from(JSON.stringify([indices, members])))
  const [last] = await ask<{ loaded: number; hash: string }>(
    warehouse.reader,
    `SELECT toUInt32(toUnixTimestamp(loaded_at)) AS loaded, catalog_hash AS hash
FROM index_rule_loads
ORDER BY loaded_at DESC
LIMIT 1`,
  )
  if (last?.hash === catalogHash || indices.length === 0) return 0
  // Two loads within a second would be one.
  const loadedAt = Math.max(Math.floor(Date.now() / 1000), Number(last?.loaded ?? 0) + 1)
  await warehouse.insertRows(
    indexLoads.members,
    members.map(member => ({ ...member, loadedAt })),
  )
  await warehouse.insertRows(
    indexLoads.rules,
    indices.map(
      ({ id, name, sentence, universe, weighting, maxWeight, minAgeDays, volumeFloorUsd, costBps }) => ({
        indexId: id,
        name,
        sentence,
        universe,
        weighting,
        maxWeight,
        minAgeDays,
        volumeFloorUsd,
        costBps,
        catalogHash,
        loadedAt,
      }),
    ),
  )
  return indices.length
}
