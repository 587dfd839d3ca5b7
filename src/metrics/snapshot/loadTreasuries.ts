import type { Catalog } from '#catalog/index.ts'
import { scriptOf } from '#chains/bitcoin/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { treasuryLoads } from '#warehouse/tables/treasuries.ts'
import { ask } from '../ask.ts'
import { sha256Of } from './manifest.ts'

/**
 * Brings the catalogue's holders of bitcoin in where it says of them what it did not say when it was loaded last: all of
 * them anew, since readers see the latest load alone. Holders are written last: by them a load is there. Returns how many
 * came in.
 */
export async function loadTreasuries(
  warehouse: Warehouse,
  { treasuries }: Pick<Catalog, 'treasuries'>,
): Promise<number> {
  const catalogHash = sha256Of(Buffer.from(JSON.stringify(treasuries)))
  const [last] = await ask<{ loaded: number; hash: string }>(
    warehouse.reader,
    `SELECT toUInt32(toUnixTimestamp(loaded_at)) AS loaded, catalog_hash AS hash
FROM treasury_holder_loads
ORDER BY loaded_at DESC
LIMIT 1`,
  )
  if (last?.hash === catalogHash || treasuries.length === 0) return 0
  // Two loads within a second would be one.
  const loadedAt = Math.max(Math.floor(Date.now() / 1000), Number(last?.loaded ?? 0) + 1)
  await warehouse.insertRows(
    treasuryLoads.instruments,
    treasuries.flatMap(({ id, instruments }) =>
      instruments.map((instrument, position) => ({
        entity: id,
        position,
        kind: instrument.kind,
        strikeUsd: instrument.strikeUsd ?? null,
        shares: BigInt(instrument.shares),
        issuedDay: instrument.issued ?? null,
        expiresDay: instrument.expires ?? null,
        faceUsd: instrument.faceUsd === undefined ? null : BigInt(instrument.faceUsd),
        loadedAt,
      })),
    ),
  )
  await warehouse.insertRows(
    treasuryLoads.addresses,
    treasuries.flatMap(({ id, addresses }) =>
      addresses.map(address => ({ entity: id, address, script: scriptOf(address, 'mainnet'), loadedAt })),
    ),
  )
  await warehouse.insertRows(
    treasuryLoads.holders,
    treasuries.map(treasury => ({
      entity: treasury.id,
      name: treasury.name,
      kind: treasury.kind,
      country: treasury.country,
      ticker: treasury.ticker ?? '',
      currency: treasury.currency ?? '',
      issuer: treasury.issuer ?? '',
      website: treasury.website ?? '',
      secCik: treasury.secCik ?? '',
      startDay: treasury.start ?? null,
      costAverageUsd: treasury.costAverageUsd ?? null,
      costDay: treasury.costDay ?? null,
      note: treasury.note ?? '',
      noMnav: treasury.noMnav ?? '',
      catalogHash,
      loadedAt,
    })),
  )
  return treasuries.length
}
