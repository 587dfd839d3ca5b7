import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { ReportFigure } from '#http/contract.ts'
import { createFigureReader } from '../../blocks/load/figureReader.server.ts'
import { loadChart } from '../../blocks/load/loadChart.server.ts'
import { readPageView } from '../../blocks/view.ts'
import { answering } from '../answering.server.ts'
import { chartSpecOf } from './chartSpecOf.ts'
import type { PictureLines } from './ReportPicture.tsx'

/** All reports, the newest first, each with the lines of its first chart, or of the figures in its text, where these can be read. */
export async function loadReports(context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const { items } = await answering('The list of reports', () => api.content.reports())
  const query = new URLSearchParams()
  const view = readPageView(query)
  const reader = createFigureReader(api, view)
  const pictureOf = async (key: string): Promise<PictureLines> => {
    const { charts, figures } = await api.content.report(key)
    const [first] = charts
    if (first === undefined) return ofText(figures)
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

/** As published, what the text tells of most days. */
function ofText(figures: readonly ReportFigure[]): PictureLines {
  const [most] = [...Map.groupBy(figures, ({ metric, entity }) => `${metric}@${entity}`).values()].sort(
    (a, b) => b.length - a.length,
  )
  const values = (most ?? []).toSorted((a, b) => a.day.localeCompare(b.day)).map(({ published }) => published)
  return values.length > 1 ? [{ colour: 'series-2', values }] : []
}
