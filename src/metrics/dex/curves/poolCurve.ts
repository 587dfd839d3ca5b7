import type { CatalogExchange, DexSource } from '#catalog/index.ts'
import { type Bin, binsCurve, PRICE_SCALE } from './bins.ts'
import type { Curve, Reserves } from './curve.ts'
import { powerCurve, powerPrice } from './power.ts'
import { stableCurve, stablePrice } from './stable.ts'

/** How a pool stood at the end of a day; amounts in base units of its tokens. */
export type PoolState = {
  readonly pool: string
  readonly curve: string
  readonly reserves: Reserves
  readonly decimalsX: number | null
  readonly decimalsY: number | null
  readonly amplification: bigint | null
  /** How its exchange takes its amplification; undefined where its pools have none. */
  readonly amplified: DexSource['amplification']
  readonly factor: bigint | null
  readonly midpoint: { readonly numerator: bigint; readonly denominator: bigint } | null
  readonly bins: PoolBins | null
}
export type PoolBins = {
  readonly bins: readonly Bin[]
  readonly active: { readonly bin: number; readonly price: bigint }
}

/** A curve whose amounts are base units of the pool's tokens. */
export type PoolCurve = {
  /** Counts in units of its own: `toBase` gives base units. */
  readonly curve: Curve
  /** Marginal price of x in y, in the curve’s units. */
  readonly price: number
  readonly toBase: (amounts: Reserves) => Reserves
}

/** Balances of ALEX count in so many decimals whatever the token. */
const ALEX_DECIMALS = 8
const itself = (amounts: Reserves): Reserves => amounts

/** How an exchange takes the amplification of its stable pools. */
export const amplifiedBy = (
  exchanges: readonly CatalogExchange[],
  protocol: string,
): DexSource['amplification'] =>
  exchanges.find(exchange => exchange.protocol === protocol)?.sources.find(({ curve }) => curve === 'stable')
    ?.amplification

/** The curve of a pool at a moment; null where a term that it needs is not known, or a side is empty. */
export function curveOf(state: PoolState): PoolCurve | null {
  const { reserves, bins } = state
  if (state.curve === 'bins') return bins === null ? null : ofBins(bins)
  if (reserves.x <= 0n || reserves.y <= 0n) return null
  if (state.curve === 'power') return ofPower(state)
  return state.curve === 'stable' ? ofStable(state) : null
}

function ofBins({ bins, active }: PoolBins): PoolCurve {
  return {
    curve: binsCurve(bins, active),
    price: Number(active.price) / Number(PRICE_SCALE),
    toBase: itself,
  }
}

function ofPower({ factor, decimalsX, decimalsY, reserves }: PoolState): PoolCurve | null {
  if (factor === null || decimalsX === null || decimalsY === null) return null
  const inside = {
    x: rescaled(reserves.x, decimalsX, ALEX_DECIMALS),
    y: rescaled(reserves.y, decimalsY, ALEX_DECIMALS),
  }
  if (inside.x <= 0n || inside.y <= 0n) return null
  return {
    curve: powerCurve(inside, factor),
    price: powerPrice(inside, factor),
    toBase: ({ x, y }) => ({
      x: rescaled(x, ALEX_DECIMALS, decimalsX),
      y: rescaled(y, ALEX_DECIMALS, decimalsY),
    }),
  }
}

function ofStable(state: PoolState): PoolCurve | null {
  const { pool, amplification: told, amplified, midpoint, reserves } = state
  if (told === null || told === 0n || amplified === undefined) return null
  const { times, scaled, except } = amplified
  if (except.some(start => pool.startsWith(start))) return null
  const terms = { amplification: told * BigInt(times), ...(midpoint !== null && { midpoint }) }
  if (!scaled)
    return { curve: stableCurve(reserves, terms), price: stablePrice(reserves, terms), toBase: itself }
  const { decimalsX, decimalsY } = state
  if (decimalsX === null || decimalsY === null) return null
  const most = Math.max(decimalsX, decimalsY)
  const inside = { x: rescaled(reserves.x, decimalsX, most), y: rescaled(reserves.y, decimalsY, most) }
  return {
    curve: stableCurve(inside, terms),
    price: stablePrice(inside, terms),
    toBase: ({ x, y }) => ({ x: rescaled(x, most, decimalsX), y: rescaled(y, most, decimalsY) }),
  }
}

const rescaled = (amount: bigint, from: number, to: number): bigint =>
  to >= from ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to)
