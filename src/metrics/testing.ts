import { fileURLToPath } from 'node:url'
import { testCatalog } from '#catalog/testing.ts'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openIngest } from '#ingest/index.ts'
import { openStacksIngest } from '#ingest/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import { inPhase } from '#kernel/phases.testing.ts'
import { RECORDINGS } from '#sources/all.ts'
import type { Recording } from '#sources/recording.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { copyMadeHome } from '#warehouse/madeHome.testing.ts'
import { sources } from '#warehouse/tables/observations.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import prints from '../../catalog/stacks/prints.json' with { type: 'json' }
import { createMetrics, type Metrics } from './createMetrics.ts'
import { insertRecording } from './snapshot/insertRecorded.ts'
import { RECORDS } from './snapshot/insertRecords.ts'
import { loadSnapshot, type SnapshotProgress } from './snapshot/loadSnapshot.ts'
import { readManifest, readSnapshotFile } from './snapshot/manifest.ts'
import { sourceRow } from './snapshot/sourceRow.ts'

export const SNAPSHOT_DIR = fileURLToPath(new URL('../../snapshot', import.meta.url))

export type TestMetrics = AsyncDisposable & {
  readonly warehouse: Warehouse & { readonly home: string }
  readonly metrics: Metrics
}

/** Metrics over a real warehouse without a row, or over what `home` holds. */
export async function openEmptyMetrics(home?: string): Promise<TestMetrics & { readonly home: string }> {
  const warehouse = await openTestWarehouse({ memoryBytes: 2 ** 30, ...(home !== undefined && { home }) })
  return {
    warehouse,
    home: warehouse.home,
    metrics: createMetrics({ warehouse, catalog: await testCatalog(), log: silentLog }),
    [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
  }
}

/**
 * Metrics over a real warehouse that holds the bundled snapshot. `reload` loads it once more. With `onProgress` it is loaded
 * anew, else copied from what this run of the tests has loaded before.
 */
export async function openSnapshotMetrics(
  onProgress?: (progress: SnapshotProgress) => void,
): Promise<TestMetrics & { reload(): Promise<{ readonly isNew: boolean }> }> {
  await using stack = new AsyncDisposableStack()
  const copy = onProgress === undefined ? await copySnapshotHome() : undefined
  if (copy) stack.use(copy)
  const opened = stack.use(await openEmptyMetrics(copy?.home))
  const { warehouse, metrics } = opened
  if (!copy) await load(opened, onProgress)
  const kept = stack.move()
  return { warehouse, metrics, reload: () => load(opened), [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** A data folder that holds the bundled snapshot, loaded once in a run of all tests; undefined where tests run alone. */
export const copySnapshotHome = (): ReturnType<typeof copyMadeHome> =>
  copyMadeHome('snapshot', async home => {
    await using empty = await openEmptyMetrics(home)
    await load(empty)
  })

/** Loads the bundled snapshot as the program does at its start. */
async function load(
  { warehouse, home }: Pick<TestMetrics, 'warehouse'> & { readonly home: string },
  onProgress?: (progress: SnapshotProgress) => void,
) {
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
  return await inPhase('load of the snapshot', () =>
    loadSnapshot({ warehouse, catalog, ingest, dir: SNAPSHOT_DIR, log: silentLog }, onProgress),
  )
}

/** Recorded series of the bundled snapshot into a warehouse that holds none of it: those that are wanted. */
export async function insertRecordings(
  warehouse: Warehouse,
  isWanted: (recording: Recording) => boolean,
): Promise<void> {
  const catalog = await testCatalog()
  const { files } = await readManifest(SNAPSHOT_DIR)
  for (const recording of RECORDINGS.filter(isWanted)) {
    const file = files.find(({ source }) => source === recording.id)
    if (file === undefined) continue
    const text = (await readSnapshotFile(SNAPSHOT_DIR, file)).toString('utf8')
    await RECORDS[recording.id]?.insert(warehouse, text)
    await insertRecording(warehouse, recording, text, catalog)
    const recordedAt = Date.parse(`${recording.recordedOn}T00:00:00Z`) / 1000
    await warehouse.insertRows(sources, [sourceRow(recording, recordedAt)])
  }
}
