import { QueryError } from './errors.ts'

/** How many queries may run at once. */
export type TurnLimits = { readonly perAsker: number; readonly inAll: number }

/** Whoever asks (an address, an account) with the number of queries running now. */
export type Turns = {
  /** Takes a turn; give it back by calling the result once. Throws `sql.too_many_at_once`. */
  take(asker: string): () => void
}

/** Nothing waits: a turn is given at once or refused with the seconds to wait. */
export function createTurns(limits: TurnLimits): Turns {
  const running = new Map<string, number>()
  let all = 0
  return {
    take(asker) {
      const own = running.get(asker) ?? 0
      if (own >= limits.perAsker || all >= limits.inAll) {
        const message =
          own >= limits.perAsker
            ? `${own} queries of yours are running: no more than ${limits.perAsker} at a time.`
            : 'Many queries are running now.'
        throw new QueryError('sql.too_many_at_once', message, {
          hint: 'Wait for one to end, or cancel it.',
          facts: { retryAfterSeconds: 2 },
        })
      }
      running.set(asker, own + 1)
      all += 1
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        all -= 1
        const left = (running.get(asker) ?? 1) - 1
        if (left > 0) running.set(asker, left)
        else running.delete(asker)
      }
    },
  }
}
