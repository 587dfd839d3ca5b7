import { bucketDay, bucketStart, type PlotData } from '../../../src/web/blocks/chart/plotData.ts'
import { addDays } from '../../../src/web/format/day.ts'
import type { Found, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

const RANGE_DAYS: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }

const isOfDays = ({ part }: Found<PlotData>): boolean => part.grain !== 'block' && part.grain !== 'hour'
const lastBucket = (plot: PlotData): string => bucketDay(plot, plot.count - 1)

/** Days of the range that an address asks for, one year without one; undefined for the whole history. */
const daysOf = (address: string): number | undefined =>
  RANGE_DAYS[new URL(address, 'http://page').searchParams.get('range') ?? '1y']

/**
 * Charts of a page share one time axis of the page's range, which ends on the day of the page's mark. Whole histories
 * start on the first day with a figure of any of them.
 */
export const timeAxis: Rule = {
  name: 'draws its range in all charts, up to the day of its mark',
  check: (pages): Fault[] => pages.flatMap(faultsOf),
}

function faultsOf({ address, plots, marks, kpis }: PageParts): Fault[] {
  const drawn = plots.filter(isOfDays)
  const first = drawn[0]
  if (first === undefined) return []
  const days = new Set(marks.map(({ part }) => part.day))
  const [end] = days
  if (end === undefined || days.size > 1)
    return [faultAt(first, `has charts, and marks of ${days.size} days: ${[...days].join(', ')}`)]
  const span = daysOf(address)
  const isShort = (plot: PlotData): boolean =>
    lastBucket(plot) !== bucketStart(end, plot.grain) ||
    (span !== undefined && plot.start !== bucketStart(addDays(end, 1 - span), plot.grain))
  return [
    ...drawn
      .filter(({ part }) => isShort(part))
      .map(found =>
        faultAt(
          found,
          `covers ${found.part.start} to ${lastBucket(found.part)} by ${found.part.grain}, the mark is of ${end}`,
        ),
      ),
    ...(span === undefined ? startFaults(drawn) : []),
    ...kpis
      .filter(({ part }) => part.day > end)
      .map(found => faultAt(found, `is of ${found.part.day}, and the mark of ${end}`)),
  ]
}

const dayAfterFirstBucket = (plot: PlotData): string => bucketDay(plot, 1)

/** Whole histories that have no day in common in their first buckets, or in which nothing is known there. */
function startFaults(drawn: readonly Found<PlotData>[]): Fault[] {
  const [latest] = drawn.toSorted((a, b) => b.part.start.localeCompare(a.part.start))
  if (latest === undefined) return []
  const early = drawn.filter(({ part }) => dayAfterFirstBucket(part) <= latest.part.start)
  const isEmpty = drawn.every(({ part }) => part.lines.every(({ values: [first = null] }) => first === null))
  return [
    ...early.map(found =>
      faultAt(found, `starts on ${found.part.start}, and ${latest.path} on ${latest.part.start}`),
    ),
    ...(isEmpty ? [faultAt(latest, `starts on ${latest.part.start}, where no chart has a figure`)] : []),
  ]
}
