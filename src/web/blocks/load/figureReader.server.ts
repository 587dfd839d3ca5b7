import {
  type Api,
  amountUnit,
  type Figure,
  type MetricEntry,
  type Range,
  type SeriesQuery,
} from '#http/contract.ts'
import { addDays, dayNumber } from '../../format/day.ts'
import type { PageView } from '../view.ts'

/** One metric of one entity. */
export type Subject = { metric: string; entity: string }

/** One page’s questions to the API: the same question is asked once, in the unit that the reader chose. */
export type FigureReader = {
  /** The catalogue’s entry; undefined where the server does not know the metric for that entity. */
  entry: (subject: Subject) => Promise<MetricEntry | undefined>
  /** The newest figure, up to the day `to` if one is given. */
  figure: (subject: Subject, to?: string) => Promise<Figure>
  series: (subject: Subject, query: Omit<SeriesQuery, 'id' | 'entity' | 'unit'>) => ReturnType<Api['series']>
  /** What the catalogue calls the parts of a breakdown; none where their keys are their names. */
  keyNames: (breakdown: string | undefined) => Promise<Readonly<Record<string, string>> | undefined>
  /** Newest day that any of the figures asked for has: what "now" means on this page. */
  newestDay: (subjects: readonly Subject[]) => Promise<string | undefined>
}

/** Changes are over the page’s range; a custom or a full range has no "before", so they fall back to 30 days. */
export const changeRangeOf = (view: PageView): Range =>
  view.range === 'custom' || view.range === 'max' ? '30d' : view.range

export function createFigureReader(api: Api, view: PageView): FigureReader {
  const catalogue = api.metrics()
  // If the page fails before it awaits this, a failure here must not end the server. Callers of `entry` still get it.
  catalogue.catch(() => undefined)
  const asked = new Map<string, Promise<Figure>>()
  const askedSeries = new Map<string, ReturnType<Api['series']>>()
  const entry = async ({ metric, entity }: Subject) =>
    (await catalogue).find(known => known.id === metric && known.entities.includes(entity))

  const figure = (subject: Subject, to?: string): Promise<Figure> => {
    const key = `${subject.metric}@${subject.entity} ${to ?? ''}`
    const known = asked.get(key)
    if (known) return known
    const asking = entry(subject).then(found =>
      api.figure({
        id: subject.metric,
        entity: subject.entity,
        changeRange: changeRangeOf(view),
        ...(to !== undefined && { to }),
        ...amountUnit(found, view.unit),
      }),
    )
    asked.set(key, asking)
    return asking
  }

  return {
    entry,
    figure,
    series(subject, query) {
      const key = JSON.stringify([subject.metric, subject.entity, query])
      const known = askedSeries.get(key)
      if (known) return known
      const asking = entry(subject).then(found =>
        api.series({
          id: subject.metric,
          entity: subject.entity,
          ...query,
          ...amountUnit(found, view.unit),
        }),
      )
      askedSeries.set(key, asking)
      return asking
    },
    keyNames: async breakdown => (breakdown === 'protocol' ? api.directory.protocolNames() : undefined),
    async newestDay(subjects) {
      const days = await Promise.all(
        subjects.map(async subject => {
          if (!(await entry(subject))) return undefined
          return figure(subject).then(
            found => found.point?.day,
            () => undefined,
          )
        }),
      )
      return days
        .filter(day => day !== undefined)
        .sort()
        .at(-1)
    },
  }
}

/** Days after which a figure tells of another time than the rest of its page. */
const LONG_AGO_DAYS = 1100

export const isLongAgo = (day: string, newest: string | undefined): boolean =>
  newest !== undefined && dayNumber(newest) - dayNumber(day) > LONG_AGO_DAYS

const RANGE_DAYS: Record<Exclude<PageView['range'], 'max' | 'custom'>, number> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '1y': 365,
}

/** First and last day of the page’s range, which ends on its newest day; of the whole history the last one. */
export function windowOf(view: PageView, newest: string): { from?: string; to?: string } {
  if (view.range === 'max') return { to: newest }
  if (view.range === 'custom')
    return { ...(view.from && { from: view.from }), ...(view.to && { to: view.to }) }
  return { from: addDays(newest, 1 - RANGE_DAYS[view.range]), to: newest }
}
