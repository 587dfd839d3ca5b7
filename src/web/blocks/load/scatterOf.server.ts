import type { Grain } from '#http/contract.ts'
import type { PointSpec } from '../chart/chartSpec.ts'
import { entityColours } from '../chart/entityColour.ts'
import type { ScatterData, ScatterPoint } from '../chart/scatterData.ts'
import { plotOf, type SeriesPart } from './plotOf.server.ts'

type Part = SeriesPart & { line: PointSpec }

/**
 * Coordinates of entities laid on one grid of buckets.
 * @returns undefined where no entity has both coordinates at any moment
 */
export function scatterOf(parts: readonly Part[], grain: Grain): ScatterData | undefined {
  // As faint lines of one chart, so that all share one grid and each breakdown is summed.
  const plot = plotOf(
    parts.map(part => ({ ...part, line: { ...part.line, isSum: true } })),
    grain,
    { kind: 'scatter', most: Number.POSITIVE_INFINITY },
  )
  if (!plot) return undefined
  const entities = [...new Set(parts.map(({ line }) => line.entity))]
  const colours = entityColours(entities)
  const partOf = (axis: PointSpec['axis'], entity: string) =>
    parts.find(({ line }) => line.axis === axis && line.entity === entity)
  const valuesOf = (part: Part | undefined): (number | null)[] => {
    const assay = part && assayOf(part)
    const line = plot.lines.find(each => each.assay === assay)
    return line ? line.values : new Array<null>(plot.count).fill(null)
  }
  const points = entities.flatMap((entity): ScatterPoint[] => {
    const [x, y, size] = [partOf('x', entity), partOf('y', entity), partOf('size', entity)]
    if (!x || !y) return []
    const [xs, ys] = [valuesOf(x), valuesOf(y)]
    if (!xs.some((value, index) => value !== null && (ys[index] ?? null) !== null)) return []
    const hasSize = parts.some(({ line }) => line.axis === 'size')
    return [
      {
        key: entity,
        label: x.line.label,
        colour: colours.get(entity) ?? 'series-2',
        x: xs,
        y: ys,
        ...(hasSize && { size: valuesOf(size) }),
        assay: { x: assayOf(x), y: assayOf(y), ...(size && { size: assayOf(size) }) },
      },
    ]
  })
  if (points.length === 0) return undefined
  const unitOf = (axis: PointSpec['axis']) => parts.find(({ line }) => line.axis === axis)?.series.unit
  const size = unitOf('size')
  const { start, count, isPartial, asOf, sources } = plot
  return {
    start,
    grain,
    count,
    isPartial,
    points,
    units: { x: unitOf('x') ?? '', y: unitOf('y') ?? '', ...(size !== undefined && { size }) },
    asOf,
    sources,
  }
}

const assayOf = ({ series }: Part): string => `${series.metric.id}@${series.entity}`
