import { testCatalog } from '#catalog/testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { refreshUsdDaily } from '../rollups/usdDaily.ts'
import { loadYields } from '../snapshot/loadYields.ts'
import { insertRecordings } from '../testing.ts'

/** Brings in the catalogue's ways to earn with the recorded pools, lists and prices. */
export async function fillYields(warehouse: Warehouse): Promise<void> {
  await loadYields(warehouse, await testCatalog())
  await insertRecordings(
    warehouse,
    ({ id, price }) => price !== undefined || id.startsWith('defillama.yield'),
  )
  await refreshUsdDaily(warehouse.writer)
}
