import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { type AppTab, isTable } from './appSpec.ts'
import { APPS, appOf } from './apps.ts'
import { SPECS, tabOf } from './specs/index.ts'

/** Everything that one tab of an application’s page shows, asked for side by side. */
export async function loadApp(url: URL, context: Readonly<RouterContextProvider>) {
  const app = appOf(url)
  const api = context.get(apiContext)
  const tab = tabOf(app, url.searchParams.get('tab'))
  const [figures, profile, ...tables] = await answering(APPS[app], () =>
    Promise.all([
      // What is known of another time than today's is told so and not drawn.
      loadFigures(tab, app, url, context, [{ metric: 'price.close', entity: 'bitcoin' }]),
      api.applications.profile(app),
      ...tab.panels.filter(isTable).map(({ table }) => api.applications.table(app, table)),
    ]),
  )
  return {
    ...figures,
    app,
    profile,
    tables,
    tab: shownTab(tab),
    tabs: SPECS[app].tabs.map(({ key, label }) => ({ key, label })),
    remedy: SPECS[app].remedy,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

/** What the browser needs of a tab. */
const shownTab = ({ key, label, question, charts, panels }: AppTab) => ({
  key,
  label,
  question,
  panels,
  charts: charts.map(shownPart),
})

export type LoadedApp = Awaited<ReturnType<typeof loadApp>>
