import { figureText } from '../../format/figure.ts'
import type { ChartView } from '../view.ts'

/** Steps of colour that an eye tells apart. */
export const DEPTHS = [0.1, 0.24, 0.38, 0.54, 0.72, 1] as const

/** How deep values are drawn: as many steps as an eye tells apart, of equal width, or in equal ratios. */
export type DepthScale = {
  /** Index into `DEPTHS`. */
  step: (value: number) => number
  /** The lower edge of each step. */
  edges: number[]
  /** The lowest and the highest value, which may lie beyond the edges. */
  least: number
  most: number
}

const NEAR_ZERO = 0.45

/** @param values all that is drawn with the scale; the order does not matter */
export function depthScale(values: readonly number[], scale: ChartView['scale']): DepthScale {
  const steps = DEPTHS.length
  const sorted = values.toSorted((a, b) => a - b)
  const positive = sorted.filter(value => value > 0)
  // Beyond the outermost hundredths all are drawn alike: one odd day would make all others pale.
  const high = quantile(sorted, 0.99) ?? 0
  const lowest = quantile(sorted, 0.01) ?? 0
  const ends = { least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0 }
  const low = quantile(positive, 0.01)
  // From zero where the values come near it, as on an axis.
  const floor = lowest > high * NEAR_ZERO ? lowest : Math.min(0, lowest)
  const clamped = (step: number) => Math.min(steps - 1, Math.max(0, Math.floor(step + 1e-9)))
  if (scale === 'log' && low !== undefined && high > low) {
    const reach = Math.log(high) - Math.log(low)
    return {
      ...ends,
      step: value => (value > 0 ? clamped(((Math.log(value) - Math.log(low)) / reach) * steps) : 0),
      edges: Array.from({ length: steps }, (_, step) => Math.exp(Math.log(low) + (reach * step) / steps)),
    }
  }
  if (!(high > floor)) return { ...ends, step: () => steps - 1, edges: DEPTHS.map(() => high) }
  const reach = high - floor
  return {
    ...ends,
    step: value => clamped(((value - floor) / reach) * steps),
    edges: Array.from({ length: steps }, (_, step) => floor + (reach * step) / steps),
  }
}

/** Where the first step begins, and the last step from its lower edge to the highest value: `0.57` and `3.26 to 12.4 sat/vB`. */
export function endTexts({ edges, least, most }: DepthScale, unit: string): { low: string; high: string } {
  const first = Math.min(edges[0] ?? 0, least)
  const last = edges.at(-1) ?? 0
  const [low, high, top] = [first, last, most].map(edge => figureText(Number(edge.toPrecision(3)), unit))
  if (!low || !high || !top) return { low: '', high: '' }
  const before = (figure: typeof low) => (figure.tail === top.tail ? figure.number : figure.text)
  return {
    low: before(low),
    high: last < most && high.text !== top.text ? `${before(high)} to ${top.text}` : top.text,
  }
}

const quantile = (sorted: readonly number[], share: number): number | undefined =>
  sorted[Math.round((sorted.length - 1) * share)]
