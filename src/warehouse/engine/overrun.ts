import type { Connection } from './native.ts'

/** How often a call is looked at, ms. */
const TICK_MS = 500

/** How long a user query with this time limit may keep the engine busy, ms. Far above the limit, so that the engine's own timeout comes first. */
export const overrunMs = (limitSeconds: number): number => (2 * limitSeconds + 20) * 1000

/**
 * The connection, watched. The engine ends a statement between two steps, and one call of a function is one step: it cannot
 * be interrupted, however long it takes. `handleOverrun` is called where one takes `mostMs`.
 */
export function watchOverrun(connection: Connection, mostMs: number, handleOverrun: () => void): Connection {
  async function watched<T>(call: Promise<T>): Promise<T> {
    // Counted by ticks and not by the clock: after a freeze of this process one tick has passed.
    let ticks = 0
    const tickMs = Math.min(TICK_MS, mostMs)
    const timer = setInterval(() => {
      ticks++
      if (ticks * tickMs >= mostMs) handleOverrun()
    }, tickMs)
    try {
      return await call
    } finally {
      clearInterval(timer)
    }
  }
  return { ...connection, run: (sql, format) => watched(connection.run(sql, format)) }
}
