import { setTimeout as pause } from 'node:timers/promises'
import { ClickHouseError } from '@clickhouse/client'

/** Whether a statement was refused because all that run together need more memory than the engine may take: it may well run in a moment. */
export const isEngineFull = (thrown: unknown): boolean =>
  thrown instanceof ClickHouseError &&
  thrown.type === 'MEMORY_LIMIT_EXCEEDED' &&
  thrown.message.includes('(total)')

/** Waits between tries, milliseconds. */
const WAITS_MS = [100, 400, 1_500]

/**
 * Runs a read, again where it is refused because others take the memory of the engine, within three seconds. Throws what the
 * last try throws, or what aborts `signal`.
 */
export async function whenThereIsRoom<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const wait of WAITS_MS)
    try {
      return await read()
    } catch (thrown) {
      if (!isEngineFull(thrown)) throw thrown
      // Apart from each other, so that those refused together do not meet again.
      await pause(wait * (0.5 + Math.random()), undefined, { signal })
    }
  return read()
}
