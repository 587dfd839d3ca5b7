import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { ApplicationTable } from '#http/contract.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { createFigureReader } from '../../blocks/load/figureReader.server.ts'
import { loadCalculator } from '../../blocks/load/loadCalculator.server.ts'
import { readPageView } from '../../blocks/view.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { scatterOfRows } from './scatter.server.ts'
import { ENTITY, type Named, netCalculator, type Seen, TABLES, yields } from './specs.ts'
import { firstChosen, idsAsked, type Row } from './yieldView.ts'

/** Everything that the page about yields shows. */
export async function loadYields(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const query = url.searchParams
  const [list, tables] = await answering('Bitcoin Yield', () =>
    Promise.all([api.opportunities.list(), Promise.all(TABLES.map(table => api.opportunities.table(table)))]),
  )
  const { opportunities, ranges } = Object.fromEntries(tables.map(table => [table.id, table]))
  const rows = opportunities?.rows ?? []
  const chosen = chosenOf(query, list.items, rows)
  const ids = chosen.map(({ id }) => id)
  const page = yields(chosen)
  const reader = createFigureReader(api, { ...readPageView(query), unit: 'native' })
  const [figures, calculator] = await answering('Bitcoin Yield', () =>
    Promise.all([
      loadFigures(page, ENTITY, url, context),
      loadCalculator(reader, netCalculator(seenOf(ranges, ids))),
    ]),
  )
  return {
    ...figures,
    tables,
    chosen,
    calculator,
    ways: list.items.map(({ id, name }) => ({ id, name })),
    scatter: scatterOfRows(rows, figures.kpis.find(({ asOf }) => asOf)?.asOf ?? figures.mark?.asOf),
    specs: page.charts.map(shownPart),
    question: page.question,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

/** Charts of the page as an address chooses them. */
export async function yieldFigures(query: URLSearchParams, context: Readonly<RouterContextProvider>) {
  const { opportunities } = context.get(apiContext)
  const [list, table] = await Promise.all([opportunities.list(), opportunities.table('opportunities')])
  return yields(chosenOf(query, list.items, table.rows))
}

/** Those that the address names, else those that earned. */
function chosenOf(query: URLSearchParams, items: readonly Named[], rows: readonly Row[]): Named[] {
  const known = new Map(items.map(({ id, name }) => [id, name]))
  const asked = idsAsked(query, new Set(known.keys()))
  return (asked.length > 0 ? asked : firstChosen(rows)).map(id => ({ id, name: known.get(id) ?? id }))
}

/** What was seen of the first of these of which any 90 days are told. */
function seenOf(ranges: ApplicationTable | undefined, ids: readonly string[]): Seen | undefined {
  for (const id of ids) {
    const row = ranges?.rows.find(({ entity }) => entity === id)
    if (row === undefined || row.mid_90 === null) continue
    return {
      name: String(row.name),
      low: Number(row.low_90),
      mid: Number(row.mid_90),
      high: Number(row.high_90),
    }
  }
  return undefined
}
