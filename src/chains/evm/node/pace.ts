import { setTimeout as sleep } from 'node:timers/promises'

/** Spaces requests of one endpoint: no more calls a minute than it takes, and none while it asked for a rest. */
export type Pace = {
  /** Waits for the turn of `callCount` calls. */
  turn(callCount: number, signal?: AbortSignal): Promise<void>
  /** Nothing is sent before `ms` from now. */
  rest(ms: number): void
  /** Milliseconds until a request would go out at once. */
  waitMs(): number
}

export function createPace(callsPerMinute: number | undefined): Pace {
  const gapMs = callsPerMinute === undefined ? 0 : 60_000 / callsPerMinute
  let free = 0
  return {
    async turn(callCount, signal) {
      for (;;) {
        signal?.throwIfAborted()
        const wait = free - performance.now()
        if (wait <= 0) break
        await sleep(Math.min(wait, 1_000), undefined, signal && { signal })
      }
      free = Math.max(free, performance.now()) + gapMs * callCount
    },
    rest(ms) {
      free = Math.max(free, performance.now() + ms)
    },
    waitMs: () => Math.max(0, free - performance.now()),
  }
}
