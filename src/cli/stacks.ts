import { stat } from 'node:fs/promises'
import process from 'node:process'
import { openReadOnlyCalls, type ReadOnlyCalls } from '#chains/stacks/node/index.ts'
import { type ArchiveProgress, keepStacksTokens, verifyStacks } from '#ingest/stacks/index.ts'
import { ConfigError, fileWords } from '#kernel/errors.ts'
import { asksStacks, openStacksIngestOf, type Rooms } from '../main.ts'
import { openSecondStacksSource, openStacksSourceOf } from './openStacks.ts'
import { createProgress } from './progress.ts'
import { stopSignal } from './stop.ts'

/** `assay ingest --chain stacks`: takes in what a node posts, and what sources that are asked tell, until it is stopped. */
export async function followStacks(
  rooms: Rooms,
  signal: AbortSignal,
  show: (line: string) => void,
): Promise<void> {
  const { config, log, warehouse } = rooms
  const { observerPort, startHeight } = config.stacks
  if (observerPort === undefined && !asksStacks(config))
    throw new ConfigError('config.no_stacks', 'There is no source of Stacks to follow.', {
      hint: 'Set STACKS_API_URL or STACKS_RPC_URL; or set STACKS_OBSERVER_PORT, and name it in a node’s `events_observer`.',
    })
  await using ingest = await openStacksIngestOf(rooms)
  // Either ends both: the process that keeps this one begins both anew.
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const running: Promise<void>[] = []
  if (observerPort !== undefined)
    running.push(
      ingest.observe(observerPort, until, at =>
        log.info(`Messages of a Stacks node are received at 127.0.0.1:${at}.`),
      ),
    )
  using source = asksStacks(config) ? openStacksSourceOf(config) : undefined
  if (source !== undefined)
    running.push(
      ingest.follow(source, {
        signal: until,
        startHeight,
        onRound: ({ sourceTip, missing }) =>
          show(`block ${sourceTip}${missing > 0 ? ` · at least ${missing} missing below` : ''}`),
      }),
    )
  using calls = openTokenCalls(config)
  if (calls !== undefined) running.push(keepStacksTokens({ warehouse, calls, log }, until))
  try {
    await Promise.all(running)
  } finally {
    stop.abort()
    await Promise.allSettled(running)
  }
}

/** A part of what the public API takes a minute: names of tokens must not keep blocks waiting. */
const TOKEN_CALLS_A_MINUTE = { plain: 10, withKey: 100 } as const

/** Whom tokens are asked what they are called: a node, else the public API where Stacks is followed by asking. */
function openTokenCalls(config: Rooms['config']): ReadOnlyCalls | undefined {
  const { nodes, apis, apiKey } = config.stacks
  const [node] = nodes
  if (node !== undefined) return openReadOnlyCalls({ url: node })
  const [api] = asksStacks(config) ? apis : []
  if (api === undefined) return undefined
  const { plain, withKey } = TOKEN_CALLS_A_MINUTE
  return openReadOnlyCalls({ url: api, apiKey, requestsPerMinute: apiKey === undefined ? plain : withKey })
}

type Backfill = {
  readonly fromArchive?: string
  readonly fromLine?: number
  readonly from?: number
  readonly to?: number
}

/** `assay backfill --chain stacks`: an archive of events, or heights from sources that are asked. */
export async function backfillStacks(rooms: Rooms, options: Backfill): Promise<void> {
  const { fromArchive, from, to } = options
  if (fromArchive !== undefined) return backfillArchive(rooms, fromArchive, options.fromLine)
  if (from === undefined)
    throw new ConfigError('cli.from_archive', 'Which blocks of Stacks are to be filled in?', {
      hint: 'Set heights (--from, --to) to load from STACKS_RPC_URL and STACKS_API_URL, or an event archive with --from-archive.',
    })
  const progress = createProgress()
  using source = openStacksSourceOf(rooms.config)
  await using ingest = await openStacksIngestOf(rooms)
  const report = await ingest.backfill(source, {
    from,
    to,
    signal: stopSignal(),
    onProgress: ({ height, aim }) => progress.show(`block ${height} of ${aim}`),
  })
  progress.end()
  console.log(`blocks ${report.from} to ${report.to}: ${report.blocks} blocks, ${report.rowCount} rows`)
  if (report.duplicates > 0) console.log(`${report.duplicates} blocks were already indexed`)
  if (to !== undefined && to > report.sourceTip) console.log(`The latest block is ${report.sourceTip}.`)
  if (report.refused === 0) return
  console.log(`${report.refused} blocks could not be decoded and are stored raw in stx_kept_messages`)
  process.exitCode = 1
}

async function backfillArchive(rooms: Rooms, file: string, fromLine: number | undefined): Promise<void> {
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
  if (report.duplicates > 0) console.log(`${report.duplicates} blocks were already indexed`)
  if (report.unknown > 0) console.log(`${report.unknown} messages of unknown paths are stored raw`)
  if (report.tooDeep > 0)
    console.log(`${report.tooDeep} blocks compete with what is settled and are not followed`)
  if (report.refused === 0) return
  console.log(`${report.refused} messages could not be decoded and are stored raw in stx_kept_messages`)
  process.exitCode = 1
}

const lineOf = ({ line, height }: ArchiveProgress): string =>
  `line ${line}${height === null ? '' : ` · block ${height}`}`

type Verify = {
  readonly from?: number
  readonly to?: number
  readonly againstNode: boolean
  readonly source?: string
  readonly samples?: number
}

/**
 * `assay verify --chain stacks`: what is held against itself, and sampled heights against a second source: the address given, a
 * node's RPC or the public API, or with `--against-node` the configured ones. Needs no lease, so it may run beside an ingest.
 */
export async function verifyStacksOf(
  { config, warehouse }: Rooms,
  { from, to, againstNode, source: url, samples }: Verify,
): Promise<void> {
  using source =
    url !== undefined
      ? await openSecondStacksSource(config, url)
      : againstNode
        ? openStacksSourceOf(config)
        : undefined
  const { blockCount, sampled, differences } = await verifyStacks(warehouse, {
    from,
    to,
    source,
    samples,
    signal: stopSignal(),
  })
  for (const { height, what, held, expected } of differences)
    console.log(`block ${height}: ${what}: indexed ${held}, expected ${expected}`)
  const compared = source === undefined ? '' : `, ${sampled.length} compared with the source`
  console.log(`${blockCount} blocks checked${compared}, ${differences.length} differences`)
  if (differences.length > 0) process.exitCode = 1
}
