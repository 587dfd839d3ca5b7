import { fileURLToPath } from 'node:url'
import { testCatalog } from '#catalog/testing.ts'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openIngest } from '#ingest/index.ts'
import { openStacksIngest } from '#ingest/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import prints from '../../catalog/stacks/prints.json' with { type: 'json' }
import { createMetrics, type Metrics } from './createMetrics.ts'
import { loadSnapshot, type SnapshotProgress } from './snapshot/loadSnapshot.ts'

export const SNAPSHOT_DIR = fileURLToPath(new URL('../../snapshot', import.meta.url))

export type TestMetrics = AsyncDisposable & { readonly warehouse: Warehouse; readonly metrics: Metrics }

/** Metrics over a real warehouse without a row. */
export async function openEmptyMetrics(): Promise<TestMetrics & { readonly home: string }> {
  const warehouse = await openTestWarehouse({ memoryBytes: 2 ** 30 })
  return {
    warehouse,
    home: warehouse.home,
    metrics: createMetrics({ warehouse, catalog: await testCatalog(), log: silentLog }),
    [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
  }
}

/** Metrics over a real warehouse that holds the bundled snapshot. `reload` loads it once more. */
export async function openSnapshotMetrics(
  onProgress?: (progress: SnapshotProgress) => void,
): Promise<TestMetrics & { reload(): Promise<{ readonly isNew: boolean }> }> {
  const stack = new AsyncDisposableStack()
  try {
    const { warehouse, home, metrics } = stack.use(await openEmptyMetrics())
    const load = async () => {
      await using bitcoin = await openIngest({
        warehouse,
        codec: openBitcoinCodec({ network: 'mainnet' }),
        home,
        network: 'mainnet',
        log: silentLog,
      })
      await using stacks = await openStacksIngest({
        warehouse,
        codec: openStacksCodec(),
        prints: parsePrintCatalogue(prints),
        home,
        log: silentLog,
      })
      const ingest = { bitcoin, stacks }
      const catalog = await testCatalog()
      return await loadSnapshot({ warehouse, catalog, ingest, dir: SNAPSHOT_DIR, log: silentLog }, onProgress)
    }
    await load()
    return { warehouse, metrics, reload: load, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (cause) {
    await stack.disposeAsync()
    throw cause
  }
}
