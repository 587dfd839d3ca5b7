import type { Grain, Series } from '#http/contract.ts'
import { addDays, dayNumber, dayText } from '../../format/day.ts'
import { type ChartSpec, type FlowSpec, isFlow, type LineSpec } from '../chart/chartSpec.ts'
import type { HistogramData } from '../chart/histogramData.ts'
import { bucketIndex, type PlotData } from '../chart/plotData.ts'
import type { ScatterData } from '../chart/scatterData.ts'
import type { WholeData } from '../chart/wholeData.ts'
import { type ChartView, grainFor, type PageView, readChartView, viewOfChart } from '../view.ts'
import { type FigureReader, type Subject, windowOf } from './figureReader.server.ts'
import { histogramOf } from './histogramOf.server.ts'
import { plotOf, type SeriesPart, type Span } from './plotOf.server.ts'
import { scatterOf } from './scatterOf.server.ts'
import { figureNames, seriesHref } from './seriesHref.ts'
import { wholeOf } from './wholeOf.server.ts'

/** The figures of a chart, in the form that its kind draws. */
export type ChartFigures =
  | { plot: PlotData }
  | { scatter: ScatterData }
  | { histogram: HistogramData }
  | { whole: WholeData }

export type DrawnChart = {
  id: string
  state: 'drawn'
  csvHref: string
  /** Lines that belong to the chart and have no figure in the range. */
  missing: string[]
} & ChartFigures

/** What became of a chart: drawn, or why not. */
export type LoadedChart =
  | DrawnChart
  | { id: string; state: 'empty'; reason: string; assay: string }
  | { id: string; state: 'uncovered'; metrics: string[] }
  | { id: string; state: 'failed'; detail: string }

export type ChartAsk = {
  reader: FigureReader
  entity: string
  view: PageView
  query: URLSearchParams
  /** The page’s newest day: its ranges end there. Undefined for a chart that stands alone. */
  newest: string | undefined
  /** The page’s first day (`firstDayOf`): its whole histories start there. Undefined for a chart that stands alone. */
  first?: string | undefined
}

/** The charts of a page. Those of the same range have the same time axis. */
export async function loadCharts(
  ask: Omit<ChartAsk, 'first'>,
  charts: readonly ChartSpec[],
): Promise<LoadedChart[]> {
  const first = await firstDayOf(ask, charts)
  return Promise.all(charts.map(chart => loadChart({ ...ask, first }, chart)))
}

/** Kinds that draw no time axis. */
const TIMELESS: ReadonlySet<ChartSpec['kind']> = new Set([
  'scatter',
  'histogram',
  'tree',
  'waterfall',
  'sankey',
])

/**
 * The earliest day with a figure of the charts that draw their whole history. It costs nothing: it takes the series that
 * these charts read next.
 */
async function firstDayOf(
  ask: Omit<ChartAsk, 'first'>,
  charts: readonly ChartSpec[],
): Promise<string | undefined> {
  const days = await Promise.all(
    charts.map(chart =>
      // What cannot be read is a failure of its own chart.
      firstDayOfChart(ask, chart).catch(() => undefined),
    ),
  )
  return days.filter(day => day !== undefined).sort()[0]
}

async function firstDayOfChart(
  { reader, entity, view: page, query, newest }: Omit<ChartAsk, 'first'>,
  chart: ChartSpec,
): Promise<string | undefined> {
  const own = readChartView(query, chart.id)
  const view = viewOfChart(page, own)
  if (newest === undefined || view.range !== 'max' || TIMELESS.has(chart.kind)) return undefined
  const grain = grainOf(chart, view, own, Number.POSITIVE_INFINITY)
  const days = await Promise.all(
    chart.lines.map(async line => {
      const subject = { metric: line.metric, entity: line.entity ?? entity }
      if (!(await reader.entry(subject))) return []
      const [{ points }, { point }] = await Promise.all([
        reader.series(subject, seriesQuery(chart, line, own, grain, windowOf(view, newest))),
        reader.figure(subject),
      ])
      return [{ isWhole: point !== null, day: points.find(({ value }) => value !== null)?.day }]
    }),
  )
  const lines = days.flat()
  const known = lines.map(({ day }) => day)
  // Not drawn are charts without a whole figure, and stacks of which a part has none.
  const isDrawn =
    lines.some(({ isWhole }) => isWhole) && !(chart.kind === 'stacked' && known.includes(undefined))
  if (!isDrawn) return undefined
  return known.filter(day => day !== undefined).sort()[0]
}

/** The question for the figures of a line. */
const seriesQuery = (chart: ChartSpec, { keys }: LineSpec, own: ChartView, grain: Grain, window: Window) => {
  const switches = switchesOf(chart, own)
  return {
    grain,
    ...window,
    figuresOnly: true,
    ...(keys && { breakdown: [...keys] }),
    ...(switches.length > 0 && { switches }),
  }
}

const switchesOf = ({ switches = [] }: ChartSpec, { switchedOn }: ChartView): string[] =>
  switches.map(({ name }) => name).filter(name => switchedOn.includes(name))

/** The figures of a chart over the page’s range, which ends on the page’s newest day: all its charts have one time axis. */
export async function loadChart(ask: ChartAsk, chart: ChartSpec): Promise<LoadedChart> {
  try {
    return await loadKnownChart(ask, chart)
  } catch {
    const detail = 'Couldn’t load these figures. The rest of the page is not affected.'
    return { id: chart.id, state: 'failed', detail }
  }
}

async function loadKnownChart(
  { reader, entity, view: page, query, newest, first: firstOfPage }: ChartAsk,
  chart: ChartSpec,
): Promise<LoadedChart> {
  const { id } = chart
  const own = readChartView(query, id)
  const view = viewOfChart(page, own)
  const subjectOf = (line: LineSpec): Subject => ({ metric: line.metric, entity: line.entity ?? entity })
  const known = await Promise.all(
    chart.lines.map(async line => ((await reader.entry(subjectOf(line))) ? [line] : [])),
  )
  const covered = known.flat()
  const [first] = covered
  if (!first) return { id, state: 'uncovered', metrics: chart.lines.map(line => line.metric) }

  const latest = await Promise.all(covered.map(line => reader.figure(subjectOf(line))))
  const assay = `${first.metric}@${subjectOf(first).entity}`
  const last = latest
    .flatMap(figure => figure.point?.day ?? [])
    .sort()
    .at(-1)
  if (!last) return { id, state: 'empty', reason: latest[0]?.absent ?? 'No data yet.', assay }
  const axis = windowOf(view, newest ?? last)
  const firstOfAxis = axis.from
  if (firstOfAxis !== undefined && last < firstOfAxis) {
    return { id, state: 'empty', reason: `No data in this range. Data ends ${dayText(last)}.`, assay }
  }

  const window = narrowed(axis, last, chart)
  const days = window.from ? dayNumber(window.to ?? last) - dayNumber(window.from) : Number.POSITIVE_INFINITY
  const grain = grainOf(chart, view, own, days)
  const switches = switchesOf(chart, own)
  const parts = await Promise.all(
    covered.map(async line => {
      const series = await reader.series(subjectOf(line), seriesQuery(chart, line, own, grain, window))
      const names = await reader.keyNames(series.metric.breakdown?.name)
      const sized =
        line.sized && (await reader.entry(sizedBy(line.sized, entity)))
          ? await reader.series(sizedBy(line.sized, entity), { grain, ...window, figuresOnly: true })
          : undefined
      return { series, line, ...(names && { names }), ...(sized && { sized }) }
    }),
  )
  const drawn = parts.filter(({ series }) => series.points.some(point => point.value !== null))
  const missing = [
    ...new Set(
      chart.lines
        .filter(line => !drawn.some(part => part.line === line))
        .map(line => (isFlow(line) ? nameOfFlow(line) : nameOfLine(line))),
    ),
  ]
  const total = await totalOf({ reader, entity }, chart, parts, { grain, ...window })
  const figures = figuresOf(chart, parts, grain, axisOf(axis, firstOfPage, newest), total)
  if (!figures) return { id, state: 'empty', reason: reasonOf(chart, drawn.length, missing, total), assay }
  const firstDay = parts
    .flatMap(({ series }) => series.points.find(({ value }) => value !== null)?.day ?? [])
    .sort()[0]
  // The newest buckets are drawn before they are whole.
  const lastDay = parts
    .flatMap(({ series }) => series.points.findLast(({ value }) => value !== null)?.day ?? [])
    .concat(last)
    .sort()
    .at(-1)
  const names = covered.flatMap(line => [
    ...figureNames(subjectOf(line), line.keys),
    ...(line.sized ? figureNames(sizedBy(line.sized, entity)) : []),
  ])
  // The file of a whole history, and a link to it, reach from its first figure to its last.
  const span = {
    grain,
    ...(firstDay !== undefined && { from: firstDay }),
    to: lastDay ?? last,
    ...window,
    ...(switches.length > 0 && { switches: switches.join(',') }),
  }
  return { id, state: 'drawn', ...figures, missing, csvHref: seriesHref('csv', names, span, view.unit) }
}

const sizedBy = ({ metric, entity }: NonNullable<LineSpec['sized']>, ofPage: string): Subject => ({
  metric,
  entity: entity ?? ofPage,
})

/** What a line of the page’s own declaration is called, where no figure of it could say so. */
const nameOfLine = ({ label, labels, keys, metric }: LineSpec): string =>
  label ?? keys?.map(key => labels?.[key] ?? key).join(', ') ?? metric

/** Blocks are read from base rows, which answer for a month at most. */
const MOST_BLOCK_DAYS = 31

type Window = ReturnType<typeof windowOf>

/** The days that the drawing covers: those of the range; of a whole history those from the page’s first day to its newest. */
const axisOf = ({ from, to }: Window, first: string | undefined, newest: string | undefined): Span => ({
  from: from ?? first,
  to: to ?? newest,
})

function narrowed(window: Window, last: string, chart: ChartSpec): Window {
  if (chart.kind !== 'histogram' || chart.of !== 'block') return window
  const to = [window.to ?? last, last].sort()[0] ?? last
  const earliest = addDays(to, 1 - MOST_BLOCK_DAYS)
  return { from: window.from && window.from > earliest ? window.from : earliest, to }
}

function grainOf(chart: ChartSpec, view: PageView, own: ChartView, days: number): Grain {
  if (chart.kind === 'calendar') return 'day'
  if (chart.kind === 'histogram') return chart.of
  return grainFor(view, own.grain, days, chart.defaults?.grain)
}

/** The series in the form that the chart's kind draws; undefined where that leaves nothing. */
function figuresOf(
  chart: ChartSpec,
  parts: SeriesPart[],
  grain: Grain,
  axis: Span,
  total: Series | undefined,
): ChartFigures | undefined {
  switch (chart.kind) {
    case 'scatter': {
      const points = parts.flatMap(({ series, line }) =>
        chart.lines.flatMap(point => (point === line ? [{ series, line: point }] : [])),
      )
      const scatter = scatterOf(points, grain)
      return scatter && { scatter }
    }
    case 'histogram': {
      const [part] = parts
      const { line, series } = part ?? {}
      const histogram = series && histogramOf(series, line?.label ?? series.metric.name, line?.keys)
      return histogram && { histogram }
    }
    case 'tree':
    case 'waterfall':
    case 'sankey': {
      const plot = withTotals(plotOf(parts, grain, chart), total)
      const specs = parts.map(({ series, line }) => ({ line, assay: `${series.metric.id}@${series.entity}` }))
      const whole = plot && wholeOf(plot, chart, specs)
      return whole && { whole }
    }
    default: {
      const plot = withTotals(plotOf(parts, grain, chart, axis), total)
      return plot && { plot }
    }
  }
}

/** Kinds that show shares. */
const SHARES: ReadonlySet<ChartSpec['kind']> = new Set(['stacked', 'tree'])

/** The figure of which the lines are parts, where their metric names one that has a source of its own. */
async function totalOf(
  { reader, entity }: Pick<ChartAsk, 'reader' | 'entity'>,
  chart: ChartSpec,
  parts: readonly SeriesPart[],
  query: { grain: Grain } & Window,
): Promise<Series | undefined> {
  const [part, ...others] = parts
  const metric = part?.series.metric.breakdown?.total
  if (part === undefined || metric === undefined || others.length > 0 || !SHARES.has(chart.kind))
    return undefined
  const subject = { metric, entity: part.line.entity ?? entity }
  return (await reader.entry(subject)) && reader.series(subject, { ...query, figuresOnly: true })
}

function withTotals(plot: PlotData | undefined, total: Series | undefined): PlotData | undefined {
  if (plot === undefined || total === undefined) return plot
  const totals = new Array<number | null>(plot.count).fill(null)
  for (const { day, value, state } of total.points) {
    const index = bucketIndex(plot, day)
    if (index >= 0 && index < plot.count && value !== null && state === 'whole') totals[index] = Number(value)
  }
  return { ...plot, totals }
}

function reasonOf(
  chart: ChartSpec,
  drawnCount: number,
  missing: readonly string[],
  total: Series | undefined,
): string {
  if (drawnCount === 0) return 'No data in this range. Choose a longer one.'
  if (chart.kind === 'stacked')
    return `No data in this range: ${missing.join(', ')}. A stack without it would look complete.`
  if (chart.kind === 'tree' && total !== undefined)
    return 'The parts with figures cover less than 80% of the total on every day of this range.'
  if (chart.kind === 'scatter') return 'No entity has both figures at one moment of this range.'
  return 'No day of this range is covered without a gap. Take a wider range.'
}

/** What a flow is called where it cannot be drawn: by the end that does not depend on its breakdown. */
const nameOfFlow = ({ from, to }: FlowSpec): string => (to.includes('{key}') ? from : to)
