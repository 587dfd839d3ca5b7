import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { sentenceOf } from '#kernel/errors.ts'
import type { Rooms } from '../main.ts'
import { type Bell, createBell } from './commits.ts'
import { keepFollowers, keepReading } from './followers.ts'
import { keepSources } from './keepSources.ts'
import { createProgress } from './progress.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

const LOOK_EVERY_MS = 10_000
/** Calls by the hour are to be no more than a second behind the tip: where no process tells of its commits, they are looked for so often. */
const HOURS_EVERY_MS = 400
/** Where they are told of, a command beside may still write. */
const UNTOLD_EVERY_MS = 5_000
/** What came in or went below the newest hours is looked for so often. */
const ALL_HOURS_EVERY_MS = 60_000

/** Recomputes stale rollups until the signal; a failure is told and tried again at the next look. */
export async function keepWorking({ metrics, log }: Rooms, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { buckets } = await metrics.refreshRollups()
      if (buckets > 0) log.info('rollups recomputed', { buckets })
      await metrics.refreshDevelopers()
    } catch (thrown) {
      if (!signal.aborted) log.warn(`Rollups could not be recomputed: ${sentenceOf(thrown)}`)
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/**
 * Keeps calls by the hour at the tip until the signal; a failure is told and tried again at the next look. `bell` rings with
 * each commit; `onCounted` hears of what was counted.
 */
export async function keepHours(
  { metrics, warehouse, log }: Rooms,
  signal: AbortSignal,
  { bell, onCounted }: { bell?: Bell | undefined; onCounted?: () => void } = {},
): Promise<void> {
  let seen = ''
  let allAtMs = 0
  while (!signal.aborted) {
    try {
      const mark = await headsOf(warehouse)
      const isDue = Date.now() - allAtMs >= ALL_HOURS_EVERY_MS
      if (mark !== seen || isDue) {
        const hours = await metrics.refreshCallHours(isDue ? 'all' : 'newest')
        if (hours > 0) onCounted?.()
      }
      if (isDue) allAtMs = Date.now()
      seen = mark
    } catch (thrown) {
      if (!signal.aborted) log.warn(`Calls by the hour could not be recomputed: ${sentenceOf(thrown)}`)
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    }
    if (bell === undefined) await delay(HOURS_EVERY_MS, undefined, { signal }).catch(() => {})
    else await bell.rung(UNTOLD_EVERY_MS, signal)
  }
}

/** Changes with each commit of a chain that has contracts. */
async function headsOf({ reader }: Rooms['warehouse']): Promise<string> {
  const answer = await reader.query({
    query:
      'SELECT toString(((SELECT (count(), max(seq)) FROM stx_batches), (SELECT (count(), max(seq)) FROM evm_batches))) AS mark',
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ mark: string }>()
  return row?.mark ?? ''
}

export const workCommand = (): Command =>
  new Command('work')
    .description('recompute figures made stale by new base rows and poll sources, continuously')
    .option('--once', 'stop when nothing is stale', false)
    .option('--with-ingest', 'also follow every chain that is configured, as `start` does', false)
    .action(({ once, withIngest }: { once: boolean; withIngest: boolean }) =>
      withRooms(async (rooms, config) => {
        if (!once) {
          const signal = stopSignal()
          const bell = withIngest ? createBell() : undefined
          await Promise.all([
            keepWorking(rooms, signal),
            keepHours(rooms, signal, { bell }),
            keepSources(rooms, signal),
            keepReading(config, rooms.log, signal),
            ...(bell ? [keepFollowers(config, rooms.log, signal, bell.ring)] : []),
          ])
          return
        }
        await rooms.metrics.refreshCallHours('all')
        const progress = createProgress()
        const { buckets } = await rooms.metrics.refreshRollups(({ done, total }) =>
          progress.show(`rollups: ${done} of ${total} days`),
        )
        await rooms.metrics.refreshDevelopers()
        progress.end(`${buckets} days recomputed`)
      }),
    )
