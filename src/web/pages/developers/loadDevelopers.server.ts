import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { Ecosystem } from '#http/contract.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import type { ChartEvent } from '../../blocks/chart/drawing.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { ALL, developers, shownOf, TABLES } from './specs.ts'

const NAME = 'Developer Activity'

/** Everything that the page about developers shows. */
export async function loadDevelopers(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const { items } = await answering(NAME, () => api.developers.list())
  const shown = shownOf(url.searchParams, items)
  const page = developers(items, shown)
  const [figures, ...tables] = await answering(NAME, () =>
    Promise.all([
      loadFigures(page, shown, url, context),
      ...TABLES.map(table => api.developers.table(table)),
    ]),
  )
  return {
    ...figures,
    tables,
    shown,
    ecosystems: items.map(({ id, name }) => ({ id, name })),
    events: programmesOf(items, shown),
    specs: page.charts.map(shownPart),
    question: page.question,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

/** Charts of the page as an address chooses them. */
export async function developerCharts(query: URLSearchParams, context: Readonly<RouterContextProvider>) {
  const { items } = await context.get(apiContext).developers.list()
  const shown = shownOf(query, items)
  return {
    name: NAME,
    figures: developers(items, shown),
    entity: shown,
    events: programmesOf(items, shown),
  }
}

/** Far beyond every chart: a programme that still runs. */
const NEVER = '2100-01-01'

/** What was paid for, as bands: of one ecosystem, or of all with its name. */
function programmesOf(ecosystems: readonly Ecosystem[], shown: string): ChartEvent[] {
  return ecosystems
    .filter(({ id }) => shown === ALL || id === shown)
    .flatMap(({ name: whose, programmes }) =>
      programmes.map(({ name, from, to, note }) => ({
        day: from,
        to: to ?? NEVER,
        label: shown === ALL ? `${whose}: ${name}` : name,
        note,
      })),
    )
    .sort((a, b) => (a.day < b.day ? -1 : 1))
}
