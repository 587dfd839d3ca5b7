import { setTimeout as delay } from 'node:timers/promises'
import type { AvailabilityReport } from './availability.ts'

/** Between an answer and the next ping. */
const PULSE_MS = 1_000
/** A ping without an answer for so long: readers get the last answers meanwhile. */
const AWAY_MS = 2_000
const TICK_MS = 500

export type WatchOptions = {
  /** True where it answers, false where nobody does; may wait as long as it likes. */
  readonly ping: (signal: AbortSignal) => Promise<boolean>
  readonly availability: AvailabilityReport
  /** The sentence while it does not answer. */
  readonly away: string
  /** How long one ping may stay without an answer, ms; it is given up then. */
  readonly silenceMs: number
  /** Called then. */
  readonly handleSilence?: () => void
}

/** Pings until the signal is aborted and reports whether there are answers. It does not keep this process running. */
export async function watchPings(
  { ping, availability, away, silenceMs, handleSilence }: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const tickMs = Math.min(TICK_MS, silenceMs / 10)
  const awayMs = Math.min(AWAY_MS, silenceMs / 2)
  const pause = (ms: number) => delay(ms, undefined, { ref: false })
  while (!signal.aborted) {
    const over = new AbortController()
    const answer = ping(AbortSignal.any([signal, over.signal]))
    let answered: boolean | undefined
    // Counted by ticks and not by the clock: when this process itself was stalled, one tick has passed and the answer is here.
    for (let silentMs = 0; answered === undefined && silentMs < silenceMs && !signal.aborted; ) {
      answered = (await Promise.race([answer, pause(tickMs)])) ?? undefined
      if (answered === undefined) silentMs += tickMs
      if (answered === undefined && silentMs >= awayMs && !signal.aborted) availability.away(away)
    }
    over.abort()
    if (signal.aborted) return
    if (answered === true) availability.up()
    else availability.away(away)
    if (answered === undefined) handleSilence?.()
    await pause(Math.min(PULSE_MS, silenceMs / 3))
  }
}
