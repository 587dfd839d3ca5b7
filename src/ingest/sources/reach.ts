import type { Log } from '#kernel/log.ts'

/** Tells once that nobody can be reached, and once that someone answers again. */
export type Reach = { note(host: string, isReached: boolean): void }

const SILENT_MS = 60_000

/** One host that is down is its own affair; two without any answer meanwhile, or the only one, mean that there is no way out. */
export function createReach(log: Log, hostCount: number, now: () => number): Reach {
  const lost = new Set<string>()
  let reachedMs = Number.NEGATIVE_INFINITY
  let isOffline = false
  return {
    note(host, isReached) {
      if (isReached) {
        lost.clear()
        reachedMs = now()
        if (isOffline) log.info('Sources are reachable again.')
        isOffline = false
        return
      }
      lost.add(host)
      if (isOffline || lost.size < Math.min(2, hostCount) || now() - reachedMs < SILENT_MS) return
      isOffline = true
      log.warn(
        'No source is reachable. Stored data stays as it is, and polling is retried from time to time. Set SOURCES=off to stop it.',
      )
    },
  }
}
