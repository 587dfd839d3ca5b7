import type { RouterContextProvider } from 'react-router'
import { apiContext } from '#http/context.ts'
import type { AsOfMarkProps } from '../../blocks/AsOfMark.tsx'
import { dayOfPage, headlineMark } from '../../blocks/load/headlines.server.ts'
import { readPageView } from '../../blocks/view.ts'
import { answering } from '../answering.server.ts'

/** The list of layers. Its one figure with a day is the bitcoin on all of them, which dates the page. */
export async function loadDirectory(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  return answering('The list of layers', async () => {
    const [{ asOf, ...directory }, metrics] = await Promise.all([api.directory.list(), api.metrics()])
    const { from, to } = directory.totals
    const cadenceDays = metrics.find(({ id }) => id === 'btc.bridged')?.cadenceDays ?? 1
    const headlines = from === null || to === null ? [] : [{ from, to, cadenceDays }]
    const today = dayOfPage(readPageView(url.searchParams), url.searchParams)
    const mark: AsOfMarkProps = headlineMark(headlines, today, asOf) ?? { asOf }
    return { ...directory, mark }
  })
}
