import { setTimeout as delay } from 'node:timers/promises'
import { followSources } from '#ingest/sources/index.ts'
import { sentenceOf } from '#kernel/errors.ts'
import { askedSources, createRunnerOf, openStoreOf, type Rooms } from '../main.ts'

const AGAIN_AFTER_MS = 30_000

/** Asks publishers by their cadence until the signal; a store that fails is told and opened anew. */
export async function keepSources(rooms: Rooms, signal: AbortSignal): Promise<void> {
  const { config, catalog, log } = rooms
  const sources = askedSources(config)
  while (!signal.aborted && sources.length > 0) {
    try {
      await using store = await openStoreOf(rooms)
      const runner = createRunnerOf(rooms, store)
      await followSources({ store, log, sources, catalog, now: Date.now, runner }, signal)
    } catch (thrown) {
      if (!signal.aborted) log.error(`Polling of sources is paused: ${sentenceOf(thrown)}`)
    }
    await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {})
  }
}
