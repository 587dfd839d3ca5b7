import { bucketDay, bucketStart, type PlotData } from '../../../src/web/blocks/chart/plotData.ts'
import { addDays } from '../../../src/web/format/day.ts'
import type { Found, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** Pages are read without a range, which is one year. */
const YEAR_DAYS = 365

const isOfDays = ({ part }: Found<PlotData>): boolean => part.grain !== 'block' && part.grain !== 'hour'
const lastBucket = (plot: PlotData): string => bucketDay(plot, plot.count - 1)

/** Whether a plot covers the year that ends on a day, by its buckets. */
const coversYearTo = (day: string, plot: PlotData): boolean =>
  plot.start === bucketStart(addDays(day, 1 - YEAR_DAYS), plot.grain) &&
  lastBucket(plot) === bucketStart(day, plot.grain)

/** Charts of a page share one time axis of the page's range, which ends on the newest day that the page has. */
export const timeAxis: Rule = {
  name: 'draws one year to one day in all its charts',
  check: (pages): Fault[] => pages.flatMap(faultsOf),
}

function faultsOf({ plots, kpis }: PageParts): Fault[] {
  const drawn = plots.filter(isOfDays)
  const finest = drawn.find(({ part }) => part.grain === 'day') ?? drawn[0]
  if (finest === undefined) return []
  // A plot by weeks or months leaves open on which day of its last bucket the page ends.
  const first = lastBucket(finest.part)
  const after = bucketDay(finest.part, finest.part.count)
  const days = [first]
  for (let day = addDays(first, 1); day < after; day = addDays(day, 1)) days.push(day)
  const end = days.findLast(day => drawn.every(({ part }) => coversYearTo(day, part)))
  if (end === undefined)
    return drawn
      .filter(({ part }) => !coversYearTo(first, part))
      .concat(finest)
      .map(found =>
        faultAt(found, `covers ${found.part.start} to ${lastBucket(found.part)} by ${found.part.grain}`),
      )
  return kpis
    .filter(({ part }) => part.day > end)
    .map(found => faultAt(found, `is of ${found.part.day}, and charts of the page end on ${end}`))
}
