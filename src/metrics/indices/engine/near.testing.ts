import assert from 'node:assert/strict'

export const near = (a: number, b: number, what: string, tolerance = 1e-9): void =>
  assert.ok(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)), `${what}: ${a}, not ${b}`)

/** Weights as the words of the rule say: what is above the largest weight is spread over the others, again and again. */
export function spreadWeights(sizes: readonly number[], maxWeight: number): number[] {
  const most = Math.max(maxWeight, 1 / sizes.length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let weights = sizes.map(size => size / total)
  const fixed = new Set<number>()
  for (let round = 0; round < sizes.length; round++) {
    const above = weights.flatMap((weight, i) => (weight > most * (1 + 1e-12) ? [i] : []))
    if (above.length === 0) break
    for (const i of above) fixed.add(i)
    const free = sizes.reduce((sum, size, i) => (fixed.has(i) ? sum : sum + size), 0)
    const left = 1 - fixed.size * most
    weights = sizes.map((size, i) => (fixed.has(i) ? most : (size / free) * left))
  }
  return weights
}
