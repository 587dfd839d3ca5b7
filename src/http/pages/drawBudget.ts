/** How many draws each key may still ask for. */
export type DrawBudget = {
  /** Milliseconds until all of these keys may ask for one more; 0 if they may now. */
  waitMs(keys: readonly BudgetKey[]): number
  /** Counts one draw of each key. */
  charge(keys: readonly BudgetKey[]): void
  /** Keys in memory. */
  readonly size: number
}

/** `share` multiplies the budget. */
export type BudgetKey = { readonly key: string; readonly share: number }

export type DrawBudgetOptions = {
  /** Draws that a caller who asked for none lately may ask for at once. */
  readonly burst: number
  /** Draws that come back in a minute. */
  readonly perMinute: number
}

/** Keys are swept once there are more than this, and twice as many as the last sweep left. */
const SWEEP_FROM = 1_000

/**
 * A bucket of `burst` draws per key that fills at a steady rate, kept as the time at which it will be full again (the generic
 * cell rate algorithm, ITU-T I.371). A key whose bucket is full takes no memory.
 */
export function createDrawBudget({ burst, perMinute }: DrawBudgetOptions, now: () => number): DrawBudget {
  const fullAtMs = new Map<string, number>()
  let sweepAt = SWEEP_FROM
  const intervalMs = ({ share }: BudgetKey): number => 60_000 / (perMinute * share)
  const fullAt = ({ key }: BudgetKey): number => Math.max(now(), fullAtMs.get(key) ?? 0)

  function sweep(): void {
    for (const [key, atMs] of fullAtMs) if (atMs <= now()) fullAtMs.delete(key)
    sweepAt = Math.max(SWEEP_FROM, 2 * fullAtMs.size)
  }

  return {
    waitMs(keys) {
      // The time in which a bucket fills from empty is the same for every share.
      const emptyMs = (burst / perMinute) * 60_000
      return Math.max(0, ...keys.map(each => fullAt(each) + intervalMs(each) - now() - emptyMs))
    },
    charge(keys) {
      for (const each of keys) fullAtMs.set(each.key, fullAt(each) + intervalMs(each))
      if (fullAtMs.size > sweepAt) sweep()
    },
    get size() {
      return fullAtMs.size
    },
  }
}
