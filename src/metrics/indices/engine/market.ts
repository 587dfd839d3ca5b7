/** By what constituents are weighted: those of the catalogue's indices, and by the inverse of their volatility. */
export const WEIGHTINGS = ['cap', 'equal', 'inverse-volatility', 'fees'] as const
export type Weighting = (typeof WEIGHTINGS)[number]

/** When an index is rebalanced: after the close of the last UTC day of each span; `never` but once. */
export const REBALANCES = ['daily', 'weekly', 'monthly', 'quarterly', 'never'] as const
export type Rebalance = (typeof REBALANCES)[number]

/** What a rule asks of a token, and what becomes of those that pass. */
export type IndexRules = {
  readonly weighting: Weighting
  readonly rebalance: Rebalance
  /** Largest weight of one constituent, above 0 to 1; where fewer than 1 ÷ this are eligible, each may have its equal part. */
  readonly maxWeight: number
  /** Days for which a token must have had a price. */
  readonly minAgeDays: number
  /** Least median of the daily volumes of 30 days, US dollars; 0: volumes are not asked for. */
  readonly volumeFloorUsd: number
  /** What buying or selling costs, hundredths of a percent of the amount. */
  readonly costBps: number
}

/** What is known of one token, by day: NaN where nobody tells. */
export type TokenHistory = {
  readonly token: string
  readonly priceUsd: Float64Array
  /** Tokens in circulation. */
  readonly supply: Float64Array
  /** Traded within 24 hours. */
  readonly volumeUsd: Float64Array
  /** Fees of the layer whose token it is. */
  readonly feesUsd: Float64Array
}

/** What an index may be built from: UTC days without a gap, and the tokens' figures of them. */
export type Market = { readonly days: readonly string[]; readonly tokens: readonly TokenHistory[] }

/** How old or how many figures may be at a rebalancing: the same as in the views of indices. */
export type MarketLimits = {
  readonly priceAgeDays: number
  readonly supplyAgeDays: number
  readonly windowDays: number
  readonly leastVolumeDays: number
  readonly leastFeeDays: number
  readonly leastConstituents: number
  readonly baseLevel: number
}

const DAY_MS = 86_400_000

/** Whether the index is rebalanced after the close of the day (`never`: whether it may begin on it). */
export function isRebalancing(day: string, rebalance: Rebalance): boolean {
  if (rebalance === 'daily' || rebalance === 'never') return true
  const next = new Date(Date.parse(day) + DAY_MS)
  if (rebalance === 'weekly') return next.getUTCDay() === 1
  return next.getUTCDate() === 1 && (rebalance === 'monthly' || next.getUTCMonth() % 3 === 0)
}

/** All UTC days from the first to the last, both inclusive. */
export function daysBetween(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  return Array.from({ length: Math.max(0, Math.round((to - from) / DAY_MS) + 1) }, (_, i) =>
    new Date(from + i * DAY_MS).toISOString().slice(0, 10),
  )
}
