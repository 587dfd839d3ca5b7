import { dayNumber, dayText } from '../../format/day.ts'
import type { ChartSpec, LineSpec } from '../chart/chartSpec.ts'
import type { PlotData } from '../chart/plotData.ts'
import { grainFor, type PageView, readChartView, viewOfChart } from '../view.ts'
import { type FigureReader, isLongAgo, type Subject, windowOf } from './figureReader.server.ts'
import { plotOf } from './plotOf.server.ts'
import { figureNames, seriesHref } from './seriesHref.ts'

/** What became of a chart: drawn, or why not. */
export type LoadedChart =
  | {
      id: string
      state: 'drawn'
      plot: PlotData
      csvHref: string
      /** Lines that belong to the chart and have no figure in the range. */
      missing: string[]
    }
  | { id: string; state: 'empty'; reason: string; assay: string }
  | { id: string; state: 'uncovered'; metrics: string[] }
  | { id: string; state: 'failed'; detail: string }

export type ChartAsk = {
  reader: FigureReader
  entity: string
  view: PageView
  query: URLSearchParams
  /** The page’s newest day. */
  newest: string | undefined
}

/** The figures of a chart over the page’s range, counted back from the newest day that has one. */
export async function loadChart(ask: ChartAsk, chart: ChartSpec): Promise<LoadedChart> {
  try {
    return await loadKnownChart(ask, chart)
  } catch {
    const detail = 'These figures could not be read just now. The other figures of the page stand.'
    return { id: chart.id, state: 'failed', detail }
  }
}

async function loadKnownChart(
  { reader, entity, view: page, query, newest }: ChartAsk,
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

  const figures = await Promise.all(covered.map(line => reader.figure(subjectOf(line))))
  const assay = `${first.metric}@${subjectOf(first).entity}`
  const last = figures
    .flatMap(figure => figure.point?.day ?? [])
    .sort()
    .at(-1)
  if (!last) return { id, state: 'empty', reason: figures[0]?.absent ?? 'No figure is known yet.', assay }
  const isRecent = view.range !== 'max' && view.range !== 'custom'
  if (isRecent && isLongAgo(last, newest)) {
    return {
      id,
      state: 'empty',
      reason: `Whole days are held until ${dayText(last)} only; the range max draws them.`,
      assay,
    }
  }

  const window = windowOf(view, last)
  const days = window.from ? dayNumber(window.to ?? last) - dayNumber(window.from) : Number.POSITIVE_INFINITY
  const grain = grainFor(view, own.grain, days, chart.defaults?.grain)
  const switches = (chart.switches ?? [])
    .map(({ name }) => name)
    .filter(name => own.switchedOn.includes(name))
  const parts = await Promise.all(
    covered.map(async line => ({
      series: await reader.series(subjectOf(line), {
        grain,
        ...window,
        figuresOnly: true,
        ...(line.keys && { breakdown: [...line.keys] }),
        ...(switches.length > 0 && { switches }),
      }),
      line,
    })),
  )
  const drawn = parts.filter(({ series }) => series.points.some(point => point.value !== null))
  const missing = chart.lines
    .filter(line => !drawn.some(part => part.line === line))
    .map(line => line.label ?? line.metric)
  const plot = plotOf(parts, grain, chart)
  if (!plot) {
    const reason =
      drawn.length === 0
        ? 'Nothing is known in this range. Take a wider one.'
        : `Not known in this range: ${missing.join(', ')}. Without it a stack would pass for the whole.`
    return { id, state: 'empty', reason, assay }
  }
  const names = covered.flatMap(line => figureNames(subjectOf(line), line.keys))
  const span = { grain, ...window, ...(switches.length > 0 && { switches: switches.join(',') }) }
  return { id, state: 'drawn', plot, missing, csvHref: seriesHref('csv', names, span, view.unit) }
}
