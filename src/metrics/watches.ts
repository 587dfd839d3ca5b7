import type { FigureValue, Point } from './answers.ts'
import { metricOf } from './entry.ts'
import type { Metric, Watch } from './metric.ts'
import { wholeFigures } from './wholeFigures.ts'

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
  readonly points: readonly Pick<Point, 'day' | 'key' | 'value' | 'state'>[]
}

/**
 * What an alert on each of the metric’s watches would have told over the days of this series, once a time: a level that is
 * crossed stays silent until it is left and crossed again. Days that are not whole tell nothing, and of a breakdown the
 * headline alone is watched. A span reaches back to the newest figure that is at least so many days older.
 */
export function watchedOf(metrics: readonly Metric[], series: Watchable): Watched[] {
  const metric = metricOf(metrics, series.metric.id, series.entity)
  const figures = wholeFigures(series.points, metric.headline)
  return metric.watches.map(watch => {
    let wasMet = false
    const occurrences = figures.flatMap(({ day, value }, index) => {
      const before = earlierThan(figures, index, watch.days ?? 1)
      const isMet = holds(watch, value, before?.value ?? null)
      // A change happens anew each time; everything else begins.
      const begins = isMet && (watch.when === 'changes' || !wasMet)
      wasMet = isMet
      // What held from the first day on did not begin then.
      return begins && index > 0 ? [{ day, value, before: before?.value ?? null }] : []
    })
    return { ...watch, isMet: wasMet, occurrences }
  })
}

type WholeFigure = { readonly day: string; readonly value: Exclude<FigureValue, null> }

const DAY_MS = 86_400_000

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
