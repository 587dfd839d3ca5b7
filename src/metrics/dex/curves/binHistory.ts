import type { PoolBins } from './poolCurve.ts'

/** How a bin stood at the end of a day, as its prints say; `null`: none of the day says. */
export type BinDay = {
  readonly day: string
  readonly pool: string
  readonly bin: number
  readonly x: bigint
  readonly y: bigint
  readonly shares: bigint | null
  readonly price: bigint | null
  readonly step: number | null
  readonly active: number | null
  readonly activeHeight: number
  readonly activeIndex: number
}
type Stood = { x: bigint; y: bigint; shares: bigint; price: bigint | null }
/** All bins of a pool on a day. */
export type BinsAt = PoolBins & { readonly shares: ReadonlyMap<number, bigint> }

/** Bins of pools as they stood on a day, from the days on which prints tell of them (in any order). */
export function binHistory(days: readonly BinDay[]): (pool: string, day: string) => BinsAt | null {
  const pools = Map.groupBy(
    days.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
    ({ pool }) => pool,
  )
  return (pool, day) => {
    const stood = new Map<number, Stood>()
    let [active, step]: [BinDay | undefined, number | undefined] = [undefined, undefined]
    for (const one of pools.get(pool) ?? []) {
      if (one.day > day) break
      const before = stood.get(one.bin)
      stood.set(one.bin, {
        x: one.x,
        y: one.y,
        shares: one.shares ?? before?.shares ?? 0n,
        price: one.price ?? before?.price ?? null,
      })
      step = one.step ?? step
      if (one.active !== null && (active === undefined || isAfter(one, active))) active = one
    }
    if (active?.active == null) return null
    const bins = [...stood].flatMap(([bin, { x, y, price }]) =>
      price === null ? [] : [{ bin, x, y, price }],
    )
    // What lies in a bin whose price nobody told cannot be placed: then the pool is not known.
    if ([...stood.values()].some(({ x, y, price }) => price === null && x + y > 0n)) return null
    const price = priceOf(active.active, bins, step)
    if (price === null) return null
    const shares = new Map([...stood].map(([bin, one]) => [bin, one.shares]))
    return { bins: bins.toSorted((a, b) => a.bin - b.bin), active: { bin: active.active, price }, shares }
  }
}

const isAfter = (one: BinDay, other: BinDay): boolean =>
  one.activeHeight > other.activeHeight ||
  (one.activeHeight === other.activeHeight && one.activeIndex > other.activeIndex)

/** The price of a bin: as told, else by steps from the nearest bin that has one. */
function priceOf(bin: number, bins: PoolBins['bins'], step: number | undefined): bigint | null {
  const nearest = bins.toSorted((a, b) => Math.abs(a.bin - bin) - Math.abs(b.bin - bin))[0]
  if (nearest === undefined) return null
  if (nearest.bin === bin) return nearest.price
  if (step === undefined) return null
  return BigInt(Math.round(Number(nearest.price) * (1 + step / 10_000) ** (bin - nearest.bin)))
}

/**
 * Value of the shares of a day if they were kept ÷ what they stood for then, both at the prices given (of a base unit), less
 * one. Bins whose shares have all been taken out since are left out of both; null where nothing is left.
 */
export function keptBins(then: BinsAt, now: BinsAt, usdX: number, usdY: number): number | null {
  const left = new Map(now.bins.map(one => [one.bin, one]))
  let [kept, held] = [0, 0]
  for (const { bin, x, y } of then.bins) {
    const [sharesThen, sharesNow, end] = [
      then.shares.get(bin) ?? 0n,
      now.shares.get(bin) ?? 0n,
      left.get(bin),
    ]
    if (sharesThen === 0n || sharesNow === 0n || end === undefined) continue
    kept += (Number(sharesThen) / Number(sharesNow)) * (Number(end.x) * usdX + Number(end.y) * usdY)
    held += Number(x) * usdX + Number(y) * usdY
  }
  return held > 0 ? kept / held - 1 : null
}
