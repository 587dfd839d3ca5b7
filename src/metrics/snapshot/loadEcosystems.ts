import { type Catalog, pageOfEcosystem } from '#catalog/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { developerLoads } from '#warehouse/tables/developers.ts'
import { ask } from '../ask.ts'
import { sha256Of } from './manifest.ts'

/**
 * Brings the catalogue's ecosystems in where it says of them what it did not say when it was loaded last: all of them anew,
 * since readers see the latest load alone. Ecosystems are written last: by them a load is there. Returns how many came in.
 */
export async function loadEcosystems(
  warehouse: Warehouse,
  { ecosystems, layers }: Pick<Catalog, 'ecosystems' | 'layers'>,
): Promise<number> {
  const catalogHash = sha256Of(
    Buffer.from(JSON.stringify(ecosystems.map(each => [each, pageOfEcosystem(each.id, { layers })]))),
  )
  const [last] = await ask<{ loaded: number; hash: string }>(
    warehouse.writer,
    `SELECT toUInt32(loaded_at) AS loaded, catalog_hash AS hash
FROM base.dev_ecosystem_loads
ORDER BY loaded_at DESC
LIMIT 1`,
  )
  if (last?.hash === catalogHash || ecosystems.length === 0) return 0
  // Two loads within a second would be one.
  const loadedAt = Math.max(Math.floor(Date.now() / 1000), Number(last?.loaded ?? 0) + 1)
  const names = [
    ...new Map(
      ecosystems.flatMap(({ repositories }) => repositories).map(each => [each.name, each.isFork === true]),
    ),
  ]
    .sort(([a, isFork], [b, isOtherFork]) => Number(isFork) - Number(isOtherFork) || (a < b ? -1 : 1))
    .map(([name]) => name)
  const places = new Map(names.map((name, place) => [name, place]))
  await warehouse.insertRows(
    developerLoads.repositories,
    ecosystems.flatMap(({ id, repositories }) =>
      repositories.map(({ name, url, licence, isFork, recorded, note }) => ({
        ecosystem: id,
        repository: name,
        place: places.get(name) ?? 0,
        url,
        licence: licence ?? '',
        isFork: isFork === true,
        recordedFromDay: recorded?.from ?? null,
        recordedToDay: recorded?.to ?? null,
        note: note ?? '',
        loadedAt,
      })),
    ),
  )
  await warehouse.insertRows(
    developerLoads.programmes,
    ecosystems.flatMap(({ id, programmes }) =>
      programmes.map(({ name, from, to, note, url }) => ({
        ecosystem: id,
        name,
        fromDay: from,
        toDay: to ?? null,
        note,
        url,
        loadedAt,
      })),
    ),
  )
  await warehouse.insertRows(
    developerLoads.ecosystems,
    ecosystems.map(({ id, name, listed }) => ({
      ecosystem: id,
      name,
      page: pageOfEcosystem(id, { layers }) ?? '',
      listedRepositories: listed?.repositories ?? null,
      listedOwn: listed?.own ?? null,
      listedDay: listed?.asOf ?? null,
      catalogHash,
      loadedAt,
    })),
  )
  return ecosystems.length
}
