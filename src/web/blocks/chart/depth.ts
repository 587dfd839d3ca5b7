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
}

const NEAR_ZERO = 0.45

/** @param values all that is drawn with the scale; the order does not matter */
export function depthScale(values: readonly number[], scale: ChartView['scale']): DepthScale {
  const steps = DEPTHS.length
  const sorted = values.toSorted((a, b) => a - b)
  const positive = sorted.filter(value => value > 0)
  // Beyond the outermost hundredths all are drawn alike: one odd day would make all others pale.
  const high = quantile(sorted, 0.99) ?? 0
  const least = quantile(sorted, 0.01) ?? 0
  const low = quantile(positive, 0.01)
  // From zero where the values come near it, as on an axis.
  const floor = least > high * NEAR_ZERO ? least : Math.min(0, least)
  const clamped = (step: number) => Math.min(steps - 1, Math.max(0, Math.floor(step + 1e-9)))
  if (scale === 'log' && low !== undefined && high > low) {
    const reach = Math.log(high) - Math.log(low)
    return {
      step: value => (value > 0 ? clamped(((Math.log(value) - Math.log(low)) / reach) * steps) : 0),
      edges: Array.from({ length: steps }, (_, step) => Math.exp(Math.log(low) + (reach * step) / steps)),
    }
  }
  if (!(high > floor)) return { step: () => steps - 1, edges: DEPTHS.map(() => high) }
  const reach = high - floor
  return {
    step: value => clamped(((value - floor) / reach) * steps),
    edges: Array.from({ length: steps }, (_, step) => floor + (reach * step) / steps),
  }
}

/** The lower edges of the first and the last step: `0.57` and `3.26 sat/vB`. */
export function endTexts({ edges }: DepthScale, unit: string): { low: string; high: string } {
  const [low, high] = [edges[0] ?? 0, edges.at(-1) ?? 0].map(edge =>
    figureText(Number(edge.toPrecision(3)), unit),
  )
  if (!low || !high) return { low: '', high: '' }
  return { low: low.tail === high.tail ? low.number : low.text, high: high.text }
}

const quantile = (sorted: readonly number[], share: number): number | undefined =>
  sorted[Math.round((sorted.length - 1) * share)]
