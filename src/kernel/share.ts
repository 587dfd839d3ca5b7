/** Least part of a whole that must be known before any share of it is shown. */
export const MIN_SHARE_COVERAGE = 0.8

/** Parts that come this near to their whole are all of it: the difference is rounding. */
const ROUNDING = 1e-6

/** What no part accounts for, as a part of its own. */
export const UNATTRIBUTED = { key: 'unattributed', label: 'Unattributed' } as const

export type Shares = {
  /** One per part, in order, 0 to 1. */
  readonly shares: readonly number[]
  /** Amount of the whole that no part accounts for, in the unit of the parts. */
  readonly unattributed: number
  /** What the shares are of: the whole, or the sum of the parts where they overlap and exceed it. */
  readonly whole: number
}

/**
 * Shares of parts in a whole of the same day: the only place where a share is computed.
 * @param parts amounts; one that is unknown is null and stays without a share
 * @param whole the total by its own source; null where it is unknown. Parts that are exhaustive by definition pass `'parts'`:
 * their sum is the whole, and one unknown part leaves it unknown.
 * A whole that is no more than the known parts may be their sum as well: one unknown part leaves it unknown too.
 * @returns null where the known parts cover less than 80% of the whole, or there is nothing to share
 */
export function sharesOf(parts: readonly (number | null)[], whole: number | null | 'parts'): Shares | null {
  const known = parts.filter(part => part !== null)
  if (known.some(part => part < 0)) return null
  const sum = known.reduce((total, part) => total + part, 0)
  const isSum = whole === 'parts' || (whole !== null && whole <= sum * (1 + ROUNDING))
  if (isSum && known.length < parts.length) return null
  const total = isSum ? sum : whole
  if (total === null || !(total > 0) || sum / total < MIN_SHARE_COVERAGE) return null
  return { shares: parts.map(part => (part ?? 0) / total), unattributed: total - sum, whole: total }
}

/**
 * Share of one amount in a whole of the same day that is known in full; null where either is unknown or there is no whole.
 */
export const shareOf = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || !(whole > 0) ? null : part / whole
