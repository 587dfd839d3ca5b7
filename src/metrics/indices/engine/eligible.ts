import type { IndexRules, MarketLimits, TokenHistory } from './market.ts'

/** What is known of a token by the close of a day, and whether an index may hold it: the dated snapshot behind a rebalancing. */
export type Candidate = {
  readonly token: string
  readonly priceUsd: number | null
  readonly supply: number | null
  /** Days since that supply was told. */
  readonly supplyAge: number | null
  readonly volumeMedianUsd: number | null
  readonly feesUsd: number | null
  /** What weighs it; null where that is not known. */
  readonly size: number | null
  /** Why it is not eligible; empty where it is. */
  readonly reason: string
}

const VOLATILITY_DAYS = 90
/** Of those, as many returns must be known. */
const LEAST_RETURNS = 60

/** One day of a token from its first price on, and where the newest figures stand: computed once, read at each rebalancing. */
export type TokenTrail = TokenHistory & {
  /** Index of the first day with a price; beyond the last day without one. */
  readonly first: number
  /** By day, the index of the newest day up to it with a price, a supply; −1 before the first one. */
  readonly priceAt: Int32Array
  readonly supplyAt: Int32Array
  /** By day, log of its price over that of the day before; NaN where one is not known. */
  readonly change: Float64Array
  /** By day, the median of the volumes of the window up to it; NaN where too few are known. */
  readonly volumeMedian: Float64Array
}

export function trailOf(history: TokenHistory, { windowDays, leastVolumeDays }: MarketLimits): TokenTrail {
  const { priceUsd, volumeUsd } = history
  const priceAt = newestOf(priceUsd)
  const first = priceAt.findIndex(at => at >= 0)
  return {
    ...history,
    first: first < 0 ? priceAt.length : first,
    priceAt,
    supplyAt: newestOf(history.supply),
    change: priceUsd.map((price, day) => (day === 0 ? Number.NaN : Math.log(price / priceUsd[day - 1]!))),
    volumeMedian: mediansOf(volumeUsd, windowDays, leastVolumeDays),
  }
}

function newestOf(values: Float64Array): Int32Array {
  const at = new Int32Array(values.length)
  let newest = -1
  for (let day = 0; day < values.length; day++) {
    if (values[day]! > 0) newest = day
    at[day] = newest
  }
  return at
}

/** Judges a token by what is known up to the day `at` alone. */
export function candidateAt(
  trail: TokenTrail,
  at: number,
  rules: IndexRules,
  limits: MarketLimits,
): Candidate {
  const priceAt = trail.priceAt[at]!
  const priceUsd = priceAt >= 0 && at - priceAt <= limits.priceAgeDays ? trail.priceUsd[priceAt]! : null
  const supplyAt = trail.supplyAt[at]!
  const supply = supplyAt >= 0 && at - supplyAt < limits.supplyAgeDays ? trail.supply[supplyAt]! : null
  const median = trail.volumeMedian[at]!
  const volumeMedianUsd = Number.isNaN(median) ? null : median
  const feesUsd =
    rules.weighting === 'fees' ? feesOf(trail.feesUsd, at, limits.windowDays, limits.leastFeeDays) : null
  const size = sizeOf(trail, at, rules, { priceUsd, supply, feesUsd })
  return {
    token: trail.token,
    priceUsd,
    supply,
    supplyAge: supply === null ? null : at - supplyAt,
    volumeMedianUsd,
    feesUsd,
    size,
    reason: reasonOf({ priceUsd, age: at - trail.first, volumeMedianUsd, size }, rules, limits),
  }
}

function sizeOf(
  trail: TokenTrail,
  at: number,
  { weighting }: IndexRules,
  { priceUsd, supply, feesUsd }: Pick<Candidate, 'priceUsd' | 'supply' | 'feesUsd'>,
): number | null {
  switch (weighting) {
    case 'equal':
      return 1
    case 'fees':
      return feesUsd !== null && feesUsd > 0 ? feesUsd : null
    case 'cap':
      return priceUsd === null || supply === null ? null : priceUsd * supply
    case 'inverse-volatility': {
      const sigma = volatilityAt(trail, at)
      return sigma !== null && sigma > 0 ? 1 / sigma : null
    }
    default: {
      const never: never = weighting
      return never
    }
  }
}

const NOT_KNOWN = {
  cap: 'no circulating supply',
  equal: '',
  'inverse-volatility': `fewer than ${LEAST_RETURNS} daily returns in ${VOLATILITY_DAYS} days`,
  fees: 'no fees of its layer',
} as const

function reasonOf(
  {
    priceUsd,
    age,
    volumeMedianUsd,
    size,
  }: Pick<Candidate, 'priceUsd' | 'volumeMedianUsd' | 'size'> & { age: number },
  { minAgeDays, volumeFloorUsd, weighting }: IndexRules,
  { priceAgeDays }: MarketLimits,
): string {
  if (priceUsd === null) return `no price in the last ${priceAgeDays} days`
  if (age < minAgeDays) return `only ${age} days of prices`
  if (volumeFloorUsd > 0 && volumeMedianUsd === null) return 'no volume'
  if (volumeFloorUsd > 0 && volumeMedianUsd! < volumeFloorUsd) return 'volume below the minimum'
  return size === null ? NOT_KNOWN[weighting] : ''
}

/**
 * Medians of the values known within the days up to each; of an even number the mean of the middle two. The window stays
 * sorted while it moves: each day puts one value in and takes one out.
 */
function mediansOf(values: Float64Array, days: number, least: number): Float64Array {
  const medians = new Float64Array(values.length)
  const sorted = new Float64Array(days)
  let count = 0
  for (let day = 0; day < values.length; day++) {
    const [gone, come] = [day >= days ? values[day - days]! : Number.NaN, values[day]!]
    if (!Number.isNaN(gone)) {
      const place = sorted.indexOf(gone)
      sorted.copyWithin(place, place + 1, count)
      count -= 1
    }
    if (!Number.isNaN(come)) {
      let place = count++
      for (; place > 0 && sorted[place - 1]! > come; place--) sorted[place] = sorted[place - 1]!
      sorted[place] = come
    }
    const middle = count >> 1
    medians[day] =
      count < least
        ? Number.NaN
        : count % 2 === 1
          ? sorted[middle]!
          : sorted[middle - 1]! + (sorted[middle]! - sorted[middle - 1]!) * 0.5
  }
  return medians
}

/** Fees of the days up to `at`: the mean of those that are known, times their number. */
function feesOf(values: Float64Array, at: number, days: number, least: number): number | null {
  let [count, sum] = [0, 0]
  for (let day = Math.max(0, at - days + 1); day <= at; day++) {
    const value = values[day]!
    if (Number.isNaN(value)) continue
    count += 1
    sum += value
  }
  return count < least ? null : (sum / count) * days
}

/** Sample deviation of the daily log returns of 90 days up to `at`; null where too few are known. */
function volatilityAt({ change }: TokenTrail, at: number): number | null {
  const from = Math.max(1, at - VOLATILITY_DAYS + 1)
  let [count, sum] = [0, 0]
  for (let day = from; day <= at; day++) {
    if (!Number.isFinite(change[day]!)) continue
    count += 1
    sum += change[day]!
  }
  if (count < LEAST_RETURNS) return null
  const mean = sum / count
  let squares = 0
  for (let day = from; day <= at; day++)
    if (Number.isFinite(change[day]!)) squares += (change[day]! - mean) ** 2
  return Math.sqrt(squares / (count - 1))
}
