import { data, type RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { pageSearch } from '../../blocks/chart/embed.tsx'
import { createFigureReader } from '../../blocks/load/figureReader.server.ts'
import { loadChart } from '../../blocks/load/loadChart.server.ts'
import { readPageView } from '../../blocks/view.ts'
import { answering } from '../answering.server.ts'
import { subjectsOf } from '../chain/loadFigures.server.ts'
import { CHART as COMPARED } from '../compare/compareView.ts'
import { loadComparedChart } from '../compare/loadCompare.server.ts'
import type { Failure } from '../failure.ts'
import { chartPageOf } from './chartPages.server.ts'

/**
 * One chart of a page, in the state that the address has.
 * @throws a 404 with what to do where the page or the chart is not known
 */
export async function loadEmbed(url: URL, context: Readonly<RouterContextProvider>) {
  const path = url.searchParams.get('page') ?? ''
  const id = url.searchParams.get('chart') ?? ''
  const found =
    path === '/' ? await comparedChart(id, url, context) : await declaredChart(path, id, url, context)
  if (found === undefined) throw data(unknown(path, id), { status: 404 })
  return {
    ...found,
    page: path,
    href: `${path}${pageSearch(url.search)}#${id}`,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

/** The one chart of the home page: whose figures it draws is in the address. */
async function comparedChart(id: string, url: URL, context: Readonly<RouterContextProvider>) {
  if (id !== COMPARED) return undefined
  const [{ chart, shown }, events] = await Promise.all([
    loadComparedChart(url, context),
    context.get(apiContext).directory.events('bitcoin'),
  ])
  return { spec: { ...shown, wide: true }, chart, events, name: 'Bitcoin L2 Compare' }
}

/** A chart that its page declares. */
async function declaredChart(path: string, id: string, url: URL, context: Readonly<RouterContextProvider>) {
  const query = url.searchParams
  const page = await answering('The chart', () => chartPageOf(path, query, context))
  const spec = page?.figures.charts.find(chart => chart.id === id)
  if (!page || !spec) return undefined
  const { entity, events, name } = page
  const view = readPageView(query)
  const chart = await answering(name, async () => {
    const reader = createFigureReader(context.get(apiContext), view)
    const newest = await reader.newestDay(subjectsOf(page.figures, entity))
    return loadChart({ reader, entity, view, query, newest }, spec)
  })
  return { spec: { ...shownPart(spec), wide: true }, chart, events, name }
}

const unknown = (path: string, id: string): Failure => ({
  title: 'Chart not found',
  detail: `No page “${path.slice(0, 80)}” with a chart “${id.slice(0, 80)}” can be embedded.`,
  hint: 'Copy the code again from the chart’s share menu.',
  code: undefined,
  nearest: [],
})
