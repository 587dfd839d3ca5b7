import { spawn } from 'node:child_process'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import type { Log } from '#kernel/log.ts'
import { followedLayers, hasNode, loadBundled, openSite } from '../main.ts'
import { snapshotLine } from './format.ts'
import { createProgress } from './progress.ts'
import { healthOf } from './serve.ts'
import { stopped, stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'
import { keepWorking } from './work.ts'

const FIRST_WAIT_MS = 1_000
const LAST_WAIT_MS = 60_000

/** Ingest in a process of its own, so that pages never wait for a block; started again after a crash. */
async function keepIngesting(chains: readonly string[], log: Log, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    const startedAt = Date.now()
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../assay.ts', import.meta.url)), 'ingest', '--chain', chains.join()],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    const stop = () => child.kill('SIGTERM')
    signal.addEventListener('abort', stop, { once: true })
    const code = await new Promise<number | null>(resolve => child.once('exit', resolve))
    signal.removeEventListener('abort', stop)
    if (signal.aborted) return
    waitMs = Date.now() - startedAt > LAST_WAIT_MS ? FIRST_WAIT_MS : Math.min(LAST_WAIT_MS, waitMs * 2)
    log.warn('Ingest ended and is started again.', { chains: chains.join(), code, waitMs })
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}

export const startCommand = (): Command =>
  new Command('start')
    .description('everything in one process group: engine, pages, ingest, jobs')
    .action(() =>
      withRooms(async (rooms, config) => {
        const signal = stopSignal()
        let isLoaded = false
        await using _site = await openSite(rooms, async () =>
          isLoaded
            ? healthOf(await rooms.warehouse.health())
            : { isHealthy: false, detail: 'The bundled snapshot is being loaded.' },
        )
        const progress = createProgress()
        await loadBundled(rooms, at => progress.show(snapshotLine(at)))
        progress.end()
        isLoaded = true
        console.log(`Assay is at ${config.publicUrl}`)
        const running = [keepWorking(rooms, signal)]
        if (hasNode(config)) running.push(keepIngesting(['bitcoin'], rooms.log, signal))
        // The layers share a process: each waits for its endpoints most of the time.
        const layers = followedLayers(config)
        if (layers.length > 0) running.push(keepIngesting(layers, rooms.log, signal))
        await stopped(signal)
        await Promise.all(running)
      }),
    )
