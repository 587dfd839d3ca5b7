import { setTimeout as delay } from 'node:timers/promises'
import { QueryError } from './errors.ts'

export type OverrunLimits = {
  /** Between two looks at a query that was stopped, ms. */
  readonly pollMs: number
  /** A query that still runs so long after it was stopped cannot be interrupted, ms. */
  readonly stubbornMs: number
  /** How long its caller may then send no more queries, ms. */
  readonly pauseMs: number
}

/**
 * Queries that go on after they were stopped: the engine cannot interrupt one call of a function, and ends itself where that
 * takes too long.
 */
export type Overruns = {
  /** Resolves once the engine has ended the query, or is away. */
  whenOver(engineId: string, caller: string): Promise<void>
  /** Throws `sql.paused` for a caller whose query could not be interrupted a short while ago. */
  check(caller: string): void
}

export type OverrunDeps = {
  /** Stops a query. Returns whether it was running; false where the engine is away. Never rejects. */
  readonly kill: (engineId: string) => Promise<boolean>
  readonly now?: () => number
}

export function createOverruns(
  { kill, now = Date.now }: OverrunDeps,
  { pollMs, stubbornMs, pauseMs }: OverrunLimits,
): Overruns {
  const pausedUntil = new Map<string, number>()
  return {
    async whenOver(engineId, caller) {
      const stoppedAt = now()
      for (;;) {
        const isRunning = await kill(engineId)
        if (now() - stoppedAt >= stubbornMs) pausedUntil.set(caller, now() + pauseMs)
        if (!isRunning) return
        await delay(pollMs, undefined, { ref: false })
      }
    },
    check(caller) {
      for (const [each, until] of pausedUntil) if (until <= now()) pausedUntil.delete(each)
      const until = pausedUntil.get(caller)
      if (until === undefined) return
      const minutes = Math.ceil((until - now()) / 60_000)
      throw new QueryError(
        'sql.paused',
        'A query of yours could not be stopped at its time limit, so you can send no more for a while.',
        {
          hint: `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, with smaller texts or lists.`,
          facts: { retryAfterSeconds: 60 * minutes },
        },
      )
    },
  }
}
