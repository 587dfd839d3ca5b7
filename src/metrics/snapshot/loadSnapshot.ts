import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Catalog } from '#catalog/index.ts'
import type { Ingest } from '#ingest/index.ts'
import type { StacksIngest } from '#ingest/stacks/index.ts'
import type { Log } from '#kernel/log.ts'
import { RECORDINGS, sourcesOf } from '#sources/all.ts'
import { difficultyEpochs, getblockstats, staleBlocks } from '#sources/bitcoin.ts'
import { chainSourceOf, rootstockHeaders } from '#sources/layers.ts'
import type { SourceDeclaration } from '#sources/source.ts'
import { BASE_DATABASE, type Warehouse } from '#warehouse/index.ts'
import { sources } from '#warehouse/tables/observations.ts'
import { ask } from '../ask.ts'
import { refreshDevelopers } from '../developers/refresh.ts'
import { MetricsError } from '../errors.ts'
import { refreshRollups } from '../rollups/refresh.ts'
import { insertEpochs, insertRecording, insertStale, insertStatistics } from './insertRecorded.ts'
import { RECORDS } from './insertRecords.ts'
import { loadAssessments } from './loadAssessments.ts'
import { loadEcosystems } from './loadEcosystems.ts'
import { loadIndices } from './loadIndices.ts'
import { loadTreasuries } from './loadTreasuries.ts'
import { loadYields } from './loadYields.ts'
import { type Manifest, readManifest, readSnapshotFile, type SnapshotFile } from './manifest.ts'
import { sourceRow } from './sourceRow.ts'

export type SnapshotProgress = {
  readonly step: 'series' | 'blocks' | 'rollups'
  readonly done: number
  readonly total: number
}

/** What the snapshot's blocks are taken in by: the same that takes in a node's. */
export type SnapshotIngest = {
  readonly bitcoin: Pick<Ingest, 'ingestFiles' | 'status'>
  readonly stacks: Pick<StacksIngest, 'ingestArchive' | 'status'>
}

/**
 * Brings the bundled snapshot in: the catalogue's assessments, statistics and recorded series, then blocks through the real ingest, then rollups. What
 * is already there is left alone, so it may be stopped at any time and called again. Returns whether anything was new.
 * Throws `metrics.snapshot` where the folder is not as its manifest says.
 */
export async function loadSnapshot(
  given: { warehouse: Warehouse; catalog: Catalog; ingest: SnapshotIngest; dir: string; log: Log },
  onProgress?: (progress: SnapshotProgress) => void,
): Promise<{ readonly isNew: boolean }> {
  const { warehouse, catalog, ingest, dir, log } = given
  const manifest = await readManifest(dir)
  const grades = await loadAssessments(warehouse, catalog)
  const ecosystems = await loadEcosystems(warehouse, catalog)
  const holders = await loadTreasuries(warehouse, catalog)
  const indices = await loadIndices(warehouse, catalog)
  const opportunities = await loadYields(warehouse, catalog)
  const series = await loadSeries({ warehouse, catalog, dir, manifest }, onProgress)
  const blocks =
    (await loadBlocks(ingest.bitcoin, dir, manifest, onProgress)) +
    (await loadStacks(ingest.stacks, dir, manifest, onProgress))
  const { buckets } = await refreshRollups({ warehouse, catalog, log }, progress =>
    onProgress?.({ step: 'rollups', done: progress.done, total: progress.total }),
  )
  await refreshDevelopers({ warehouse, log })
  const isNew = grades + holders + ecosystems + indices + opportunities + series + blocks > 0
  if (isNew)
    log.info('snapshot loaded', {
      grades,
      holders,
      ecosystems,
      indices,
      opportunities,
      sources: series,
      blockFiles: blocks,
      buckets,
    })
  return { isNew }
}

/** A source's row is written after its figures: a source that has one is whole. */
async function loadSeries(
  given: { warehouse: Warehouse; catalog: Catalog; dir: string; manifest: Manifest },
  onProgress: ((progress: SnapshotProgress) => void) | undefined,
): Promise<number> {
  const { warehouse, catalog, dir, manifest } = given
  const files = manifest.files.filter(
    ({ kind }) => !['run', 'island', 'prevouts', 'stacks_archive'].includes(kind),
  )
  const known = await ask<{ id: string; rows: string }>(
    warehouse.reader,
    `SELECT id, 1 AS rows FROM sources
UNION ALL
SELECT concat('rows of ', source), count() FROM (
  SELECT source FROM observations UNION ALL SELECT source FROM prices UNION ALL SELECT source FROM btc_block_stats
  UNION ALL SELECT source FROM btc_difficulty_epochs UNION ALL SELECT source FROM btc_stale_blocks
  UNION ALL SELECT source FROM evm_headers
) GROUP BY source
${Object.entries(RECORDS)
  .map(
    ([source, { table }]) =>
      `UNION ALL SELECT 'records of ${source}', count() FROM ${BASE_DATABASE}.${table.name} WHERE source = '${source}' HAVING count() > 0`,
  )
  .join('\n')}`,
  )
  const have = new Set(known.map(({ id }) => id))
  let loaded = 0
  for (const [i, file] of files.entries()) {
    // A table of records may be younger than the source's figures here.
    const records = have.has(`records of ${file.source}`) ? undefined : RECORDS[file.source]
    const isNew = !have.has(file.source)
    const text = isNew || records ? (await readSnapshotFile(dir, file)).toString('utf8') : ''
    await records?.insert(warehouse, text)
    if (isNew) {
      const recordedAt = await insertFile(
        { warehouse, catalog },
        file,
        text,
        have.has(`rows of ${file.source}`),
      )
      await warehouse.insertRows(sources, [sourceRow(declaredSource(catalog, file.source), recordedAt)])
      loaded += 1
    }
    onProgress?.({ step: 'series', done: i + 1, total: files.length })
  }
  for (const id of ['bitcoin.chain', 'stacks.chain', ...catalog.evm.map(({ id }) => chainSourceOf(id))])
    if (!have.has(id)) await warehouse.insertRows(sources, [sourceRow(declaredSource(catalog, id), null)])
  return loaded
}

/** Inserts the figures unless an earlier call did and was stopped before it said so. Returns when they were recorded. */
async function insertFile(
  { warehouse, catalog }: { warehouse: Warehouse; catalog: Catalog },
  file: SnapshotFile,
  text: string,
  isThere: boolean,
): Promise<number> {
  const recording = RECORDINGS.find(({ id }) => id === file.source)
  const recordedAt = Math.floor(
    Date.parse(recording?.recordedOn ?? RECORDED_ON[file.source] ?? '2026-08-22') / 1000,
  )
  if (isThere) return recordedAt
  if (recording !== undefined) await insertRecording(warehouse, recording, text, catalog)
  else if (file.source === getblockstats.id) await insertStatistics(warehouse, text, file.source)
  else if (file.source === difficultyEpochs.id) await insertEpochs(warehouse, text, file.source)
  else if (file.source === staleBlocks.id) await insertStale(warehouse, text, file.source, recordedAt)
  else if (file.kind === 'evm_headers') await insertHeaders(warehouse, text, file.source)
  return recordedAt
}

/** When the recordings that are no series were made; the stale blocks, whose list names no day, on the day after the newest. */
const RECORDED_ON: Readonly<Record<string, string>> = {
  [getblockstats.id]: '2026-02-01',
  [difficultyEpochs.id]: '2026-08-22',
  [staleBlocks.id]: '2026-09-12',
  [rootstockHeaders.id]: '2026-07-20',
}

/** Headers are proved before they are kept, which takes the codec: loaded with the first of them alone. */
async function insertHeaders(warehouse: Warehouse, text: string, source: string): Promise<void> {
  const { insertEvmHeaders } = await import('#ingest/evm/headers.ts')
  await insertEvmHeaders(
    warehouse,
    { layer: 'rootstock', chainId: 30, headerForm: 'rootstock' },
    text,
    source,
  )
}

function declaredSource(catalog: Catalog, id: string): SourceDeclaration {
  const source = sourcesOf(catalog).find(known => known.id === id)
  if (source !== undefined) return source
  throw new MetricsError('metrics.snapshot', `the manifest names a source ${id} that is not declared`)
}

/** Blocks go the way of all blocks: they are checked, and what fails is refused. */
async function loadBlocks(
  ingest: Pick<Ingest, 'ingestFiles' | 'status'>,
  dir: string,
  manifest: Manifest,
  onProgress: ((progress: SnapshotProgress) => void) | undefined,
): Promise<number> {
  const { ranges, islandCount } = await ingest.status()
  const runs = manifest.files.filter(({ kind }) => kind === 'run')
  const islands = manifest.files.filter(({ kind }) => kind === 'island')
  const lacksRun = ranges.length === 0
  const lacksIslands = islandCount < islands.length
  const files = [...(lacksRun ? runs : []), ...(lacksIslands ? islands : [])]
  if (files.length === 0) return 0
  const folder = await mkdtemp(join(tmpdir(), 'assay-snapshot-'))
  try {
    await mkdir(join(folder, 'prevouts'))
    const paths: { path: string; height?: number; prevouts?: string }[] = []
    const unpack = async (file: SnapshotFile, into: string): Promise<string> => {
      const path = join(into, basename(file.path, '.zst'))
      await writeFile(path, await readSnapshotFile(dir, file))
      return path
    }
    for (const file of files) {
      const prevouts = manifest.files.find(
        ({ kind, height }) => kind === 'prevouts' && height === file.height,
      )
      paths.push({
        path: await unpack(file, folder),
        ...(file.height === undefined ? {} : { height: file.height }),
        ...(prevouts === undefined || file.kind !== 'island'
          ? {}
          : { prevouts: await unpack(prevouts, join(folder, 'prevouts')) }),
      })
    }
    await ingest.ingestFiles(paths, { origin: 'snapshot' }, progress =>
      onProgress?.({ step: 'blocks', done: progress.height, total: progress.aimHeight }),
    )
    return files.length
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Archives of a Stacks node's messages, unless blocks are held: what came from a node is more than they are. */
async function loadStacks(
  ingest: SnapshotIngest['stacks'],
  dir: string,
  manifest: Manifest,
  onProgress: ((progress: SnapshotProgress) => void) | undefined,
): Promise<number> {
  const archives = manifest.files.filter(({ kind }) => kind === 'stacks_archive')
  if (archives.length === 0 || (await ingest.status()).ranges.length > 0) return 0
  const folder = await mkdtemp(join(tmpdir(), 'assay-snapshot-'))
  try {
    for (const [i, archive] of archives.entries()) {
      const path = join(folder, basename(archive.path, '.zst'))
      await writeFile(path, await readSnapshotFile(dir, archive))
      await ingest.ingestArchive(path)
      onProgress?.({ step: 'blocks', done: i + 1, total: archives.length })
    }
    return archives.length
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
