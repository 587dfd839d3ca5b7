import { sourcesNamed } from '#kernel/sourceNames.ts'
import type { Difference, Point } from './answers.ts'
import { figureOf } from './ask.ts'
import type { Metric } from './metric.ts'
import type { FigureRow } from './readRows.ts'
import type { DaySpan, Standing } from './standing.ts'

/** What another source says of a day beside the figure that won it. */
export function differencesOf(points: readonly Point[], others: readonly FigureRow[]): Difference[] {
  const chosen = new Map(points.map(point => [`${point.day} ${point.key}`, point]))
  return others.flatMap(row => {
    const point = chosen.get(`${row.day} ${row.key}`)
    if (point === undefined || sourcesNamed(point.source).includes(row.source) || row.state !== 'whole')
      return []
    return [
      { day: row.day, key: row.key, source: row.source, value: figureOf(row.value), chosen: point.value },
    ]
  })
}

/**
 * Whether two sources may speak of one day of the range, as far as what is held tells; what stands beside need not be read
 * where they cannot.
 */
export function mayDiffer(
  { observedAs, sources }: Metric,
  entity: string,
  range: { readonly from?: string; readonly to?: string },
  { outside, toldTwice }: Pick<Standing, 'outside' | 'toldTwice'>,
): boolean {
  const figures = outside.get(`${observedAs} ${entity}`)
  const isBesideBlocks = sources.includes('bitcoin.chain')
  const spans: readonly DaySpan[] = [
    ...(figures !== undefined && (isBesideBlocks || figures.sources > 1) ? [figures] : []),
    ...(sources.includes('bitcoin.getblockstats') ? toldTwice : []),
  ]
  const { from = '', to = '9999' } = range
  return spans.some(span => span.from <= to && span.to >= from)
}
