import type { Api, Figure, MetricEntry, Range, UnitView } from '#http/contract.ts'
import { addDays, dayNumber } from '../../format/day.ts'
import type { TabChart } from '../../pages/bitcoin/tabs.ts'
import type { PlotData } from '../chart/plotData.ts'
import type { KpiFigure } from '../Kpi.tsx'
import { grainFor, type PageView, readChartView } from '../view.ts'
import { plotOf } from './plotOf.server.ts'

/** What became of a chart: drawn, or why not. */
export type LoadedChart =
  | { id: string; state: 'drawn'; plot: PlotData; csvHref: string }
  | { id: string; state: 'empty'; reason: string; assay: string }
  | { id: string; state: 'uncovered'; metrics: string[] }
  | { id: string; state: 'failed'; detail: string }

/** One page’s questions to the API; the same question is asked once. */
export type FigureReader = {
  catalogue: Promise<ReadonlyMap<string, MetricEntry>>
  figure: (id: string, range: Range) => Promise<Figure>
}

const RANGE_DAYS: Record<Exclude<PageView['range'], 'max' | 'custom'>, number> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '1y': 365,
}

/** Changes are over the page’s range; a custom or a full range has no "before", so they fall back to 30 days. */
export const changeRangeOf = (view: PageView): Range =>
  view.range === 'custom' || view.range === 'max' ? '30d' : view.range

/** Units switch amounts only: a ratio has no dollars. */
const unitFor = (entry: MetricEntry, unit: UnitView): UnitView | undefined =>
  unit !== 'native' && entry.unit === 'sat' ? unit : undefined

export function createFigureReader(api: Api, entity: string, view: PageView): FigureReader {
  const catalogue = api
    .metrics()
    .then(
      entries =>
        new Map(entries.filter(entry => entry.entities.includes(entity)).map(entry => [entry.id, entry])),
    )
  const asked = new Map<string, Promise<Figure>>()
  return {
    catalogue,
    figure(id, range) {
      const key = `${id} ${range}`
      const known = asked.get(key)
      if (known) return known
      const asking = catalogue.then(entries => {
        const entry = entries.get(id)
        const unit = entry && unitFor(entry, view.unit)
        return api.figure({ id, entity, changeRange: range, ...(unit && { unit }) })
      })
      asked.set(key, asking)
      return asking
    },
  }
}

type Ask = { api: Api; reader: FigureReader; entity: string; view: PageView }

/** A figure of the strip; undefined where the catalogue does not know it. A failure shows as its absence with the reason. */
export async function loadKpi(
  { reader, entity, view }: Ask,
  metric: string,
  label: string,
): Promise<KpiFigure | undefined> {
  const entry = (await reader.catalogue).get(metric)
  if (!entry) return undefined
  const changeRange = changeRangeOf(view)
  const base = { assay: `${metric}@${entity}`, label, changeRange, direction: entry.direction }
  const figure = await reader.figure(metric, changeRange).catch(() => undefined)
  if (!figure) {
    const gone = {
      value: null,
      unit: entry.unit,
      day: null,
      state: 'whole',
      change: null,
      spark: [],
      isStale: false,
    } as const
    return { ...base, ...gone, spark: [], absent: 'could not be read now' }
  }
  return {
    ...base,
    value: figure.point?.value ?? null,
    unit: figure.unit,
    day: figure.point?.day ?? null,
    state: figure.point?.state ?? 'whole',
    change: figure.change,
    spark: figure.spark.slice(-30).map(value => (value === null ? null : Number(value.toPrecision(5)))),
    isStale: figure.asOf.state === 'stale',
    absent: figure.absent,
  }
}

/** The figures of a chart over the page’s range, counted back from the newest day that has one. */
export async function loadChart(
  { api, reader, entity, view }: Ask,
  chart: TabChart,
  query: URLSearchParams,
): Promise<LoadedChart> {
  const { id } = chart
  try {
    const entries = await reader.catalogue
    const covered = chart.lines.filter(line => entries.has(line.metric))
    if (covered.length === 0) return { id, state: 'uncovered', metrics: chart.lines.map(line => line.metric) }
    const figures = await Promise.all(covered.map(line => reader.figure(line.metric, changeRangeOf(view))))
    const newest = figures
      .flatMap(figure => figure.point?.day ?? [])
      .sort()
      .at(-1)
    const assay = `${covered[0]?.metric}@${entity}`
    if (!newest) return { id, state: 'empty', reason: figures[0]?.absent ?? 'No figure is known yet.', assay }
    const window = windowOf(view, newest)
    const days = window.from
      ? dayNumber(window.to ?? newest) - dayNumber(window.from)
      : Number.POSITIVE_INFINITY
    const grain = grainFor(view, readChartView(query, id).grain, days, chart.defaults?.grain)
    const parts = await Promise.all(
      covered.map(async line => {
        const entry = entries.get(line.metric)
        const unit = entry && unitFor(entry, view.unit)
        const series = await api.series({
          id: line.metric,
          entity,
          grain,
          ...window,
          ...(unit && { unit }),
          ...(line.keys && { breakdown: [...line.keys] }),
        })
        return { series, label: line.label, keys: line.keys, labels: line.labels }
      }),
    )
    const plot = plotOf(parts, grain, { kind: chart.kind, most: chart.most })
    if (!plot)
      return { id, state: 'empty', reason: 'Nothing is known in this range. Take a wider one.', assay }
    return {
      id,
      state: 'drawn',
      plot,
      csvHref: csvHref(covered[0]?.metric ?? '', entity, grain, window, view),
    }
  } catch {
    return {
      id,
      state: 'failed',
      detail: 'These figures could not be read just now. The other figures of the page stand.',
    }
  }
}

type Window = { from?: string; to?: string }

function windowOf(view: PageView, newest: string): Window {
  if (view.range === 'max') return {}
  if (view.range === 'custom')
    return { ...(view.from && { from: view.from }), ...(view.to && { to: view.to }) }
  return { from: addDays(newest, 1 - RANGE_DAYS[view.range]), to: newest }
}

function csvHref(metric: string, entity: string, grain: string, window: Window, view: PageView): string {
  const query = new URLSearchParams({ entity, grain, ...window, format: 'csv' })
  if (view.unit !== 'native') query.set('unit', view.unit)
  return `/api/v1/metrics/${metric}?${query}`
}
