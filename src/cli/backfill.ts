import { stat } from 'node:fs/promises'
import process from 'node:process'
import { Command } from 'commander'
import { type FilesReport, haltSentence, type Outcome } from '#ingest/index.ts'
import { ConfigError, fileWords } from '#kernel/errors.ts'
import type { Config } from '../config.ts'
import { demandNode, nodeOf, openIngestOf } from '../main.ts'
import { type Chain, chainOption, isLayer } from './chains.ts'
import { ingestLine } from './format.ts'
import { checkStretch, height } from './heights.ts'
import { createProgress } from './progress.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

type Options = {
  chain: Chain
  from?: number
  to?: number
  fromFiles?: string[] | true
  fromArchive?: string
  fromLine?: number
  allowDeepReorg: boolean
}

export const backfillCommand = (chains: readonly Chain[]): Command =>
  new Command('backfill')
    .description('load a range of blocks from the node, or from files')
    .addOption(chainOption(chains))
    .option('--from <height>', 'first height (default: start of the indexed range)', height)
    .option('--to <height>', 'last height (default: the tip)', height)
    .option(
      '--from-files [paths...]',
      'blk*.dat files, folders of them, or files of one raw block (default: BITCOIN_BLOCKS_DIR)',
    )
    .option('--from-archive <file>', 'Stacks: events of a node (TSV or JSON lines; plain, gzip or zstd)')
    .option('--from-line <line>', 'Stacks: first line of the archive to read', height)
    .option('--allow-deep-reorg', 'follow a fork deeper than automatic reorgs', false)
    .action((options: Options) => {
      checkStretch(options)
      const { chain } = options
      if (chain === 'stacks')
        return withRooms(async rooms => (await import('./stacks.ts')).backfillStacks(rooms, options))
      if (options.fromArchive !== undefined || options.fromLine !== undefined)
        throw new ConfigError('cli.from_archive', '--from-archive and --from-line are of `--chain stacks`.')
      if (isLayer(chain)) {
        if (options.fromFiles !== undefined)
          throw new ConfigError(
            'cli.from_files',
            `--from-files is of Bitcoin; blocks of ${chain} come from endpoints.`,
          )
        return withRooms(async rooms =>
          (await import('./backfillLayer.ts')).backfillLayer(rooms, chain, options),
        )
      }
      return withRooms(async (rooms, config) => {
        const signal = stopSignal()
        const progress = createProgress()
        const onProgress = (at: Parameters<typeof ingestLine>[0]) => progress.show(ingestLine(at))
        using node = options.fromFiles === undefined ? demandNode(config) : nodeOf(config)
        await using ingest = await openIngestOf(rooms, { node, allowDeepReorg: options.allowDeepReorg })
        if (options.fromFiles !== undefined) {
          const paths = options.fromFiles === true ? [await blocksDirOf(config.bitcoin)] : options.fromFiles
          const report = await ingest.ingestFiles(paths, { signal }, onProgress)
          progress.end()
          tellFiles(report)
        } else {
          const { from, to } = options
          const outcome = await ingest.backfill({ from, to, signal }, onProgress)
          progress.end()
          tellOutcome(outcome, node?.name ?? 'the files')
        }
        await rooms.metrics.refreshRollups(({ done, total }) =>
          progress.show(`rollups: ${done} of ${total} days`),
        )
        progress.end()
      })
    })

async function blocksDirOf({ blocksDir }: Config['bitcoin']): Promise<string> {
  if (blocksDir === undefined)
    throw new ConfigError('config.no_files', 'There are no files to read.', {
      hint: 'Name them after --from-files, or set BITCOIN_BLOCKS_DIR.',
    })
  await stat(blocksDir).catch(cause => {
    throw new ConfigError(
      'config.blocks_dir',
      `BITCOIN_BLOCKS_DIR: ${blocksDir} ${fileWords(cause) ?? 'cannot be read'}.`,
      { cause },
    )
  })
  return blocksDir
}

function tellOutcome(outcome: Outcome, sourceName: string): void {
  switch (outcome.type) {
    case 'idle':
      console.log('All requested blocks are indexed.')
      return
    case 'refused':
      console.log(`Stopped at a refused block: ${outcome.block.reason}`)
      break
    case 'halt':
      console.log(haltSentence(outcome, sourceName))
  }
  process.exitCode = 1
}

/** What became of a lone block, in words. */
const LONE_ENDS = {
  stored: 'stored',
  held: 'already indexed',
  stale: 'stale: another block at its height is indexed',
  no_height: 'decoded only, its height is unknown',
  refused: 'refused',
} as const

function tellFiles({ chains, lone, unplacedCount, staleCount, defects }: FilesReport): void {
  if (chains.length + lone.length + unplacedCount + staleCount + defects.length === 0) {
    console.log('No blocks in these files.')
    process.exitCode = 1
  }
  for (const { fromHeight, toHeight, outcome } of chains) {
    console.log(
      `blocks ${fromHeight} to ${toHeight}: ${outcome === 'unlinked' ? 'indexed as far as they link to indexed blocks' : 'read'}`,
    )
    if (outcome !== 'unlinked' && outcome.type !== 'idle') tellOutcome(outcome, 'the files')
  }
  for (const block of lone)
    console.log(`${block.name}: ${LONE_ENDS[block.end]}${block.end === 'refused' ? `: ${block.reason}` : ''}`)
  if (lone.some(({ end }) => end === 'refused')) process.exitCode = 1
  if (staleCount > 0) console.log(`${staleCount} stale blocks noted`)
  if (unplacedCount > 0) console.log(`${unplacedCount} blocks of unknown height left aside`)
  for (const { path, offset, reason } of defects) {
    console.log(`${path} at byte ${offset}: ${reason}`)
    process.exitCode = 1
  }
}
