import type { Series } from '#http/contract.ts'
import { entityColour } from '../chart/entityColour.ts'
import type { Bins, HistogramData } from '../chart/histogramData.ts'
import { linearScale } from '../chart/scale.ts'

/** Bins that a reader still tells apart. */
const MOST_BINS = 40
const LEAST_BINS = 8

/**
 * How the values of a series are spread. Buckets that are not over or have gaps are left out.
 * @returns undefined where fewer than two values are known
 */
export function histogramOf(
  series: Series,
  label: string,
  keys?: readonly string[],
): HistogramData | undefined {
  const points = series.points.filter(
    point => point.value !== null && point.state === 'whole' && (!keys || keys.includes(point.key)),
  )
  const values = points
    .map(point => Number(point.value))
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const [low, high] = [values[0], values.at(-1)]
  if (low === undefined || high === undefined || values.length < 2) return undefined
  const days = points.map(point => point.day.slice(0, 10)).sort()
  const middle = values.length / 2
  const median = ((values[Math.ceil(middle) - 1] ?? low) + (values[Math.floor(middle)] ?? low)) / 2
  const about = Math.min(MOST_BINS, Math.max(LEAST_BINS, Math.ceil(Math.sqrt(values.length))))
  return {
    linear: counted(values, linearEdges(low, high, about)),
    ...logBins(values, about),
    count: values.length,
    median: rounded(median),
    mean: rounded(values.reduce((sum, value) => sum + value, 0) / values.length),
    from: days[0] ?? '',
    to: days.at(-1) ?? '',
    unit: series.unit,
    colour: entityColour(series.entity),
    label,
    assay: `${series.metric.id}@${series.entity}`,
    asOf: series.asOf,
    sources: series.sources.map(({ id, name }) => ({ id, name })),
  }
}

/** Nothing where less than half of the values have a logarithm, or all are of one size. */
function logBins(values: readonly number[], about: number): Pick<HistogramData, 'log'> {
  const positive = values.filter(value => value > 0)
  const [low, high] = [positive[0], positive.at(-1)]
  if (low === undefined || high === undefined || positive.length < values.length / 2 || high / low < 2)
    return {}
  const bins = counted(positive, logEdges(low, high, about))
  return { log: { ...bins, left: values.length - positive.length } }
}

const rounded = (value: number): number => Number(value.toPrecision(9))

/** Round edges around all values; one bin where all are the same. */
export function linearEdges(low: number, high: number, about: number): number[] {
  // Values that differ by less than a figure tells are one.
  if (high - low <= Math.max(Math.abs(low), Math.abs(high)) * 1e-9)
    return [low, low + (Math.abs(low) || 1) * 0.1]
  const { ticks } = linearScale(low, high, false, about)
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0)
  const found = ticks.filter((tick, index) => tick + step > low || index === ticks.length - 1)
  const edges = found.length > 1 ? found : ticks.slice(-2)
  // Ticks are round, and a value may lie beyond one by less than a figure tells.
  edges[0] = Math.min(edges[0] ?? low, low)
  edges[edges.length - 1] = Math.max(edges.at(-1) ?? high, high)
  return edges
}

/** Edges in equal ratios, between positive values. */
export function logEdges(low: number, high: number, about: number): number[] {
  const reach = Math.log(high) - Math.log(low)
  const edges = Array.from({ length: about + 1 }, (_, index) =>
    rounded(Math.exp(Math.log(low) + (reach * index) / about)),
  )
  edges[0] = low
  edges[about] = high
  return edges
}

/** Each value once: a bin holds its lower edge, the last bin both. */
export function counted(sorted: readonly number[], edges: readonly number[]): Bins {
  const counts = new Array<number>(edges.length - 1).fill(0)
  let bin = 0
  for (const value of sorted) {
    while (bin < counts.length - 1 && value >= (edges[bin + 1] ?? Number.POSITIVE_INFINITY)) bin += 1
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return { edges: [...edges], counts }
}
