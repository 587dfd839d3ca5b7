import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { ApplicationTable } from '#http/contract.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { ENTITY, FUNDS_CHART, fundsNote, TABLES, tablesOf, treasuries, treasuryFigures } from './specs.ts'

/** Everything that the page over all holders shows. */
export async function loadTreasuries(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const [figures, ...tables] = await answering('Bitcoin Treasuries', () =>
    Promise.all([
      loadFigures(treasuries, ENTITY, url, context),
      ...TABLES.map(table => api.treasuries.table(table)),
    ]),
  )
  return {
    ...figures,
    tables,
    specs: treasuries.charts.map(chart =>
      shownPart(chart.id === FUNDS_CHART ? { ...chart, note: fundsNote(fundRowsOf(tables)) } : chart),
    ),
    question: treasuries.question,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

const fundRowsOf = (tables: readonly ApplicationTable[]) =>
  tables.find(({ id }) => id === 'funds')?.rows ?? []

/** Everything that the page of one holder shows. */
export async function loadTreasury(id: string, url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const treasury = await answering('Bitcoin Treasuries', () => api.treasuries.profile(id), {
    pathOf: near => `/analyze/bitcoin-treasuries/${near}`,
    names: async () => (await api.treasuries.list()).items.map(({ id: near, name }) => [near, name]),
  })
  const page = treasuryFigures(treasury)
  const [figures, ...tables] = await answering(treasury.name, () =>
    Promise.all([
      loadFigures(page, treasury.id, url, context),
      ...tablesOf(treasury).map(table => api.treasuries.tableOf(treasury.id, table)),
    ]),
  )
  return {
    ...figures,
    treasury,
    tables,
    specs: page.charts.map(shownPart),
    question: page.question,
    publicUrl: context.get(siteContext).publicUrl,
  }
}
