/** Days after which a last price is history and no longer a price. */
export const MAX_PRICE_AGE_DAYS = 30

const DAY_MS = 86_400_000

/** Whether a price of a UTC day (`2026-08-05`) still counts as a price at a moment. */
export const isCurrentPrice = (day: string, nowMs: number): boolean =>
  nowMs - Date.parse(`${day}T00:00:00Z`) < (MAX_PRICE_AGE_DAYS + 1) * DAY_MS
