const DAY_S = 86_400

/** The UTC day of a moment, seconds since 1970. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Whether a UTC day had ended at a moment, seconds since 1970. */
export const isOver = (day: string, seenAt: number): boolean => day < dayOf(seenAt)

/** Days of a moment of 00:00 UTC: the one that ended then. Undefined for a moment more than `within` seconds from midnight. */
export function dayEndingAt(seconds: number, within: number): string | undefined {
  const midnight = Math.round(seconds / DAY_S) * DAY_S
  return Math.abs(seconds - midnight) <= within ? dayOf(midnight - DAY_S) : undefined
}
