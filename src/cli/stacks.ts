import { stat } from 'node:fs/promises'
import process from 'node:process'
import type { ArchiveProgress } from '#ingest/stacks/index.ts'
import { ConfigError, fileWords } from '#kernel/errors.ts'
import { openStacksIngestOf, type Rooms } from '../main.ts'
import { createProgress } from './progress.ts'
import { stopSignal } from './stop.ts'

/** `assay ingest --chain stacks`: takes in what a node posts, until it is stopped. */
export async function observeStacks(rooms: Rooms, signal: AbortSignal): Promise<void> {
  const port = rooms.config.stacks.observerPort
  if (port === undefined)
    throw new ConfigError('config.no_observer', 'There is no port for a Stacks node to post to.', {
      hint: 'Set STACKS_OBSERVER_PORT, and name it in the node’s `events_observer`.',
    })
  await using ingest = await openStacksIngestOf(rooms)
  await ingest.observe(port, signal, at =>
    rooms.log.info(`Messages of a Stacks node are received at 127.0.0.1:${at}.`),
  )
}

/** `assay backfill --chain stacks --from-archive FILE`. */
export async function backfillStacks(
  rooms: Rooms,
  { fromArchive: file, fromLine }: { readonly fromArchive?: string; readonly fromLine?: number },
): Promise<void> {
  if (file === undefined)
    throw new ConfigError('cli.from_archive', 'Blocks of Stacks come from an archive of events.', {
      hint: 'Name it after --from-archive; `assay ingest --chain stacks` follows a node.',
    })
  await stat(file).catch(cause => {
    throw new ConfigError(
      'cli.from_archive',
      `--from-archive: ${file} ${fileWords(cause) ?? 'cannot be read'}.`,
      {
        cause,
      },
    )
  })
  const progress = createProgress()
  await using ingest = await openStacksIngestOf(rooms)
  const report = await ingest.ingestArchive(file, {
    fromLine,
    signal: stopSignal(),
    onProgress: at => progress.show(lineOf(at)),
  })
  progress.end()
  console.log(
    `${report.messages} messages to line ${report.line}: ${report.blocks} blocks, ${report.rowCount} rows`,
  )
  if (report.duplicates > 0) console.log(`${report.duplicates} blocks were held already`)
  if (report.unknown > 0) console.log(`${report.unknown} messages of unknown paths are kept as they came`)
  if (report.tooDeep > 0)
    console.log(`${report.tooDeep} blocks compete with what is settled and are not followed`)
  if (report.refused === 0) return
  console.log(`${report.refused} messages could not be read and are kept as they came: stx_kept_messages`)
  process.exitCode = 1
}

const lineOf = ({ line, height }: ArchiveProgress): string =>
  `line ${line}${height === null ? '' : ` · block ${height}`}`

/** `assay verify --chain stacks`. */
export async function verifyStacks(
  rooms: Rooms,
  { from, to }: { from?: number; to?: number },
): Promise<void> {
  await using ingest = await openStacksIngestOf(rooms)
  const { blockCount, differences } = await ingest.verify({ from, to, signal: stopSignal() })
  for (const { height, what, held, expected } of differences)
    console.log(`block ${height}: ${what}: held ${held}, expected ${expected}`)
  console.log(`${blockCount} blocks checked, ${differences.length} differences`)
  if (differences.length > 0) process.exitCode = 1
}
