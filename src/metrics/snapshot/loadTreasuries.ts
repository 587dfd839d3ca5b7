import { type Catalog, CatalogError } from '#catalog/index.ts'
import { scriptOf } from '#chains/bitcoin/index.ts'
import { sentenceOf } from '#kernel/errors.ts'
import { treasuryAddresses, treasurySaid } from '#sources/recorded/treasuries.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { sources } from '#warehouse/tables/observations.ts'
import { treasuryLoads } from '#warehouse/tables/treasuries.ts'
import { ask } from '../ask.ts'
import { sha256Of } from './manifest.ts'
import { sourceRow } from './sourceRow.ts'

/**
 * Brings the catalogue's holders of bitcoin in where it says of them what it did not say when it was loaded last: all of
 * them anew, since readers see the latest load alone. Holders are written last: by them a load is there. Returns how many
 * came in. Throws `catalog.invalid` for an address that is none.
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
  const addresses = treasuries.flatMap(({ id, addresses: own }) =>
    own.map((address, place) => ({
      entity: id,
      address,
      script: scriptIn(id, place, address),
      loadedAt,
    })),
  )
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
    treasuryLoads.said,
    treasuries.flatMap(({ id, said }) =>
      said.map(({ heldSat, ...statement }, position) => ({
        ...statement,
        entity: id,
        position,
        heldSat: BigInt(heldSat),
        loadedAt,
      })),
    ),
  )
  await warehouse.insertRows(
    sources,
    [treasurySaid, treasuryAddresses].map(source => sourceRow(source, loadedAt)),
  )
  await warehouse.insertRows(treasuryLoads.addresses, addresses)
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
      mainBusiness: treasury.mainBusiness ?? '',
      catalogHash,
      loadedAt,
    })),
  )
  return treasuries.length
}

/** The output script of an address in a file of the catalogue. Throws `catalog.invalid` where it is none of the main network. */
function scriptIn(id: string, place: number, address: string): Uint8Array {
  try {
    return scriptOf(address, 'mainnet')
  } catch (cause) {
    const [file, field] = [`catalog/treasuries/${id}.json`, `addresses.${place}`]
    throw new CatalogError('catalog.invalid', `${file}, ${field}: ${sentenceOf(cause)}`, {
      facts: { file, field },
      cause,
    })
  }
}
