export type CappedWeights = {
  readonly weights: readonly number[]
  /** Which stand at the largest weight. */
  readonly isCapped: readonly boolean[]
  /** Sum of sizes that the index stands for: of those at the largest weight only a part counts. */
  readonly total: number
}

/**
 * Weights in the order of `sizes`, each above zero: its share, at most max(`maxWeight`, 1 ÷ their number), what is above
 * spread over the others by their sizes until nobody is above. Throws RangeError without sizes or where one is not above zero.
 */
export function cappedWeights(sizes: readonly number[], maxWeight: number): CappedWeights {
  const count = sizes.length
  if (count === 0 || sizes.some(size => !(size > 0)))
    throw new RangeError('weights need sizes, each above zero')
  const most = Math.max(maxWeight, 1 / count)
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[b]! - sizes[a]!)
  // What is not at the largest weight, summed from the smallest on: no cancellation.
  const rest = new Float64Array(count + 1)
  for (let i = count - 1; i >= 0; i--) rest[i] = rest[i + 1]! + sizes[order[i]!]!
  let capped = 0
  while (capped < count && (1 - capped * most) * sizes[order[capped]!]! > most * rest[capped]!) capped += 1
  const free = rest[capped]!
  const weights = new Array<number>(count)
  const isCapped = new Array<boolean>(count).fill(false)
  for (const [place, at] of order.entries()) {
    isCapped[at] = place < capped
    weights[at] = place < capped ? most : ((1 - capped * most) * sizes[at]!) / free
  }
  const total = capped === count ? sizes[order[count - 1]!]! * count : free / (1 - capped * most)
  return { weights, isCapped, total }
}
