import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { tooMany } from './errors.ts'

export type Limiter = {
  /** Counts one more of `key`; throws `accounts.too_many` once there are too many. */
  take(key: string): Promise<void>
  /** Takes back one that was counted: nothing was wrong with it. */
  giveBack(key: string): Promise<void>
  /** Begins anew: what was counted of `key` counts for its /48 no more either. */
  forget(key: string): Promise<void>
}

/**
 * `most` of `what` in `seconds`, counted in this process: several servers on one store allow as many each. A key that ends with
 * an IPv6 /64 is also counted for its /48, with four times as many.
 */
export function createLimiter(what: string, most: number, seconds: number): Limiter {
  const counter = new RateLimiterMemory({ points: most, duration: seconds })
  const wider = new RateLimiterMemory({ points: most * WIDER_SHARE, duration: seconds })
  return {
    async take(key) {
      const wide = widerKey(key)
      try {
        await counter.consume(key)
        if (wide !== undefined) await wider.consume(wide)
      } catch (thrown) {
        if (thrown instanceof RateLimiterRes) throw tooMany(what, thrown.msBeforeNext)
        throw thrown
      }
    },
    async giveBack(key) {
      const wide = widerKey(key)
      await counter.reward(key)
      if (wide !== undefined) await wider.reward(wide)
    },
    async forget(key) {
      const wide = widerKey(key)
      const own = (await counter.get(key))?.consumedPoints ?? 0
      await counter.delete(key)
      // What the own limit refused was not counted for the /48.
      if (wide !== undefined) await wider.reward(wide, Math.min(own, most))
    },
  }
}
