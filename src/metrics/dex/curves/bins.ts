import type { Curve } from './curve.ts'

/** One in the scale of a bin's price: base units of y for one of x. */
export const PRICE_SCALE = 100_000_000n

/** A bin of a concentrated pool: within it one price holds. */
export type Bin = {
  /** Its number: prices rise with it. */
  readonly bin: number
  /** Base units of y for one of x, in 10⁻⁸. */
  readonly price: bigint
  readonly x: bigint
  readonly y: bigint
}

/**
 * A pool of bins (Bitflow's DLMM): the active bin trades at its price until one of its sides is out, then the next one is
 * active; bins below hold y, bins above x. A bin's whole y takes ⌈y · 10⁸ ÷ price⌉ of x, its whole x takes ⌈x · price ÷ 10⁸⌉
 * of y. Source: `swap-x-for-y` and `swap-y-for-x` of SP1PFR4V08H1RAZXREBGFFQ59WB739XM8VVGTFSEA.dlmm-core-v-1-1.
 *
 * A price that is to fall by p has fallen once every bin whose price is above (1 − p) of the active one's is out of y.
 */
export function binsCurve(
  bins: readonly Bin[],
  active: { readonly bin: number; readonly price: bigint },
): Curve {
  const reserves = bins.reduce((sum, { x, y }) => ({ x: sum.x + x, y: sum.y + y }), { x: 0n, y: 0n })
  return {
    reserves,
    moved: ({ to, from }) => {
      if (to === from) return reserves
      let { x, y } = reserves
      for (const one of bins) {
        if (to < from && one.bin <= active.bin && one.price * from > active.price * to) {
          x += ceilOf(one.y * PRICE_SCALE, one.price)
          y -= one.y
        }
        if (to > from && one.bin >= active.bin && one.price * from < active.price * to) {
          x -= one.x
          y += ceilOf(one.x * one.price, PRICE_SCALE)
        }
      }
      return { x, y }
    },
  }
}

const ceilOf = (over: bigint, under: bigint): bigint => (over + under - 1n) / under
