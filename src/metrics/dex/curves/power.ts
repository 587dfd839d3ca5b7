import { type Curve, type Move, type Reserves, squareRoot } from './curve.ts'

/** One, in the fixed notation of ALEX: factors and balances alike count in 10⁻⁸, whatever the token. */
export const ONE_8 = 100_000_000n
/**
 * From this factor on a pool blends constant sum and constant product, below it sums powers. It is a variable of the
 * registry (`switch-threshold`), set so where it was deployed.
 */
export const SWITCH_THRESHOLD = 80_000_000n

/**
 * A pool of ALEX's AMM with factor t. Below the threshold x^(1−t) + y^(1−t) stays and the price of x in y is (y ÷ x)^t; from
 * it on (1−t)(x+y) + t·x·y stays and the price is ((1−t) + t·y) ÷ ((1−t) + t·x). With t = 1 both are constant product, with
 * t = 0 constant sum. Source: `get-invariant`, `get-price-internal` and `get-y-given-x-internal` of
 * SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM.amm-pool-v2-01 (amm-swap-pool-v1-1 counts likewise).
 *
 * Balances are in 10⁻⁸ of a token. A factor above one counts as one, as in the contract.
 */
export function powerCurve(reserves: Reserves, factor: bigint): Curve {
  const t = factor > ONE_8 ? ONE_8 : factor
  return {
    reserves,
    moved: move =>
      t >= SWITCH_THRESHOLD
        ? blended(reserves, t, move)
        : summedPowers(reserves, Number(t) / Number(ONE_8), move),
  }
}

/** Its marginal price: y for one x. */
export function powerPrice({ x, y }: Reserves, factor: bigint): number {
  const t = factor > ONE_8 ? ONE_8 : factor
  const rest = (ONE_8 - t) * ONE_8
  return t >= SWITCH_THRESHOLD
    ? Number(rest + t * y) / Number(rest + t * x)
    : (Number(y) / Number(x)) ** (Number(t) / Number(ONE_8))
}

/** With X = (1−t) + t·x and Y likewise, the curve is X · Y = const and its price Y ÷ X: constant product, moved aside. */
function blended({ x, y }: Reserves, t: bigint, { to, from }: Move): Reserves {
  const rest = (ONE_8 - t) * ONE_8
  const [a, b] = [rest + t * x, rest + t * y]
  const [nextA, nextB] = [squareRoot((a * a * from) / to), squareRoot((b * b * to) / from)]
  const least = rest === 0n ? 1n : rest
  if (nextB < least) return { x: ((a * b) / least - rest) / t, y: 0n }
  if (nextA < least) return { x: 0n, y: ((a * b) / least - rest) / t }
  return { x: (nextA - rest) / t, y: (nextB - rest) / t }
}

function summedPowers(reserves: Reserves, t: number, { to, from }: Move): Reserves {
  if (to === from) return reserves
  if (to > from) {
    const { x: y, y: x } = summedPowers({ x: reserves.y, y: reserves.x }, t, { to: from, from: to })
    return { x, y }
  }
  const { x, y } = reserves
  // Of a constant sum any fall takes the whole other side.
  if (t === 0) return { x: x + y, y: 0n }
  const rest = 1 - t
  const before = Number(y) / Number(x)
  const after = before * (Number(to) / Number(from)) ** (1 / t)
  const grown = (Math.log1p(before ** rest) - Math.log1p(after ** rest)) / rest
  const nextX = x + BigInt(Math.floor(Number(x) * Math.expm1(grown)))
  return { x: nextX, y: BigInt(Math.floor(Number(nextX) * after)) }
}
