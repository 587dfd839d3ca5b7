import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { createFigureReader } from '../../blocks/load/figureReader.server.ts'
import { loadChart } from '../../blocks/load/loadChart.server.ts'
import { readPageView } from '../../blocks/view.ts'
import { answering } from '../answering.server.ts'
import { chartSpecOf } from './chartSpecOf.ts'
import type { PictureLines } from './ReportPicture.tsx'

/** All reports, the newest first, each with the lines of its first chart where these can be read. */
export async function loadReports(context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const { items } = await answering('The list of reports', () => api.content.reports())
  const query = new URLSearchParams()
  const view = readPageView(query)
  const reader = createFigureReader(api, view)
  const pictureOf = async (key: string): Promise<PictureLines> => {
    const [first] = (await api.content.report(key)).charts
    if (first === undefined) return []
    // Each line names its entity.
    const ask = { reader, entity: 'bitcoin', view, query, newest: undefined }
    const chart = await loadChart(ask, chartSpecOf(first))
    return chart.state === 'drawn' && 'plot' in chart
      ? chart.plot.lines.map(({ colour, values }) => ({ colour, values }))
      : []
  }
  return {
    items: await Promise.all(items.map(async item => ({ ...item, picture: await pictureOf(item.key) }))),
    publicUrl: context.get(siteContext).publicUrl,
  }
}
