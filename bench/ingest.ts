import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sharedPath } from '#tests/shared.ts'
import { makeChain } from './chain/child.ts'
import type { ChainFiles } from './chain/files.ts'
import { type IngestAnswer, openIngestProcess } from './ingest/child.ts'
import { interleave, median } from './measure.ts'
import { atLeast, type BenchContext, type Figure, rounded, type Suite, within } from './suite.ts'

const SEED = 20_090_103
/** So small that memory lacks as many of the outputs that are spent as at the size of the whole chain. */
const CACHE_BYTES = 64 * 2 ** 20
const TARGET = 0.3

/** Raw blocks to queryable rows with prevouts, against the engine's own load of the same tables. */
export const ingest: Suite = {
  name: 'ingest',
  about: 'raw blocks to queryable rows with prevouts, against the load of the same tables from Native files',
  skipReason: () =>
    sharedPath('data/bitcoin/blocks') === undefined
      ? 'the recorded blocks (../shared), of which the synthetic chain is made, are not beside this clone'
      : undefined,
  async run(context) {
    const { isQuick, folder, say } = context
    say('making a chain')
    const shape = {
      seed: SEED,
      endHeight: isQuick ? 603 : 2103,
      outputsPerBlock: 2500,
      unspentShare: 0.33,
      tip: { count: 3, inputs: 4000, outputs: 6500 },
    }
    const chain = await makeChain(shape, join(folder, 'chain'))
    say(`${rounded(chain.outputCount / 1e6)} M outputs, ${rounded(chain.byteCount / 1e6)} MB of raw blocks`)
    const native = join(folder, 'native')
    const tip = await tipFigures(chain, native, context)
    const rounds = await interleave(
      {
        ours: () =>
          inFresh(folder, home => ({
            type: 'ingest',
            home,
            blocksDir: chain.blocksDir,
            cacheBytes: CACHE_BYTES,
          })),
        load: () => inFresh(folder, home => ({ type: 'load', home, folder: native })),
      },
      isQuick ? 2 : 3,
    )
    return [...rateFigures(rounds.ours!, rounds.load!, chain), ...tip]
  },
}

/**
 * Each round writes to a disk that owes nothing of the rounds before: their data has been written out, and their files are
 * still there, since the kernel (ext4) looks for minutes at what was deleted whenever it makes a file.
 */
async function inFresh(
  folder: string,
  requestFor: (home: string) => Parameters<ReturnType<typeof openIngestProcess>['ask']>[0],
): Promise<IngestAnswer> {
  await promisify(execFile)('sync')
  using child = openIngestProcess()
  return await child.ask(requestFor(await mkdtemp(join(folder, 'home-'))))
}

/** Ingests once to have something to append to, and leaves the tables as Native files for the peer. */
async function tipFigures(
  chain: ChainFiles,
  native: string,
  { folder, say }: BenchContext,
): Promise<Figure[]> {
  say('blocks at the tip')
  const home = join(folder, 'first')
  using child = openIngestProcess()
  await child.ask({ type: 'ingest', home, blocksDir: chain.blocksDir, cacheBytes: CACHE_BYTES })
  await child.ask({ type: 'export', folder: native })
  const ms: number[] = []
  for (const path of chain.tipFiles) ms.push((await child.ask({ type: 'append', path })).ms)
  return [
    {
      figure: `a full block at the tip, slowest of ${ms.length}`,
      ...within(Math.max(...ms) / 1000, 1, 's'),
      against: `median ${rounded(median(ms))} ms`,
    },
  ]
}

function rateFigures(
  ours: readonly IngestAnswer[],
  load: readonly IngestAnswer[],
  chain: ChainFiles,
): Figure[] {
  const rowCount = ours[0]!.rowCount
  const loaded = load[0]!.rowCount
  if (rowCount !== loaded) throw new Error(`${rowCount} rows were ingested and ${loaded} loaded`)
  const rate = (answers: readonly IngestAnswer[]) => rowCount / (median(answers.map(({ ms }) => ms)) / 1000)
  const older = ours[0]!.olderFound / (chain.inputCount - chain.blockCount)
  return [
    {
      figure: `raw block to queryable row, ${Math.round(100 * older)} % of spends older than memory knows`,
      ours: `${rounded(rate(ours) / 1e6)} M rows/s`,
      against: `the engine's load from Native files ${rounded(rate(load) / 1e6)} M rows/s`,
      ...atLeast(rate(ours) / rate(load), TARGET),
    },
  ]
}
