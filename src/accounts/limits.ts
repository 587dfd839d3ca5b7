import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooMany } from './errors.ts'

export type Limiter = {
  /** Counts one more of `key`; throws `accounts.too_many` once there are too many. */
  take(key: string): Promise<void>
  /** Throws where there were too many already, and counts nothing. */
  demand(key: string): Promise<void>
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
    async demand(key) {
      const counted = await counter.get(key)
      if (counted !== null && counted.consumedPoints >= most) throw tooMany(what, counted.msBeforeNext)
    },
    forget: async key => void (await counter.delete(key)),
  }
}
