import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sharedPath } from '#tests/shared.ts'
import { makeChain } from './chain/child.ts'
import { median } from './measure.ts'
import { type MemorySample, memoryOf } from './memory/processes.ts'
import { type BenchContext, type Figure, rounded, type Suite, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SEED = 20_100_522
const LIMIT_MB = 2048
const MOST_GROWTH = 5
const SAMPLE_EVERY_MS = 250

type Sample = MemorySample & { readonly phase: 'opening' | 'blocks' | 'rollups' }

/** Memory of the real `assay backfill` over a long chain: all its processes, from the first block to the last rollup. */
export const memory: Suite = {
  name: 'memory',
  about: 'anonymous memory of all processes of ingest over a long chain',
  skipReason() {
    if (process.platform !== 'linux') return 'it reads /proc, which only Linux has'
    return sharedPath('data/bitcoin/blocks') === undefined
      ? 'the recorded blocks (../shared), of which the synthetic chain is made, are not beside this clone'
      : undefined
  },
  async run(context) {
    const { isQuick, folder, say } = context
    say('making a chain')
    const shape = {
      seed: SEED,
      endHeight: isQuick ? 10_000 : 100_100,
      outputsPerBlock: 310,
      unspentShare: 0.3,
      tip: { count: 1, inputs: 4000, outputs: 6500 },
    }
    const chain = await makeChain(shape, join(folder, 'chain'))
    const unspent = chain.outputCount - chain.inputCount + chain.blockCount
    const shown = `${rounded(chain.outputCount / 1e6)} M outputs, ${rounded(unspent / 1e6)} M unspent`
    say(`${chain.blockCount} blocks, ${shown}, ${rounded(chain.byteCount / 1e9)} GB of raw blocks`)
    const start = performance.now()
    const samples = await watchBackfill(chain.blocksDir, join(folder, 'home'), context)
    say(`backfill and rollups took ${Math.round((performance.now() - start) / 1000)} s`)
    return figuresOf(samples, `${rounded(chain.blockCount / 1000)} k blocks, ${shown}`)
  },
}

async function watchBackfill(blocksDir: string, home: string, { say }: BenchContext): Promise<Sample[]> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'src', 'assay.ts'), 'backfill', '--from-files', blocksDir],
    {
      env: { ...process.env, ASSAY_HOME: home, BITCOIN_NETWORK: 'regtest', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const samples: Sample[] = []
  const spoken: string[] = []
  let saidAt = 0
  let phase: Sample['phase'] = 'opening'
  createInterface(child.stderr).on('line', line => {
    if (line.startsWith('block ')) phase = 'blocks'
    else if (line.startsWith('rollups:')) phase = 'rollups'
    else spoken.push(line)
    if (samples.length - saidAt > 80) {
      saidAt = samples.length
      say(line)
    }
  })
  const timer = setInterval(() => {
    samples.push({ ...memoryOf(child.pid!, home), phase })
  }, SAMPLE_EVERY_MS)
  const [status] = await once(child, 'exit')
  clearInterval(timer)
  if (status !== 0) throw new Error(`assay backfill ended with ${status}: ${spoken.slice(-5).join(' ')}`)
  return samples
}

function figuresOf(samples: readonly Sample[], shown: string): Figure[] {
  const most = (of: readonly Sample[], field: keyof MemorySample) =>
    Math.max(0, ...of.map(sample => sample[field])) / 2 ** 20
  const mostIn = (phase: Sample['phase']) =>
    rounded(
      most(
        samples.filter(sample => sample.phase === phase),
        'anonymousBytes',
      ),
    )
  return [
    {
      figure: `most anonymous memory, ${shown}`,
      ...within(most(samples, 'anonymousBytes'), LIMIT_MB, 'MiB'),
      against: `blocks ${mostIn('blocks')} MiB, rollups at the end ${mostIn('rollups')} MiB`,
    },
    { figure: 'mapped files at most', ours: `${rounded(most(samples, 'mappedBytes'))} MiB` },
    {
      figure: 'growth over the second half of the backfill',
      ...within(growthPercent(samples.filter(({ phase }) => phase === 'blocks')), MOST_GROWTH, '%'),
      against: 'medians of its last and its first tenth',
    },
  ]
}

/** How far the memory in the last tenth of the time lies above that of the tenth behind its middle, percent. */
function growthPercent(samples: readonly Sample[]): number {
  const between = (from: number, to: number) =>
    median(
      samples
        .slice(Math.floor(from * samples.length), Math.ceil(to * samples.length))
        .map(({ anonymousBytes }) => anonymousBytes),
    )
  return 100 * (between(0.9, 1) / between(0.5, 0.6) - 1)
}
