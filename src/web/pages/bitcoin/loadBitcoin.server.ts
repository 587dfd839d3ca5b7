import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { AsOf, BlockSummary, SourceRef } from '#http/contract.ts'
import type { AsOfMarkProps } from '../../blocks/AsOfMark.tsx'
import { bucketDay, type PlotData } from '../../blocks/chart/plotData.ts'
import type { KpiFigure } from '../../blocks/Kpi.tsx'
import { createFigureReader, type Subject } from '../../blocks/load/figureReader.server.ts'
import { loadChart } from '../../blocks/load/loadChart.server.ts'
import { loadKpi } from '../../blocks/load/loadKpi.server.ts'
import { figureNames, seriesHref, spanOf } from '../../blocks/load/seriesHref.ts'
import { readPageView } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { answering } from '../answering.server.ts'
import { ENTITY, TABS, type Tab, tabOf } from './tabs/index.ts'

const BLOCKS_ON_OVERVIEW = 10
const BLOCKS_ON_TAB = 50

/** Everything that one tab of `/bitcoin` shows, asked for side by side. */
export async function loadBitcoin(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const { publicUrl } = context.get(siteContext)
  const query = url.searchParams
  const tab = tabOf(query.get('tab'))
  const view = readPageView(query)
  const reader = createFigureReader(api, view)
  const subjects = subjectsOf(tab)
  const before = /^\d{1,9}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : undefined
  const isDecoded = tab.panels.includes('decoded')
  const limit = tab.key === 'blocks' || isDecoded ? BLOCKS_ON_TAB : BLOCKS_ON_OVERVIEW
  const [kpis, charts, page, entries] = await answering('Bitcoin', async () => {
    const newest = await reader.newestDay([{ metric: 'price.close', entity: ENTITY }, ...subjects])
    const ask = { reader, entity: ENTITY, view, query, newest }
    return Promise.all([
      Promise.all(
        tab.kpis.map(({ metric, entity = ENTITY, label }) => loadKpi(ask, { metric, entity }, label)),
      ),
      Promise.all(tab.charts.map(chart => loadChart(ask, chart))),
      tab.panels.length > 0
        ? api.blocks({ limit, ...(before !== undefined && { before }), ...(isDecoded && { origin: 'rows' }) })
        : undefined,
      Promise.all(subjects.map(subject => reader.entry(subject))),
    ])
  })
  const known = kpis.filter(kpi => kpi !== undefined)
  const plots = charts.flatMap(chart => (chart.state === 'drawn' ? [chart.plot] : []))
  const names = subjects.flatMap((subject, index) => (entries[index] ? figureNames(subject) : []))
  return {
    tab: shownPartOf(tab),
    csvHref: seriesHref('csv', names, spanOf(view), view.unit),
    sqlHref: seriesHref('sql', names, spanOf(view), view.unit),
    tabs: TABS.map(({ key, label }) => ({ key, label })),
    publicUrl,
    kpis: known,
    charts,
    isLater: before !== undefined,
    blocks: page?.items ?? [],
    olderBlocks: page?.next ?? null,
    blockGaps: page?.gaps ?? [],
    tip: tipOf(page?.items ?? []),
    mark: markOf(known, plots) ?? { asOf: page?.items.length ? page.asOf : undefined },
    sources: sourcesOf(entries.flatMap(entry => entry?.sources ?? [])),
    description: descriptionOf(tab.question, known),
  }
}

/** What the browser needs of a tab: which figures to ask for is the server’s business. */
const shownPartOf = ({ key, label, question, charts, panels }: Tab) => ({
  key,
  label,
  question,
  panels,
  charts: charts.map(({ lines: _, most: __, ...chart }) => chart),
})

/** Every metric that the tab speaks of, by strip and by chart. */
const subjectsOf = (tab: Tab): Subject[] =>
  [...tab.kpis, ...tab.charts.flatMap(chart => chart.lines)].map(({ metric, entity = ENTITY }) => ({
    metric,
    entity,
  }))

export type LoadedBitcoin = Awaited<ReturnType<typeof loadBitcoin>>

/** How fresh the page is: its newest figure, and the highest block that any rests on. */
function markOf(kpis: readonly KpiFigure[], plots: readonly PlotData[]): AsOfMarkProps | undefined {
  const marks = [...kpis, ...plots].flatMap(part => part.asOf ?? [])
  const days = [
    ...kpis.flatMap(kpi => kpi.day ?? []),
    ...plots.filter(plot => plot.grain === 'day').map(plot => bucketDay(plot, plot.count - 1)),
  ]
  const asOf = newestOf(marks)
  return asOf && { asOf, day: days.sort().at(-1), blocks: highestOf(marks) }
}

/** The newest mark of the page; a figure that is late makes the page late. */
function newestOf(marks: readonly AsOf[]): AsOf | undefined {
  const newest = marks.toSorted((a, b) => b.time.localeCompare(a.time))[0]
  const late = (['overdue', 'stale'] as const).find(state => marks.some(mark => mark.state === state))
  return newest && { ...newest, state: late ?? newest.state }
}

/** The mark of the highest block that any figure rests on: its day may lie before that of the newest outside figure. */
const highestOf = (marks: readonly AsOf[]): AsOf | undefined =>
  marks.filter(mark => mark.height !== null).toSorted((a, b) => (b.height ?? 0) - (a.height ?? 0))[0]

function tipOf(blocks: readonly BlockSummary[]): { height: number; time: string } | undefined {
  const tip = blocks.reduce<BlockSummary | undefined>(
    (a, block) => (!a || block.height > a.height ? block : a),
    undefined,
  )
  return tip && { height: tip.height, time: tip.time }
}

function sourcesOf(sources: readonly SourceRef[]): SourceRef[] {
  return [...new Map(sources.map(source => [source.id, source])).values()]
}

/** The question, and the first figures: what a search result or a shared link says. */
function descriptionOf(
  question: string,
  kpis: readonly { label: string; value: unknown; unit: string; day: string | null }[],
): string {
  const said = kpis
    .filter(kpi => kpi.value !== null)
    .slice(0, 3)
    .map(
      kpi =>
        `${kpi.label} ${figureText(kpi.value as number, kpi.unit).text}${kpi.day ? ` (${dayText(kpi.day)})` : ''}`,
    )
  return said.length === 0 ? question : `${question} ${said.join(', ')}.`
}
