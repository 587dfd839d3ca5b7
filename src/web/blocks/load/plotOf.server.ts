import type { Grain, Point, Series } from '#http/contract.ts'
import { isOnChain } from '#kernel/sourceNames.ts'
import type { ChartSpec, LineSpec } from '../chart/chartSpec.ts'
import { entityColour, entityColours } from '../chart/entityColour.ts'
import { bucketIndex, bucketStart, type PlotData, type PlotLine, partialSums } from '../chart/plotData.ts'

/** A series, and how the chart shows it. */
export type SeriesPart = {
  series: Series
  line: LineSpec
  /** What the catalogue calls the values of the breakdown. */
  names?: Readonly<Record<string, string>>
  /** What stands on the line as round marks. */
  sized?: Series
}

/** How the chart draws: a band has one colour, parts of a whole are summed beyond the most. */
type Drawn = Pick<ChartSpec, 'kind' | 'most'>

/** Days that the drawing covers, whether or not they have a figure: the time axis of the page. */
export type Span = { from?: string | undefined; to?: string | undefined }

/** Kinds that draw parts of a whole. */
const ADDS_UP: ReadonlySet<ChartSpec['kind']> = new Set(['stacked', 'tree', 'sankey', 'waterfall'])

const round = (value: number): number => Number(value.toPrecision(9))

/**
 * Lays series side by side on the regular grid of their buckets: a bucket without a point is a gap. The grid covers
 * `span`; where that is open, it begins or ends with the points.
 * @returns undefined where no point has a value
 */
export function plotOf(
  parts: readonly SeriesPart[],
  grain: Grain,
  { kind, most = 10 }: Drawn,
  span: Span = {},
): PlotData | undefined {
  const points = parts.flatMap(part => part.series.points).filter(point => point.value !== null)
  const first = parts[0]?.series
  if (!first || points.length === 0) return undefined
  // A stack of which a part is wholly unknown would pass for the whole.
  const isKnown = (part: SeriesPart) => part.series.points.some(point => point.value !== null)
  if (kind === 'stacked' && !parts.every(isKnown)) return undefined
  const colours = entityColours(parts.map(part => part.series.entity))
  const days = points.map(point => point.day).sort()
  const start = bucketStart(span.from ?? days[0] ?? '', grain)
  const end = [span.to ?? '', days.at(-1) ?? ''].sort().at(-1) ?? ''
  const grid = { start, grain }
  const count = bucketIndex(grid, end) + 1
  const differs = {
    metric: new Set(parts.map(part => part.series.metric.id)).size > 1,
    entity: new Set(parts.map(part => part.series.entity)).size > 1,
  }
  const found = parts.flatMap(part => {
    const lines = linesOf(part, differs, grid, count, colours)
    return ADDS_UP.has(kind) ? withZeros(lines, part.series, grid) : lines
  })
  // Flows keep their ends, and figures of different entities do not add up unless they are drawn as parts of a whole.
  const kept = kind === 'sankey' || (differs.entity && !ADDS_UP.has(kind)) ? found : grouped(found, most)
  // Rows of a heat map keep their order, as of months; what is summed comes last.
  const place = (line: PlotLine) => (found.includes(line) ? found.indexOf(line) : found.length)
  const lines = kind === 'heat' ? kept.toSorted((a, b) => place(a) - place(b)) : kept
  return {
    start,
    grain,
    count,
    isPartial: points.some(point => point.state === 'partial' && bucketIndex(grid, point.day) === count - 1),
    lines: lines.map((line, index) => ({
      ...line,
      colour: colourOf(line, index, kind === 'band' ? 1 : lines.length, first.entity),
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

function colourOf(line: PlotLine, index: number, count: number, entity: string): string {
  if (line.key === REST) return 'series-rest'
  if (line.colour !== '') return line.colour
  if (count === 1) return entityColour(entity)
  return `series-${(index % 10) + 1}`
}

/** Of several entities side by side each has a colour of its own. */
function coloursOfKeys({ standsFor = {} }: SeriesPart['line']): (key: string) => string {
  const entities = Object.values(standsFor)
  const colours = entities.length > 1 ? entityColours(entities) : undefined
  return key => {
    const entity = standsFor[key]
    return entity === undefined ? '' : (colours?.get(entity) ?? entityColour(entity))
  }
}

/** Years in their order, whichever of them has a figure first; other keys as they come. */
const inOrder = (keys: string[]): string[] =>
  keys.every(key => /^\d{4}$/.test(key)) ? keys.toSorted() : keys

type Differs = { metric: boolean; entity: boolean }

function linesOf(
  { series, line, names, sized }: SeriesPart,
  differs: Differs,
  grid: { start: string; grain: Grain },
  count: number,
  colours: ReadonlyMap<string, string>,
): PlotLine[] {
  const byKey = new Map<string, Point[]>()
  for (const point of series.points) {
    const points = byKey.get(point.key)
    if (points) points.push(point)
    else byKey.set(point.key, [point])
  }
  const wanted = line.keys?.filter(key => byKey.has(key))
  const keys = wanted && wanted.length > 0 ? wanted : inOrder([...byKey.keys()])
  const colourOfKey = coloursOfKeys(line)
  const lines = keys.map((key): PlotLine => {
    const values = new Array<number | null>(count).fill(null)
    const incomplete: number[] = []
    for (const point of byKey.get(key) ?? []) {
      const index = bucketIndex(grid, point.day)
      if (index < 0 || index >= count || point.value === null) continue
      values[index] = round(Number(point.value))
      // A bucket that was left open and is not the last one stays hollow.
      if (point.state === 'incomplete' || (point.state === 'partial' && index < count - 1))
        incomplete.push(index)
    }
    const label =
      line.labels?.[key] ?? names?.[key] ?? (keys.length > 1 || !line.label ? shortKey(key) : line.label)
    const name = [differs.metric ? series.metric.id : '', differs.entity ? series.entity : '', key].filter(
      part => part !== '',
    )
    return {
      key: name.join(':') || series.metric.id,
      label: label === '' ? series.metric.name : label,
      colour: line.isQuiet ? QUIET : differs.entity ? (colours.get(series.entity) ?? '') : colourOfKey(key),
      values,
      incomplete,
      ...(line.isFaint && { isFaint: true }),
      ...(line.isBars && { isBars: true }),
      ...(line.sized && sized && { sized: sizedOf(sized, line.sized.label, grid, count) }),
      assay: `${series.metric.id}@${series.entity}`,
    }
  })
  const [first] = lines
  if (!line.isSum || !first) return lines
  return [
    {
      ...first,
      ...summed(withZeros(lines, series, grid)),
      key: series.metric.id,
      label: line.label ?? series.metric.name,
    },
  ]
}

/** A bucket's sum over the breakdown; nothing where that is zero. */
function sizedOf(
  series: Series,
  label: string,
  grid: { start: string; grain: Grain },
  count: number,
): NonNullable<PlotLine['sized']> {
  const sums = new Array<number>(count).fill(0)
  for (const { day, value } of series.points) {
    const index = bucketIndex(grid, day)
    if (value !== null && index >= 0 && index < count) sums[index] = (sums[index] ?? 0) + Number(value)
  }
  return {
    label,
    unit: series.unit,
    values: sums.map(sum => (sum === 0 ? null : round(sum))),
    assay: `${series.metric.id}@${series.entity}`,
  }
}

/** Addresses of EVM layers are recognised by both their ends. */
const shortKey = (key: string): string =>
  /^0x[0-9a-f]{40}$/.test(key) ? `${key.slice(0, 6)}…${key.slice(-4)}` : key

/** The colour token of lines that say less than their like. */
const QUIET = 'ink-2'

/** Bucket by bucket the sum of what is known, and where it lacks a member. */
function summed(lines: readonly PlotLine[]): Pick<PlotLine, 'values' | 'incomplete' | 'lacking'> {
  const values = (lines[0]?.values ?? []).map((_, index) => {
    const known = lines.map(line => line.values[index]).filter(value => value !== null && value !== undefined)
    return known.length === 0 ? null : round(known.reduce((sum, value) => sum + value, 0))
  })
  const lacking = [...partialSums(lines)].sort((a, b) => a - b)
  return {
    values,
    incomplete: [...new Set(lines.flatMap(line => line.incomplete))],
    ...(lacking.length > 0 && { lacking }),
  }
}

/**
 * A part without a row is zero only where the rows of the bucket name every part that is not zero: they were counted from
 * all that happened in it. What a publisher leaves out stays unknown, and so does a part that one reports on other days.
 */
function withZeros(
  lines: PlotLine[],
  { metric, points }: Series,
  grid: { start: string; grain: Grain },
): PlotLine[] {
  const isCounted = new Map<number, boolean>()
  const isComplete = metric.breakdown?.isComplete === true
  const published = new Set(points.flatMap(({ key, source }) => (isOnChain(source) ? [] : [key])))
  for (const point of points) {
    const index = bucketIndex(grid, point.day)
    isCounted.set(index, (isCounted.get(index) ?? true) && namesEveryPart(point, metric))
  }
  return lines.map(line => ({
    ...line,
    values:
      isComplete || !published.has(line.key)
        ? line.values.map((value, index) => value ?? (isCounted.get(index) === true ? 0 : null))
        : line.values,
  }))
}

const namesEveryPart = ({ value, state, source }: Point, { breakdown }: Series['metric']): boolean =>
  value !== null && state === 'whole' && (isOnChain(source) || breakdown?.isComplete === true)

/** Keeps the heaviest lines and sums the others, so that a chart stays readable and still adds up. */
function grouped(lines: PlotLine[], most: number): PlotLine[] {
  if (lines.length <= most) return lines
  const weight = (line: PlotLine) => line.values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0)
  const ranked = lines.toSorted((a, b) => weight(b) - weight(a))
  const rest = ranked.slice(most - 1)
  const sample = rest[0]
  if (!sample) return lines
  const others = { ...sample, ...summed(rest), key: REST, label: `${rest.length} others` }
  return [...ranked.slice(0, most - 1), others]
}
