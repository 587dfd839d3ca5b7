import type { Api, Comparison, MetricEntry } from '#http/contract.ts'
import type { ChartSpec, ShownChart } from '../../blocks/chart/chartSpec.ts'
import type { PlotData } from '../../blocks/chart/plotData.ts'
import { createFigureReader, type Subject } from '../../blocks/load/figureReader.server.ts'
import { type LoadedChart, loadChart } from '../../blocks/load/loadChart.server.ts'
import { figureNames, seriesHref, spanOf } from '../../blocks/load/seriesHref.ts'
import type { PageView } from '../../blocks/view.ts'
import { CHART, type CompareView } from './compareView.ts'
import { layerColour } from './layerColour.ts'
import { CHART_METRICS, DIVISORS, INDEXED, LEADS, MOST_LAYERS, NETWORKS } from './lists.ts'
import { ratioPlot } from './ratioPlot.ts'

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
}

/** A layer’s line: under which entity its figures are kept. */
type Line = { layer: string; name: string; of: string; unit: string }

/** The metric and the layers of the chart, as asked for or as there are figures, and their lines. */
export async function loadCompareChart(asked: Asked) {
  const { view, registry, query, page } = asked
  const known = (id: string | undefined) => registry.some(entry => entry.id === id)
  const named = CHART_METRICS.find(({ id }) => id === view.metric && known(id))?.id
  const isFree = !['range', 'from', `${CHART}.range`].some(key => query.has(key))
  if (named !== undefined) return chartOf(asked, named, page)
  let fullest: Awaited<ReturnType<typeof chartOf>> | undefined
  for (const range of isFree ? ([page.range, 'max'] as const) : [page.range]) {
    for (const metric of LEADS.filter(known)) {
      const tried = await chartOf(asked, metric, { ...page, range })
      if (fullest === undefined || coverageOf(tried.chart) > coverageOf(fullest.chart)) fullest = tried
      if (coverageOf(tried.chart) >= ENOUGH) return tried
    }
  }
  return fullest ?? chartOf(asked, 'tx.count', page)
}

/** Fewer buckets are samples, no course. */
const LEAST_BUCKETS = 12
/** Part of its buckets that the lines of a chart are known in. */
const ENOUGH = 0.4

function coverageOf(chart: LoadedChart): number {
  if (chart.state !== 'drawn') return -1
  const values = chart.plot.lines.flatMap(line => line.values)
  return chart.plot.lines.length < 2 || chart.plot.count < LEAST_BUCKETS
    ? 0
    : values.filter(value => value !== null).length / values.length
}

async function chartOf(asked: Asked, metric: string, page: PageView) {
  const { api, query, view, charted, slugs } = asked
  const picks = picksOf(view, charted, metric, slugs)
  const strange = (view.picks ?? []).filter(pick => !slugs.includes(pick))
  const { lines, unit, others } = await linesOf(api, metric, picks, page)
  const pageIn = unit === undefined ? page : { ...page, unit }
  const isWider = page.range !== asked.page.range
  const shown = shownChart(view, metric, notesOf(view, others, strange, isWider))
  const reader = createFigureReader(api, pageIn)
  const ask = { reader, entity: '', view: pageIn, query, newest: undefined }
  const main = await loadChart(ask, specOf(shown, metric, lines))
  const chart = view.by === undefined ? main : await byDivisor(api, ask, shown, main, lines, metric, view.by)
  return {
    shown,
    chart: coloured(chart, lines, slugs),
    metric,
    picks,
    /** As `/api/v1/series` names them. */
    names: lines.flatMap(({ of }) => figureNames({ metric, entity: of })),
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

/** Lines in one unit: where layers are paid in several coins, in dollars, without those whose coin has no price here. */
async function linesOf(api: Api, metric: string, picks: readonly string[], page: PageView) {
  if (picks.length === 0) return { lines: [], unit: undefined, others: [] }
  const read = async (unit: PageView['unit']): Promise<Line[]> => {
    const { figures, entities } = await api.compare({
      metrics: [{ id: metric, grain: 'day' }],
      entities: picks,
      changeRange: '30d',
      ...(unit !== 'native' && { unit }),
    })
    return figures.flatMap(({ entity, of, unit: told }) =>
      of === null
        ? []
        : [
            {
              layer: entity,
              name: entities.find(one => one.entity === entity)?.name ?? entity,
              of,
              unit: told,
            },
          ],
    )
  }
  const lines = await read(page.unit)
  if (new Set(lines.map(({ unit }) => unit)).size <= 1) return { lines, unit: undefined, others: [] }
  const inUsd = await read('usd')
  const [told, rest] = [
    inUsd.filter(({ unit }) => unit === 'USD'),
    inUsd.filter(({ unit }) => unit !== 'USD'),
  ]
  return { lines: told, unit: 'usd' as const, others: rest }
}

function notesOf(
  view: CompareView,
  others: readonly Line[],
  strange: readonly string[],
  isWider: boolean,
): string {
  const coins = others.map(({ name, unit }) => `${name} (${unit.replace('wei.', '')})`)
  return [
    isWider ? 'Few days of the range are known here: all that is held is drawn.' : '',
    coins.length > 0 ? `Told in dollars; without ${coins.join(', ')}, whose coin has no price here.` : '',
    view.left > 0
      ? `The first ${MOST_LAYERS} layers of the address are drawn; ${view.left} more are named.`
      : '',
    strange.length > 0 ? `No figures are kept of ${strange.join(', ')}.` : '',
  ]
    .filter(note => note !== '')
    .join(' ')
}

const labelOf = (metric: string): string => CHART_METRICS.find(({ id }) => id === metric)?.label ?? metric

function shownChart(view: CompareView, metric: string, note: string): ShownChart {
  const by = view.by && DIVISORS[view.by]
  return {
    id: CHART,
    title: by ? `${labelOf(metric)}, ${by.label.toLowerCase().replace('tvl', 'TVL')}` : labelOf(metric),
    kind: view.isStacked && !by ? 'stacked' : 'line',
    wide: true,
    defaults: { grain: 'week', ...(INDEXED.has(metric) && !by && { mode: 'indexed', scale: 'log' }) },
    ...(note !== '' && { note }),
  }
}

const specOf = (shown: ShownChart, metric: string, lines: readonly Line[]): ChartSpec => ({
  ...shown,
  most: MOST_LAYERS,
  // A stack is of what is known: a layer without figures in the range is named below it, not drawn as nothing.
  lines: lines.map(({ of, name }) => ({ metric, entity: of, label: name })),
})

type ChartAsk = Parameters<typeof loadChart>[0]

/** The same figures ÷ those of the divisor, each of the same bucket. */
async function byDivisor(
  api: Api,
  ask: ChartAsk,
  shown: ShownChart,
  main: LoadedChart,
  lines: readonly Line[],
  metric: string,
  by: keyof typeof DIVISORS,
): Promise<LoadedChart> {
  const divisor = DIVISORS[by]
  if (main.state !== 'drawn') return main
  const reader = createFigureReader(api, { ...ask.view, unit: 'native' })
  const below = await loadChart(
    { ...ask, reader },
    specOf(
      shown,
      divisor.metric,
      lines.map(line => ({ ...line, of: line.layer })),
    ),
  )
  const layers = new Map(lines.map(({ layer, of }) => [`${metric}@${of}`, `${divisor.metric}@${layer}`]))
  const plot =
    below.state === 'drawn'
      ? ratioPlot(main.plot, below.plot, assay => layers.get(assay), `${main.plot.unit}/${divisor.unit}`)
      : undefined
  if (plot === undefined) {
    const reason = `No bucket of this range is known both ways: ${labelOf(metric).toLowerCase()}, and ${by === 'user' ? 'senders' : 'TVL'}.`
    return { id: shown.id, state: 'empty', reason, assay: main.plot.lines[0]?.assay ?? '' }
  }
  const drawn = new Set(plot.lines.map(({ label }) => label))
  const subjects: Subject[] = lines.flatMap(({ layer, of }) => [
    { metric, entity: of },
    { metric: divisor.metric, entity: layer },
  ])
  return {
    ...main,
    plot,
    missing: lines.map(({ name }) => name).filter(name => !drawn.has(name)),
    csvHref: seriesHref(
      'csv',
      subjects.flatMap(subject => figureNames(subject)),
      { ...spanOf(ask.view), grain: plot.grain },
      ask.view.unit,
    ),
  }
}

/** Lines in the colours of their layers, whatever entity their figures are kept under. */
function coloured(chart: LoadedChart, lines: readonly Line[], slugs: readonly string[]): LoadedChart {
  if (chart.state !== 'drawn') return chart
  const recolour = (line: PlotData['lines'][number]) => {
    const own = lines.find(({ name }) => name === line.label)
    return own ? { ...line, colour: layerColour(own.layer, slugs) } : line
  }
  return { ...chart, plot: { ...chart.plot, lines: chart.plot.lines.map(recolour) } }
}
