/** What lies in a pool, in the units in which its curve counts. */
export type Reserves = { readonly x: bigint; readonly y: bigint }

/** How far a price moves: `to` ÷ `from`, both above 0. */
export type Move = { readonly to: bigint; readonly from: bigint }

/** How a pool finds its price: that of x in y falls as x comes in, and rises as y does. */
export type Curve = {
  readonly reserves: Reserves
  /**
   * What lies in the pool once swaps without a fee have moved its marginal price so far; where a side runs out before, what
   * lies in it then.
   */
  readonly moved: (move: Move) => Reserves
}

/** The move by which a price falls by hundredths of a percent (1 … 9999). */
export const fallBy = (bps: number): Move => ({ to: BigInt(10_000 - bps), from: 10_000n })
/** The move that takes another back. */
export const inverse = ({ to, from }: Move): Move => ({ to: from, from: to })

/**
 * What has to be swapped into a pool, of each side alone, until the price of what comes in has fallen by `bps`: its depth.
 * In the units of the curve, its fee left out, rounded down.
 */
export function depthOf(curve: Curve, bps: number): Reserves {
  const fall = fallBy(bps)
  const [byX, byY] = [curve.moved(fall), curve.moved(inverse(fall))]
  return { x: byX.x - curve.reserves.x, y: byY.y - curve.reserves.y }
}

/** Digits that a ratio of prices keeps as a fraction. */
const RATIO_SCALE = 10 ** 12

/**
 * What the move of a price alone costs those who provide: the pool at its end ÷ what it held at the beginning, both at the
 * price of the end, less one. `price` is that of x in y at the beginning, `ratio` the end over the beginning. For a
 * constant-product pool this is 2√k ÷ (1 + k) − 1. Null where there is nothing to compare.
 */
export function lossOf(curve: Curve, price: number, ratio: number): number | null {
  const to = BigInt(Math.round(ratio * RATIO_SCALE))
  if (!(price > 0) || to <= 0n) return null
  const after = curve.moved({ to, from: BigInt(RATIO_SCALE) })
  const end = price * ratio
  const worth = ({ x, y }: Reserves): number => Number(x) * end + Number(y)
  const held = worth(curve.reserves)
  return held > 0 ? worth(after) / held - 1 : null
}

/** The whole square root, rounded down. */
export function squareRoot(of: bigint): bigint {
  if (of < 2n) return of
  let root = 1n << BigInt((of.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + of / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
