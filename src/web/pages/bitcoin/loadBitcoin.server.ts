import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { AsOf, BlockSummary, SourceRef } from '#http/contract.ts'
import { createFigureReader, loadChart, loadKpi } from '../../blocks/load/loadFigures.server.ts'
import { readPageView } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { answering } from '../answering.server.ts'
import { ENTITY, tabOf } from './tabs.ts'

const BLOCKS_ON_OVERVIEW = 10
const BLOCKS_ON_TAB = 50

/** Everything that one tab of `/bitcoin` shows, asked for side by side. */
export async function loadBitcoin(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const { publicUrl } = context.get(siteContext)
  const query = url.searchParams
  const tab = tabOf(query.get('tab'))
  const view = readPageView(query)
  const reader = createFigureReader(api, ENTITY, view)
  const ask = { api, reader, entity: ENTITY, view }

  const before = /^\d{1,9}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : undefined
  const limit = tab.key === 'blocks' ? BLOCKS_ON_TAB : BLOCKS_ON_OVERVIEW
  const wantsBlocks = tab.panels.length > 0
  const [kpis, charts, page, catalogue] = await answering('Bitcoin', () =>
    Promise.all([
      Promise.all(tab.kpis.map(kpi => loadKpi(ask, kpi.metric, kpi.label))),
      Promise.all(tab.charts.map(chart => loadChart(ask, chart, query))),
      wantsBlocks ? api.blocks({ limit, ...(before !== undefined && { before }) }) : undefined,
      reader.catalogue,
    ]),
  )
  const known = kpis.filter(kpi => kpi !== undefined)
  const asOf =
    page?.asOf ?? newestOf(charts.flatMap(chart => (chart.state === 'drawn' ? [chart.plot.asOf] : [])))
  return {
    tab: tab.key,
    publicUrl,
    kpis: known,
    charts,
    blocks: page?.items ?? [],
    olderBlocks: page?.next ?? null,
    blockGaps: page?.gaps ?? [],
    tip: tipOf(page?.items ?? []),
    asOf,
    sources: sourcesOf(
      tab.charts.flatMap(chart => chart.lines.map(line => catalogue.get(line.metric)?.sources ?? [])).flat(),
    ),
    description: descriptionOf(tab.question, known),
  }
}

export type LoadedBitcoin = Awaited<ReturnType<typeof loadBitcoin>>

const newestOf = (marks: AsOf[]): AsOf | undefined =>
  marks.toSorted((a, b) => b.time.localeCompare(a.time))[0]

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
