import type { Api, Comparison, MetricEntry } from '#http/contract.ts'
import {
  type ChartSpec,
  pointsOf,
  type ScatterSpec,
  type ShownTimeChart,
  shownPart,
} from '../../blocks/chart/chartSpec.ts'
import { entityColours } from '../../blocks/chart/entityColour.ts'
import type { PlotData } from '../../blocks/chart/plotData.ts'
import { createFigureReader } from '../../blocks/load/figureReader.server.ts'
import { type ChartAsk, type LoadedChart, loadChart } from '../../blocks/load/loadChart.server.ts'
import { figureNames } from '../../blocks/load/seriesHref.ts'
import type { PageView } from '../../blocks/view.ts'
import { byDivisor } from './byDivisor.server.ts'
import { type Line, linesOf } from './chartLines.server.ts'
import { CHART, type CompareView } from './compareView.ts'
import { AGAINST, CHART_METRICS, DIVISORS, INDEXED, LEADS, MOST_LAYERS, NETWORKS } from './lists.ts'

type Asked = {
  api: Api
  page: PageView
  query: URLSearchParams
  view: CompareView
  registry: readonly MetricEntry[]
  /** The newest figure of each metric of the chart, of the networks. */
  charted: Comparison
  /** All layers that may be picked. */
  slugs: readonly string[]
  /** Newest day of the key figures, where there are any. */
  newestHeadline: string | undefined
}

/**
 * The chart of the metric that the address names, else of the first lead that the registry has. It ends on `asOfDay`,
 * the newest day of the key figures and of what it draws.
 */
export function loadCompareChart(asked: Asked) {
  const known = (id: string | undefined) => asked.registry.some(entry => entry.id === id)
  const named = CHART_METRICS.find(({ id }) => id === asked.view.metric && known(id))?.id
  return chartOf(asked, named ?? LEADS.find(known) ?? 'tx.count')
}

async function chartOf(asked: Asked, metric: string) {
  const { api, page, query, view, charted, slugs, newestHeadline } = asked
  const picks = picksOf(view, charted, metric, slugs)
  const { lines, unit, others } = await linesOf(api, metric, picks, page)
  const pageIn = unit === undefined ? page : { ...page, unit }
  const strange = (view.picks ?? []).filter(pick => !slugs.includes(pick))
  const notes = notesOf(view, others, strange)
  const reader = createFigureReader(api, pageIn)
  const newestDrawn = await reader.newestDay(lines.map(({ of }) => ({ metric, entity: of })))
  const asOfDay = [newestHeadline, newestDrawn]
    .filter(day => day !== undefined)
    .sort()
    .at(-1)
  const ask: ChartAsk = { reader, entity: '', view: pageIn, query, newest: asOfDay }
  const rest = {
    metric,
    picks,
    asOfDay,
    /** As `/api/v1/series` names them. */
    names: lines.flatMap(({ of }) => figureNames({ metric, entity: of })),
  }
  if (view.look === 'scatter') {
    const against = againstOf(view, metric)
    const spec = scatterSpec(metric, against, lines, notes)
    // Samples of publishers are seldom of one day: unless asked for another, a moment is a month.
    const byMonth = new URLSearchParams(query)
    if (!byMonth.has(`${CHART}.grain`)) byMonth.set(`${CHART}.grain`, 'month')
    return {
      ...rest,
      shown: { ...shownPart(spec), held: heldBy(metric, picks, against) },
      chart: await loadChart({ ...ask, query: byMonth }, spec),
      against,
    }
  }
  const shown = timeChart(view, metric, notes)
  const main = await loadChart(ask, specOf(shown, metric, lines))
  const isDivided = view.by !== undefined && main.state === 'drawn' && 'plot' in main
  const label = labelOf(metric).toLowerCase()
  const chart = isDivided
    ? await byDivisor({ api, ask, shown, plot: main.plot, lines, metric, label, by: view.by ?? 'user' })
    : main
  return {
    ...rest,
    shown: { ...shown, held: heldBy(metric, picks) },
    chart: coloured(chart, lines),
    against: undefined,
  }
}

/** What is drawn without being asked for: with other days it would be another. */
const heldBy = (metric: string, picks: readonly string[], against?: string): Record<string, string> => ({
  metric,
  picks: picks.join(','),
  ...(against !== undefined && { against }),
})

/** What the scatter sets against the metric: as asked for, else the first that is another. */
const againstOf = (view: CompareView, metric: string): string =>
  [view.against, ...AGAINST].find(id => id !== undefined && id !== metric && labelOf(id) !== id) ?? AGAINST[0]

/** Up the metric, across the other; a point for each layer whose figures are kept under its own name. */
function scatterSpec(metric: string, against: string, lines: readonly Line[], note: string): ScatterSpec {
  return {
    id: CHART,
    kind: 'scatter',
    title: `${labelOf(metric)} against ${labelOf(against)}`,
    axes: { x: labelOf(against), y: labelOf(metric) },
    wide: true,
    defaults: { x: 'log', y: 'log' },
    ...(note !== '' && { note }),
    lines: pointsOf(
      { x: against, y: metric },
      lines.flatMap(({ layer, name, of }) => (of === layer ? [{ entity: layer, label: name }] : [])),
    ),
  }
}

/** The layers asked for, else those of the sidebar that have figures; Bitcoin itself only where it is asked for. */
function picksOf(
  view: CompareView,
  { figures }: Comparison,
  metric: string,
  slugs: readonly string[],
): readonly string[] {
  const named = view.picks?.filter(pick => slugs.includes(pick)) ?? []
  if (named.length > 0) return named
  return NETWORKS.filter(
    entity =>
      entity !== 'bitcoin' &&
      figures.some(figure => figure.metric === metric && figure.entity === entity && figure.value !== null),
  )
}

function notesOf(view: CompareView, others: readonly Line[], strange: readonly string[]): string {
  const coins = others.map(({ name, unit }) => `${name} (${unit.replace('wei.', '')})`)
  return [
    coins.length > 0 ? `In US dollars. Excludes ${coins.join(', ')}, because the coin has no price.` : '',
    view.left > 0
      ? `The first ${MOST_LAYERS} layers of the address are drawn; ${view.left} more are named.`
      : '',
    strange.length > 0 ? `No figures for ${strange.join(', ')}.` : '',
  ]
    .filter(note => note !== '')
    .join(' ')
}

const labelOf = (metric: string): string => CHART_METRICS.find(({ id }) => id === metric)?.label ?? metric

function timeChart(view: CompareView, metric: string, note: string): ShownTimeChart {
  const by = view.by && DIVISORS[view.by]
  return {
    id: CHART,
    title: by ? `${labelOf(metric)}, ${by.label.toLowerCase().replace('tvl', 'TVL')}` : labelOf(metric),
    kind: view.look === 'stacked' && !by ? 'stacked' : 'line',
    wide: true,
    defaults: { grain: 'week', ...(INDEXED.has(metric) && !by && { mode: 'indexed', scale: 'log' }) },
    ...(note !== '' && { note }),
  }
}

const specOf = (shown: ShownTimeChart, metric: string, lines: readonly Line[]): ChartSpec => ({
  ...shown,
  most: MOST_LAYERS,
  // A stack is of what is known: a layer without figures in the range is named below it, not drawn as nothing.
  lines: lines.map(({ of, name }) => ({ metric, entity: of, label: name })),
})

/** Lines in the colours of their layers, whatever entity their figures are kept under. */
function coloured(chart: LoadedChart, lines: readonly Line[]): LoadedChart {
  if (chart.state !== 'drawn' || !('plot' in chart)) return chart
  const colours = entityColours(lines.map(({ layer }) => layer))
  const recolour = (line: PlotData['lines'][number]) => {
    const own = lines.find(({ name }) => name === line.label)
    return own ? { ...line, colour: colours.get(own.layer) ?? line.colour } : line
  }
  return { ...chart, plot: { ...chart.plot, lines: chart.plot.lines.map(recolour) } }
}
