/** Whether the warehouse answers. Away: since when (milliseconds since 1970) and why, for the operator. */
export type Availability =
  | { readonly isUp: true }
  | { readonly isUp: false; readonly sinceMs: number; readonly sentence: string }

/** The availability as last observed: reading it asks nobody and never waits. */
export type AvailabilityWatch = {
  current(): Availability
  /** Called when the warehouse goes away and when it is back; not when only the reason changes. */
  onChange(listener: (now: Availability) => void): void
}

/** What whoever observes the warehouse reports to. It starts as up. */
export type AvailabilityReport = AvailabilityWatch & {
  up(): void
  away(sentence: string): void
}

export function createAvailability(now: () => number = Date.now): AvailabilityReport {
  const listeners: ((now: Availability) => void)[] = []
  let current: Availability = { isUp: true }
  const set = (next: Availability): void => {
    const hasChanged = next.isUp !== current.isUp
    current = next
    if (hasChanged) for (const listener of listeners) listener(next)
  }
  return {
    current: () => current,
    onChange: listener => void listeners.push(listener),
    up: () => set({ isUp: true }),
    away: sentence => set({ isUp: false, sinceMs: current.isUp ? now() : current.sinceMs, sentence }),
  }
}
