import { sharesOf, UNATTRIBUTED } from '#kernel/share.ts'
import {
  isFlow,
  type LineSpec,
  type ShownSankey,
  type ShownTreeMap,
  type ShownWaterfall,
} from '../chart/chartSpec.ts'
import {
  bucketDay,
  bucketText,
  newestWholeBucket,
  type PlotData,
  type PlotLine,
  partialSums,
  partsOf,
} from '../chart/plotData.ts'
import type { WholeData } from '../chart/wholeData.ts'

/**
 * Lines over time as parts of one whole: areas and flows from the largest down, steps of a waterfall in their own order
 * and with their signs. `over`: `newest` takes the newest
 * bucket that is over, without a gap and with all parts known, `sum` all that are over.
 * @param specs how each line was asked for, by its assay view: where it flows
 * @returns undefined where no bucket is whole, or nothing is above zero
 */
export function wholeOf(
  plot: PlotData,
  { kind, over }: Pick<ShownTreeMap | ShownSankey | ShownWaterfall, 'kind' | 'over'>,
  specs: readonly { line: LineSpec; assay: string }[],
): WholeData | undefined {
  const newest = newestWholeBucket(over === 'newest' ? withoutFragments(plot) : plot)
  if (newest === undefined) return undefined
  const taken = ({ values }: PlotLine): number | null =>
    over === 'newest' ? (values[newest] ?? null) : sumOfKnown(values.slice(0, newest + 1))
  const parts = plot.lines.flatMap(line => {
    const value = taken(line)
    if (value === null || (kind === 'waterfall' ? value === 0 : !(value > 0))) return []
    const spec = specs.find(({ assay }) => assay === line.assay)?.line
    return [
      {
        key: line.key,
        label: line.label,
        colour: line.colour,
        value: Number(value.toPrecision(12)),
        assay: line.assay,
        ...(spec &&
          isFlow(spec) && {
            flow: {
              from: spec.from.replace('{key}', line.label),
              to: spec.to.replace('{key}', line.label),
            },
          }),
      },
    ]
  })
  if (!parts.some(({ value }) => value > 0)) return undefined
  const rest = over === 'newest' ? unattributedIn(plot, newest) : 0
  if (rest > 0)
    parts.push({
      ...UNATTRIBUTED,
      colour: 'series-rest',
      value: Number(rest.toPrecision(12)),
      assay: plot.lines[0]?.assay ?? '',
    })
  const { unit, asOf, sources } = plot
  return {
    parts: kind === 'waterfall' ? parts : parts.toSorted((a, b) => b.value - a.value),
    span:
      over === 'newest' ? bucketText(plot, newest) : `${bucketText(plot, 0)} to ${bucketText(plot, newest)}`,
    to: bucketDay(plot, newest),
    gaps: over === 'newest' ? 0 : gapsUntil(plot, newest),
    unit,
    asOf,
    sources,
  }
}

function sharesIn({ lines, totals }: PlotData) {
  const partsIn = partsOf(lines, lines)
  return (index: number) => sharesOf(partsIn(index), totals?.[index] ?? null)
}

const unattributedIn = (plot: PlotData, index: number): number =>
  plot.totals === undefined ? 0 : (sharesIn(plot)(index)?.unattributed ?? 0)

/**
 * Parts of a whole have one moment: a part that is unknown in it would make the others look like all there is. Where the
 * whole has a source of its own, the parts must cover most of it.
 */
function withoutFragments(plot: PlotData): PlotData {
  const sharesAt = sharesIn(plot)
  const partial =
    plot.totals === undefined
      ? partialSums(plot.lines)
      : new Set(plot.totals.flatMap((_, index) => (sharesAt(index) === null ? [index] : [])))
  const blank = (values: PlotLine['values']) =>
    values.map((value, index) => (partial.has(index) ? null : value))
  return { ...plot, lines: plot.lines.map(line => ({ ...line, values: blank(line.values) })) }
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function gapsUntil({ lines }: PlotData, last: number): number {
  const hollow = new Set([...lines.flatMap(line => line.incomplete), ...partialSums(lines)])
  let gaps = 0
  for (let index = 0; index <= last; index += 1)
    if (hollow.has(index) || !lines.some(line => (line.values[index] ?? null) !== null)) gaps += 1
  return gaps
}
