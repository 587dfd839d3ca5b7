import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooMany } from './errors.ts'

export type Limiter = {
  /** Counts one more of `key`; throws `accounts.too_many` once there are too many. */
  take(key: string): Promise<void>
  /** Takes back one that was counted: nothing was wrong with it. */
  giveBack(key: string): Promise<void>
  /** Begins anew. */
  forget(key: string): Promise<void>
}

/** `most` of `what` in `seconds`, counted in this process: several servers on one store allow as many each. */
export function createLimiter(what: string, most: number, seconds: number): Limiter {
  const counter = new RateLimiterMemory({ points: most, duration: seconds })
  return {
    async take(key) {
      try {
        await counter.consume(key)
      } catch (thrown) {
        if (thrown instanceof RateLimiterRes) throw tooMany(what, thrown.msBeforeNext)
        throw thrown
      }
    },
    giveBack: async key => void (await counter.reward(key)),
    forget: async key => void (await counter.delete(key)),
  }
}
