import { bucketDay, bucketIndex, type PlotData } from '../../blocks/chart/plotData.ts'

/**
 * One plot ÷ another, line by line and bucket by bucket, where both are known; a bucket that either does not know is a
 * gap. `sameAs` says which line of the divisor belongs to a line. Undefined where no bucket has both.
 */
export function ratioPlot(
  plot: PlotData,
  divisor: PlotData,
  sameAs: (assay: string) => string | undefined,
  unit: string,
): PlotData | undefined {
  const lines = plot.lines.flatMap(line => {
    const other = divisor.lines.find(({ assay }) => assay === sameAs(line.assay))
    if (other === undefined) return []
    const values = line.values.map((value, index) => {
      const below = other.values[bucketIndex(divisor, bucketDay(plot, index))] ?? null
      return value === null || below === null || below === 0 ? null : Number((value / below).toPrecision(9))
    })
    return values.some(value => value !== null) ? [{ ...line, values }] : []
  })
  if (lines.length === 0) return undefined
  const sources = new Map([...plot.sources, ...divisor.sources].map(source => [source.id, source]))
  return { ...plot, lines, unit, sources: [...sources.values()] }
}
