import type { Catalog } from '#catalog/index.ts'
import type { Observed } from './recording.ts'

/** A pool as a list has it. Ratios, not per cents. */
export type PoolListing = {
  readonly day: string
  readonly pool: string
  readonly project: string
  readonly chain: string
  readonly symbol: string
  readonly tvlUsd: number
  readonly apyBase: number | null
  readonly apyReward: number | null
  /** Whether its publisher marks its rates as an outlier; null where it does not say. */
  readonly isOutlier: boolean | null
}

/** What the newest list of a UTC day said of a pool. */
export type PoolMark = { readonly day: string; readonly isOutlier: boolean }

/**
 * Tells of which days the rates of a pool are in doubt: those on which it was marked as an outlier, and those without a list next to
 * them, since nobody told when the mark began or ended. What is older than all lists is in doubt while the newest one marks the pool.
 */
export function doubtedDays(marks: readonly PoolMark[]): (day: string) => boolean {
  const byDay = marks.toSorted((a, b) => a.day.localeCompare(b.day))
  return day => {
    const before = byDay.findLast(mark => mark.day <= day)
    if (before?.day === day || before?.isOutlier === true) return before.isOutlier
    const after = byDay.find(mark => mark.day > day)
    return before === undefined
      ? after?.isOutlier === true && byDay.at(-1)?.isOutlier === true
      : after?.isOutlier === true
  }
}

/** What of a list may be a way to earn with bitcoin; whether it is one is told beside it. */
export const namesBitcoin = (symbol: string): boolean => symbol.toUpperCase().includes('BTC')

/** Digits of a float that say something. */
const DIGITS = 15

/** A hundredth of the per cents that DefiLlama prints, without the dust of the division. */
export const ratioOf = (percent: number | null | undefined): number | null =>
  percent === null || percent === undefined ? null : Number((percent / 100).toPrecision(DIGITS))

/** Ids of the catalogue’s opportunities by that of their pool. */
export const entitiesByPool = ({ opportunities }: Pick<Catalog, 'opportunities'>): Map<string, string> =>
  new Map(opportunities.flatMap(({ id, pool }) => (pool === undefined ? [] : [[pool, id]])))

/**
 * Which of a list's pools the catalogue's opportunities are, by the pools' ids: by id where the catalogue has it, else the pool of
 * the named project, chain and coins in which most lies.
 */
export function followedOf(
  catalog: Pick<Catalog, 'opportunities'>,
  listed: readonly Omit<PoolListing, 'day' | 'apyBase' | 'apyReward' | 'isOutlier'>[],
): Map<string, string> {
  const followed = entitiesByPool(catalog)
  for (const { id, listed: named } of catalog.opportunities) {
    if (named === undefined) continue
    const [largest] = listed
      .filter(
        ({ pool, project, chain, symbol }) =>
          !followed.has(pool) &&
          named.projects.includes(project) &&
          chain === named.chain &&
          symbol.toUpperCase() === named.symbol.toUpperCase(),
      )
      .toSorted((a, b) => b.tvlUsd - a.tvlUsd)
    if (largest) followed.set(largest.pool, id)
  }
  return followed
}

/**
 * The figures of a pool on a day. What it lost by its own word has no place among figures that are never less than zero:
 * such a rate is left out, and the day is not told.
 */
export function* figuresOfPool(
  entity: string,
  day: string,
  {
    tvlUsd,
    apyBase,
    apyReward,
  }: Pick<PoolListing, 'apyBase' | 'apyReward'> & {
    readonly tvlUsd: number | undefined
  },
): Iterable<Observed & { readonly entity: string }> {
  if (tvlUsd !== undefined) yield { metric: 'yield.tvl', entity, day, value: tvlUsd }
  if (apyBase !== null && apyBase >= 0) yield { metric: 'yield.apy_base', entity, day, value: apyBase }
  if (apyReward !== null && apyReward >= 0)
    yield { metric: 'yield.apy_reward', entity, day, value: apyReward }
}
