import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { chartSpecOf } from './chartSpecOf.ts'

/** A report with its numbers as they are now, and its charts. */
export async function loadReport(key: string, url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const report = await answering('This report', () => api.content.report(key), {
    pathOf: near => `/reports/${near}`,
    names: async () => (await api.content.reports()).items.map(each => [each.key, each.title]),
  })
  const specs = report.charts.map(chartSpecOf)
  const figures = await answering(report.title, () =>
    // Each line names its entity.
    loadFigures({ question: report.summary, kpis: [], charts: specs }, 'bitcoin', url, context),
  )
  return { ...figures, report, specs: specs.map(shownPart), publicUrl: context.get(siteContext).publicUrl }
}
