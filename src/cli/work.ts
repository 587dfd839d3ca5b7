import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { sentenceOf } from '#kernel/errors.ts'
import type { Rooms } from '../main.ts'
import { keepFollowers } from './followers.ts'
import { keepSources } from './keepSources.ts'
import { createProgress } from './progress.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

const LOOK_EVERY_MS = 10_000

/** Recomputes stale rollups until the signal; a failure is told and tried again at the next look. */
export async function keepWorking({ metrics, log }: Rooms, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { buckets } = await metrics.refreshRollups()
      if (buckets > 0) log.info('rollups recomputed', { buckets })
    } catch (thrown) {
      if (!signal.aborted) log.warn(`Rollups could not be recomputed: ${sentenceOf(thrown)}`)
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

export const workCommand = (): Command =>
  new Command('work')
    .description('recompute what base rows have made stale and ask publishers, and go on doing so')
    .option('--once', 'stop when nothing is stale', false)
    .option('--with-ingest', 'also follow every chain that is configured, as `start` does', false)
    .action(({ once, withIngest }: { once: boolean; withIngest: boolean }) =>
      withRooms(async (rooms, config) => {
        if (!once) {
          const signal = stopSignal()
          await Promise.all([
            keepWorking(rooms, signal),
            keepSources(rooms, signal),
            ...(withIngest ? [keepFollowers(config, rooms.log, signal)] : []),
          ])
          return
        }
        const progress = createProgress()
        const { buckets } = await rooms.metrics.refreshRollups(({ done, total }) =>
          progress.show(`rollups: ${done} of ${total} days`),
        )
        progress.end(`${buckets} days recomputed`)
      }),
    )
