import { spawn } from 'node:child_process'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Log } from '#kernel/log.ts'
import type { Config } from '../config.ts'
import { askedSources, followedLayers, followsStacks, hasNode } from '../main.ts'
import { isCommitted } from './commits.ts'

const FIRST_WAIT_MS = 1_000
const LAST_WAIT_MS = 60_000

/**
 * The chains that this configuration follows, a group a process: Bitcoin and Stacks have one each, so that neither waits for the
 * other; the layers share one, since each waits for its endpoints most of the time.
 */
export function followersOf(config: Config): string[][] {
  const groups: string[][] = []
  if (hasNode(config)) groups.push(['bitcoin'])
  if (followsStacks(config)) groups.push(['stacks'])
  const layers = followedLayers(config)
  if (layers.length > 0) groups.push(layers)
  return groups
}

/**
 * Follows everything that is configured until the signal, in processes of their own: pages never wait for a block. They tell
 * of each commit.
 */
export async function keepFollowers(
  config: Config,
  log: Log,
  signal: AbortSignal,
  onCommit: () => void,
): Promise<void> {
  await Promise.all(
    followersOf(config).map(chains =>
      keepRunning(['ingest', '--chain', chains.join()], log, signal, onCommit),
    ),
  )
}

/** Asks publishers until the signal, in a process of its own: pages never wait for a long answer to be read. */
export async function keepAsking(config: Config, log: Log, signal: AbortSignal): Promise<void> {
  if (askedSources(config).length > 0) await keepRunning(['sources', 'follow'], log, signal)
}

/** Reads git histories until the signal, in a process of its own. */
export async function keepReading(config: Config, log: Log, signal: AbortSignal): Promise<void> {
  if (config.developers.isOn) await keepRunning(['developers', 'follow'], log, signal)
}

/** One process, started again after a crash. */
async function keepRunning(
  command: readonly string[],
  log: Log,
  signal: AbortSignal,
  onCommit: () => void = () => {},
): Promise<void> {
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    const startedAt = Date.now()
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../assay.ts', import.meta.url)), ...command],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    )
    child.on('message', message => {
      if (isCommitted(message)) onCommit()
    })
    const stop = () => child.kill('SIGTERM')
    signal.addEventListener('abort', stop, { once: true })
    const code = await new Promise<number | null>(resolve => child.once('exit', resolve))
    signal.removeEventListener('abort', stop)
    if (signal.aborted) return
    waitMs = Date.now() - startedAt > LAST_WAIT_MS ? FIRST_WAIT_MS : Math.min(LAST_WAIT_MS, waitMs * 2)
    log.warn(`assay ${command.join(' ')} ended and is started again.`, { code, waitMs })
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}
