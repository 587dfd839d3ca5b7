import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { median } from '../measure.ts'
import { type BenchContext, type Figure, rounded, within } from '../suite.ts'
import { type MemorySample, memoryOf } from './processes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LIMIT_MB = 2048
const MOST_GROWTH = 5
const SAMPLE_EVERY_MS = 250

export type Sample = MemorySample & { readonly phase: 'opening' | 'blocks' | 'rollups' }

/** Runs `assay backfill` with these arguments and looks at the memory of all its processes until it ends. */
export async function watchBackfill(
  args: readonly string[],
  home: string,
  env: Readonly<Record<string, string>>,
  { say }: BenchContext,
): Promise<Sample[]> {
  const child = spawn(process.execPath, [join(ROOT, 'src', 'assay.ts'), 'backfill', ...args], {
    env: { ...process.env, ASSAY_HOME: home, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const samples: Sample[] = []
  const spoken: string[] = []
  let saidAt = 0
  let phase: Sample['phase'] = 'opening'
  createInterface(child.stderr).on('line', line => {
    if (/^(block|line) /.test(line)) phase = 'blocks'
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

/** The most that was used, and how it grew while blocks came in. `shown` says what came in. */
export function memoryFigures(samples: readonly Sample[], shown: string): Figure[] {
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
