import { setTimeout as wait } from 'node:timers/promises'

/** Long enough for a busy machine. Only a test that fails waits this long. */
const PATIENCE_MS = 180_000
const BETWEEN_MS = 20

type Met<T> = Exclude<T, undefined | null | false>

/**
 * Waits until `look` returns something other than undefined, null or false, and returns it. Otherwise fails with the
 * name of the condition. What `look` throws ends the wait at once.
 */
export async function until<T>(
  condition: string,
  look: () => T | Promise<T>,
  { patienceMs = PATIENCE_MS, betweenMs = BETWEEN_MS }: { patienceMs?: number; betweenMs?: number } = {},
): Promise<Met<T>> {
  const end = performance.now() + patienceMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== null && seen !== false) return seen as Met<T>
    if (performance.now() > end) throw new Error(`Not within ${patienceMs / 1000} s: ${condition}`)
    await wait(betweenMs)
  }
}
