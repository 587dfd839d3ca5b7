import { type Candidate, candidateAt, type TokenTrail, trailOf } from './eligible.ts'
import { type IndexRules, isRebalancing, type Market, type MarketLimits } from './market.ts'
import { cappedWeights } from './weights.ts'

export type Constituent = {
  readonly token: string
  /** Price at which it is bought. */
  readonly priceUsd: number
  readonly weight: number
  readonly isCapped: boolean
}

/** What happened after the close of a day, by what was known then. */
export type Rebalancing = {
  readonly day: string
  /** Of every token of the universe with a price up to the day. */
  readonly candidates: readonly Candidate[]
  /** None: it is suspended until the next rebalancing. */
  readonly constituents: readonly Constituent[]
  /** Shares of what it held, at the same close. */
  readonly before: readonly { readonly token: string; readonly weight: number }[]
  /** Bought and sold, share of the index. */
  readonly traded: number
  /** What weighs it in all, a part of those at the largest weight, over its level; null while suspended. */
  readonly divisor: number | null
}

export type Backtest = {
  /** Days on which it has a level. */
  readonly days: readonly string[]
  readonly level: readonly number[]
  /** Less what trading costs. */
  readonly levelNet: readonly number[]
  readonly rebalancings: readonly Rebalancing[]
  /** Points of the level that each token brought over the whole time; they add up to its change. */
  readonly contributions: Readonly<Record<string, number>>
}

/** First and last UTC day, both inclusive. */
export type Span = { readonly from?: string | undefined; readonly to?: string | undefined }

/** `place` is that of the token in the market. */
type Holding = {
  readonly place: number
  readonly trail: TokenTrail
  readonly weight: number
  readonly startUsd: number
}

/** What is held between two rebalancings. */
type Period = { readonly holdings: readonly Holding[]; readonly level: number; readonly net: number }

/**
 * The history of an index under rules: at each rebalancing the constituents and weights by what was known at its close,
 * between them the prices of what is held. A token without a price of the day stands at its last one; a day on which none
 * has a price has no level. Exact up to float rounding: level = level at the rebalancing × Σ weight × price ÷ price then.
 * It begins at the first rebalancing within the span; what was known before is known.
 */
export function backtest(
  market: Market,
  rules: IndexRules,
  limits: MarketLimits,
  { from = '', to = '9999' }: Span = {},
): Backtest {
  const trails = market.tokens.map(history => trailOf(history, limits))
  const days: string[] = []
  const level: number[] = []
  const levelNet: number[] = []
  const rebalancings: Rebalancing[] = []
  const points = new Float64Array(trails.length)
  let period: Period | undefined
  let [now, net] = [limits.baseLevel, limits.baseLevel]
  let hasBegun = false
  let last = -1

  const settle = ({ holdings, level: start }: Period, at: number): void => {
    for (const { place, trail, weight, startUsd } of holdings)
      points[place]! += start * weight * (priceOf(trail, at) / startUsd - 1)
  }

  for (let at = 0; at < market.days.length; at++) {
    const day = market.days[at]!
    if (day < from || day > to) continue
    last = at
    const held = period?.holdings ?? []
    if (period !== undefined) {
      const growth = growthOf(held, at)
      now = period.level * growth
      net = period.net * growth
    }
    const isDue = rules.rebalance === 'never' ? period === undefined : isRebalancing(day, rules.rebalance)
    if (isDue) {
      const { holdings, marketUsd, ...told } = rebalanced(trails, at, { rules, limits, held })
      hasBegun ||= holdings.length > 0
      // Before it begins there is nothing to suspend.
      if (hasBegun) {
        if (period !== undefined) settle(period, at)
        net *= 1 - (told.traded * rules.costBps) / 10_000
        period = holdings.length > 0 ? { holdings, level: now, net } : undefined
        rebalancings.push({ day, ...told, divisor: period === undefined ? null : marketUsd / now })
      }
    }
    const isFresh = ({ trail }: Holding): boolean => trail.priceAt[at] === at
    if (held.some(isFresh) || period?.holdings.some(isFresh)) {
      days.push(day)
      level.push(now)
      levelNet.push(net)
    }
  }
  if (period !== undefined) settle(period, last)
  const contributions = Object.fromEntries(
    trails.flatMap(({ token }, place) => (points[place] === 0 ? [] : [[token, points[place]!]])),
  )
  return { days, level, levelNet, rebalancings, contributions }
}

const priceOf = ({ priceAt, priceUsd }: TokenTrail, at: number): number => priceUsd[priceAt[at]!]!

function growthOf(holdings: readonly Holding[], at: number): number {
  let growth = 0
  for (const { trail, weight, startUsd } of holdings) growth += (weight * priceOf(trail, at)) / startUsd
  return growth
}

type Moment = {
  readonly rules: IndexRules
  readonly limits: MarketLimits
  readonly held: readonly Holding[]
}

function rebalanced(trails: readonly TokenTrail[], at: number, { rules, limits, held }: Moment) {
  const candidates: Candidate[] = []
  const chosen: Omit<Holding, 'weight'>[] = []
  const sizes: number[] = []
  for (const [place, trail] of trails.entries()) {
    if (trail.first > at) continue
    const candidate = candidateAt(trail, at, rules, limits)
    candidates.push(candidate)
    const { reason, size, priceUsd } = candidate
    if (reason !== '' || size === null || priceUsd === null) continue
    chosen.push({ place, trail, startUsd: priceUsd })
    sizes.push(size)
  }
  const growth = growthOf(held, at)
  const before = held.map(({ trail, weight, startUsd }) => ({
    token: trail.token,
    weight: (weight * priceOf(trail, at)) / startUsd / growth,
  }))
  const told = { candidates, before }
  if (chosen.length < limits.leastConstituents)
    return { ...told, holdings: [], constituents: [], traded: 0, marketUsd: 0 }
  const { weights, isCapped, total } = cappedWeights(sizes, rules.maxWeight)
  const holdings = chosen.map(({ place, trail, startUsd }, i) => ({
    place,
    trail,
    weight: weights[i]!,
    startUsd,
  }))
  const constituents = holdings.map(({ trail, weight, startUsd }, i) => ({
    token: trail.token,
    priceUsd: startUsd,
    weight,
    isCapped: isCapped[i]!,
  }))
  // Bought and sold to get from the shares to the weights; what is new is bought whole.
  const moved = new Float64Array(trails.length)
  for (const [i, { place }] of held.entries()) moved[place]! -= before[i]!.weight
  for (const { place, weight } of holdings) moved[place]! += weight
  const traded = moved.reduce((sum, share) => sum + Math.abs(share), 0)
  return { ...told, holdings, constituents, traded, marketUsd: total }
}
