import type { Curve, Move, Reserves } from './curve.ts'

export type StableTerms = {
  /** A of the pool times what its contract takes it by: 2·A on Bitflow, 4·A on Velar. */
  readonly amplification: bigint
  /** What a unit of x is worth in y where the curve is flattest; 1 ÷ 1 unless the pool states a midpoint. */
  readonly midpoint?: { readonly numerator: bigint; readonly denominator: bigint }
}

const MOST_STEPS = 384
/** The price is met to this part of the reserve, far below what an amount in dollars shows. */
const CLOSE_ENOUGH = 10n ** 10n

/**
 * The invariant D of a StableSwap pool of two tokens: Ann·(x+y) + D = Ann·D + D³ ÷ (4xy), by Newton's steps in whole numbers
 * until it moves by no more than one. Source: `get-d` of SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.stableswap-core-v-1-4,
 * `find-D` of SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.curve-math_v1_0_0; the invariant is M. Egorov's (StableSwap, 2019).
 */
export function invariantOf({ x, y }: Reserves, ann: bigint): bigint {
  const sum = x + y
  let d = sum
  for (let step = 0; step < MOST_STEPS; step++) {
    const partial = product(d, { x, y })
    const next = ((ann * sum + 2n * partial) * d) / ((ann - 1n) * d + 3n * partial)
    const by = next > d ? next - d : d - next
    d = next
    if (by <= 1n) break
  }
  return d
}

/** What lies on the other side beside `x` on the curve with invariant D. Source: `get-y` of the same contract. */
export function otherSide(x: bigint, d: bigint, ann: bigint): bigint {
  const c = (((d * d) / (2n * x)) * d) / (2n * ann)
  const b = x + d / ann
  let y = d
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = (y * y + c) / (2n * y + b - d)
    const by = next > y ? next - y : y - next
    y = next
    if (by <= 1n) break
  }
  return y
}

/** D³ ÷ (4xy), as the contracts round it. */
const product = (d: bigint, { x, y }: Reserves): bigint => (d * ((d * d) / (2n * x))) / (2n * y)

/** The marginal price of x in y, as a fraction: (Ann + P/x) ÷ (Ann + P/y) with P = D³ ÷ (4xy), the curve's own slope. */
function slope(
  { x, y }: Reserves,
  d: bigint,
  ann: bigint,
): { readonly over: bigint; readonly under: bigint } {
  const partial = product(d, { x, y })
  return { over: (ann * x + partial) * y, under: (ann * y + partial) * x }
}

/** A StableSwap pool of two tokens whose reserves count in the same decimals. */
export function stableCurve(reserves: Reserves, { amplification, midpoint }: StableTerms): Curve {
  const { numerator, denominator } = midpoint ?? { numerator: 1n, denominator: 1n }
  const inner = { x: (reserves.x * numerator) / denominator, y: reserves.y }
  return {
    reserves,
    moved: move => {
      const { x, y } = movedInside(inner, amplification, move)
      return { x: (x * denominator) / numerator, y }
    },
  }
}

/** Its marginal price: y for one x, in the same decimals. */
export function stablePrice(reserves: Reserves, { amplification, midpoint }: StableTerms): number {
  const { numerator, denominator } = midpoint ?? { numerator: 1n, denominator: 1n }
  const inner = { x: (reserves.x * numerator) / denominator, y: reserves.y }
  const { over, under } = slope(inner, invariantOf(inner, amplification), amplification)
  return (Number(over) / Number(under)) * (Number(numerator) / Number(denominator))
}

/** The price falls along the curve, so the place is found by halving. */
function movedInside(reserves: Reserves, ann: bigint, { to, from }: Move): Reserves {
  if (to === from) return reserves
  if (to > from) {
    const { x: y, y: x } = movedInside({ x: reserves.y, y: reserves.x }, ann, { to: from, from: to })
    return { x, y }
  }
  const d = invariantOf(reserves, ann)
  const start = slope(reserves, d, ann)
  const hasFallen = (x: bigint): boolean => {
    const y = otherSide(x, d, ann)
    if (y <= 1n) return true
    const at = slope({ x, y }, d, ann)
    return at.over * start.under * from <= start.over * at.under * to
  }
  let [low, high] = [reserves.x, reserves.x + reserves.y]
  while (!hasFallen(high)) [low, high] = [high, high * 2n]
  while (high - low > 1n && (high - low) * CLOSE_ENOUGH > low) {
    const middle = (low + high) / 2n
    if (hasFallen(middle)) high = middle
    else low = middle
  }
  return { x: high, y: otherSide(high, d, ann) }
}
