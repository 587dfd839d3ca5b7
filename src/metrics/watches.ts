import type { FigureValue, Point } from './answers.ts'
import { metricOf } from './entry.ts'
import { coversMost, totalOf } from './likeForLike.ts'
import { type Metric, membersOf, type Watch } from './metric.ts'
import { type WholeFigure, wholeFigures } from './wholeFigures.ts'

/** A day on which what is watched for happened: the figure, and the one that it is held against. */
export type Occurrence = { day: string; value: FigureValue; before: FigureValue }
export type Watched = Watch & {
  /** Whether it holds on the newest whole day; of a change, whether that day brought one. */
  isMet: boolean
  /** Oldest first. */
  occurrences: Occurrence[]
}

/** What of a series is watched. */
export type Watchable = {
  readonly metric: { readonly id: string }
  readonly entity: string
  readonly points: readonly Pick<Point, 'day' | 'key' | 'value' | 'state' | 'source'>[]
}

/**
 * What an alert on each of the metric’s watches would have told over the days of this series, once a time: a level that is
 * crossed stays silent until it is left and crossed again. Days that are not whole tell nothing, nor do sums that lack a
 * member, and of a breakdown the headline alone is watched. A span reaches back to the newest figure that is at least so
 * many days older; of a sum it compares the members of both days.
 */
export function watchedOf(metrics: readonly Metric[], series: Watchable): Watched[] {
  const metric = metricOf(metrics, series.metric.id, series.entity)
  const figures = wholeFigures(series.points, metric)
  const isSum = membersOf(metric)?.isSum === true
  return metric.watches.map(watch => {
    let wasMet = false
    const occurrences = figures.flatMap((figure, index) => {
      const { day } = figure
      const earlier = earlierThan(figures, index, watch.days ?? 1)
      const isLevel = watch.when === 'above' || watch.when === 'below'
      const { value, before } = compared(figure, earlier, isSum && !isLevel)
      const isMet = holds(watch, value, before)
      // A change happens anew each time; everything else begins.
      const begins = isMet && (watch.when === 'changes' || !wasMet)
      wasMet = isMet
      // What held from the first day on did not begin then.
      return begins && index > 0 ? [{ day, value, before }] : []
    })
    return { ...watch, isMet: wasMet, occurrences }
  })
}

const DAY_MS = 86_400_000

/**
 * A figure beside an earlier one; of a sum both over the members that they share, so that a new one is no rise. Where
 * these are not most of both sums, nothing is comparable (`likeForLike`).
 */
function compared(
  { value, members }: WholeFigure,
  earlier: WholeFigure | undefined,
  isSum: boolean,
): { value: Exclude<FigureValue, null>; before: FigureValue } {
  if (earlier === undefined) return { value, before: null }
  if (!isSum) return { value, before: earlier.value }
  const both = [...members.keys()].filter(key => earlier.members.has(key))
  if (!coversMost(both, members) || !coversMost(both, earlier.members)) return { value, before: null }
  return { value: totalOf(both, members) ?? value, before: totalOf(both, earlier.members) ?? null }
}

/** The newest figure that is at least so many days older. */
function earlierThan(figures: readonly WholeFigure[], index: number, days: number): WholeFigure | undefined {
  const least = Date.parse(figures[index]?.day ?? '') - days * DAY_MS
  for (let at = index - 1; at >= 0; at--) {
    const figure = figures[at]
    if (figure !== undefined && Date.parse(figure.day) <= least) return figure
  }
  return undefined
}

function holds(watch: Watch, value: Exclude<FigureValue, null>, before: FigureValue): boolean {
  const figure = Number(value)
  switch (watch.when) {
    case 'above':
      return figure > watch.level
    case 'below':
      return figure < watch.level
    case 'changes':
      return before !== null && String(value) !== String(before)
    case 'rises':
      return before !== null && Number(before) > 0 && figure / Number(before) - 1 >= watch.level
    case 'falls':
      return before !== null && Number(before) > 0 && 1 - figure / Number(before) >= watch.level
  }
}
