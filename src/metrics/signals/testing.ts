import type { CatalogSignal } from '#catalog/index.ts'
import type { Daily } from './readings.ts'

/** Numbers in [0, 1) that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A walk of `count` days, a share of them without a figure. */
export function walkOf(count: number, seed: number, gaps = 0): Daily {
  const random = randomOf(seed)
  let level = 100
  return Float64Array.from({ length: count }, () => {
    level *= Math.exp((random() - 0.495) * 0.08)
    return random() < gaps ? Number.NaN : level
  })
}

/** A signal with texts that say nothing, around what a test is about. */
export const madeSignal = (given: Partial<CatalogSignal> & Pick<CatalogSignal, 'rules'>): CatalogSignal => ({
  id: 'made',
  name: 'Made',
  family: 'trend',
  input: { metric: 'price.close', entity: 'bitcoin' },
  coverage: 0.9,
  reading: 'a reading',
  why: 'Why.',
  misleads: 'How.',
  grid: { days: [given.rules.at(-1)!.transform.days], thresholds: [[0, 0]] },
  references: [{ title: 'None' }],
  ...given,
})
