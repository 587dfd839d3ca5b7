import { setTimeout as sleep } from 'node:timers/promises'

/** Spaces requests of one endpoint: no more calls a minute than it takes, and none while it asked for a rest. */
export type Pace = {
  /** Waits for the turn of `callCount` calls. */
  turn(callCount: number, signal?: AbortSignal): Promise<void>
  /** Nothing is sent before `ms` from now. */
  rest(ms: number): void
  /** It took no more: calls go out half as often, once a minute at the least. */
  slower(): void
  /** It took a call: the pace goes back to what was set, little by little. */
  faster(): void
  /** Milliseconds until a request would go out at once. */
  waitMs(): number
}

const LONGEST_GAP_MS = 60_000
/** The gap after a first refusal by an endpoint of which no rate is known. */
const FIRST_GAP_MS = 250
const EASING = 0.95

export function createPace(callsPerMinute: number | undefined): Pace {
  const setGapMs = callsPerMinute === undefined ? 0 : 60_000 / callsPerMinute
  let gapMs = setGapMs
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
    slower() {
      gapMs = Math.min(LONGEST_GAP_MS, Math.max(FIRST_GAP_MS, gapMs * 2))
    },
    faster() {
      gapMs = gapMs * EASING < FIRST_GAP_MS && setGapMs === 0 ? 0 : Math.max(setGapMs, gapMs * EASING)
    },
    waitMs: () => Math.max(0, free - performance.now()),
  }
}
