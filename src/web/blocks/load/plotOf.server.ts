import type { Grain, Point, Series } from '#http/contract.ts'
import type { ChartKind } from '../chart/drawing.ts'
import { bucketIndex, type PlotData, type PlotLine } from '../chart/plotData.ts'

/** A series with the names and keys under which a chart shows it. */
export type SeriesPart = {
  series: Series
  label: string | undefined
  keys: readonly string[] | undefined
  labels: Readonly<Record<string, string>> | undefined
}

/** How the chart draws: parts of a whole that are not named on a known day are zero; a band has one colour. */
type Drawn = { kind: ChartKind; most?: number | undefined }

const round = (value: number): number => Number(value.toPrecision(9))

/**
 * Lays series side by side on the regular grid of their buckets: a bucket without a point is a gap.
 * @returns undefined where no point has a value
 */
export function plotOf(
  parts: readonly SeriesPart[],
  grain: Grain,
  { kind, most = 10 }: Drawn,
): PlotData | undefined {
  const points = parts.flatMap(part => part.series.points).filter(point => point.value !== null)
  const first = parts[0]?.series
  if (!first || points.length === 0) return undefined
  const days = points.map(point => point.day).sort()
  const [start = '', end = ''] = [days[0], days.at(-1)]
  const grid = { start, grain }
  const count = bucketIndex(grid, end) + 1
  const found = parts.flatMap(part => {
    const lines = linesOf(part, parts.length, grid, count)
    return kind === 'stacked' ? filled(lines) : lines
  })
  const lines = grouped(found, most)
  return {
    start,
    grain,
    count,
    isPartial: points.some(point => point.state === 'partial' && bucketIndex(grid, point.day) === count - 1),
    lines: lines.map((line, index) => ({
      ...line,
      colour: colourOf(line, index, kind === 'band' ? 1 : lines.length),
    })),
    unit: first.unit,
    asOf: parts.reduce(
      (asOf, part) => (part.series.asOf.time > asOf.time ? part.series.asOf : asOf),
      first.asOf,
    ),
    sources: [
      ...new Map(
        parts.flatMap(part => part.series.sources).map(({ id, name }) => [id, { id, name }]),
      ).values(),
    ],
  }
}

const REST = '*'

function colourOf(line: PlotLine, index: number, count: number): string {
  if (line.key === REST) return 'series-rest'
  return count === 1 ? 'series-bitcoin' : `series-${(index % 10) + 1}`
}

function linesOf(
  part: SeriesPart,
  partCount: number,
  grid: { start: string; grain: Grain },
  count: number,
): PlotLine[] {
  const { series } = part
  const assay = `${series.metric.id}@${series.entity}`
  const byKey = new Map<string, Point[]>()
  for (const point of series.points) {
    const points = byKey.get(point.key)
    if (points) points.push(point)
    else byKey.set(point.key, [point])
  }
  const wanted = part.keys?.filter(key => byKey.has(key))
  const keys = wanted && wanted.length > 0 ? wanted : [...byKey.keys()]
  return keys.map(key => {
    const values = new Array<number | null>(count).fill(null)
    const incomplete: number[] = []
    for (const point of byKey.get(key) ?? []) {
      const index = bucketIndex(grid, point.day)
      if (index < 0 || index >= count || point.value === null) continue
      values[index] = round(Number(point.value))
      if (point.state === 'incomplete') incomplete.push(index)
    }
    const name = part.labels?.[key] ?? (keys.length > 1 || !part.label ? key : part.label)
    return {
      key: partCount > 1 ? `${series.metric.id}${key === '' ? '' : `:${key}`}` : key || series.metric.id,
      label: name === '' ? series.metric.name : name,
      colour: '',
      values,
      incomplete,
      assay,
    }
  })
}

/** A part that is not named on a day that the series knows is nothing that day; a day that it does not know stays a gap. */
function filled(lines: PlotLine[]): PlotLine[] {
  const isKnown = (index: number) => lines.some(line => (line.values[index] ?? null) !== null)
  return lines.map(line => ({
    ...line,
    values: line.values.map((value, index) => value ?? (isKnown(index) ? 0 : null)),
  }))
}

/** Keeps the heaviest lines and sums the others, so that a chart stays readable and still adds up. */
function grouped(lines: PlotLine[], most: number): PlotLine[] {
  if (lines.length <= most) return lines
  const weight = (line: PlotLine) => line.values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0)
  const ranked = lines.toSorted((a, b) => weight(b) - weight(a))
  const rest = ranked.slice(most - 1)
  const sample = rest[0]
  if (!sample) return lines
  const values = sample.values.map((_, index) => {
    const known = rest.map(line => line.values[index]).filter(value => value !== null && value !== undefined)
    return known.length === 0 ? null : round(known.reduce((sum, value) => sum + value, 0))
  })
  const incomplete = [...new Set(rest.flatMap(line => line.incomplete))]
  return [
    ...ranked.slice(0, most - 1),
    { ...sample, key: REST, label: `${rest.length} others`, values, incomplete },
  ]
}
