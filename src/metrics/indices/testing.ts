import { testCatalog } from '#catalog/testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { refreshIndices } from '../rollups/indexRuns.ts'
import { loadIndices } from '../snapshot/loadIndices.ts'
import { insertRecordings } from '../testing.ts'

/** Recordings without prices in dollars by asset that indices rest on. */
const RECORDED: readonly string[] = ['coingecko.markets.recorded']

/** Brings in the catalogue's indices with the recorded prices, supplies and volumes, and computes them. */
export async function fillIndices(warehouse: Warehouse): Promise<void> {
  const catalog = await testCatalog()
  await loadIndices(warehouse, catalog)
  await insertRecordings(warehouse, ({ id, price }) => price !== undefined || RECORDED.includes(id))
  await refreshIndices({ warehouse })
}

/** A warehouse with the catalogue's indices; `isBlank` without a price. */
export async function openIndexWarehouse({ isBlank = false } = {}): Promise<Warehouse & { home: string }> {
  const warehouse = await openTestWarehouse({ memoryBytes: 2 ** 30 })
  try {
    if (isBlank) await loadIndices(warehouse, await testCatalog())
    else await fillIndices(warehouse)
    return warehouse
  } catch (cause) {
    await warehouse[Symbol.asyncDispose]()
    throw cause
  }
}
