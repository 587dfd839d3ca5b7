import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { type AppTab, isTable } from './appSpec.ts'
import type { PagedApp } from './apps.ts'
import { specOf, tabOf } from './specs/index.ts'

/** Everything that one tab of an application’s page shows, asked for side by side. */
export async function loadApp(app: PagedApp, url: URL, context: Readonly<RouterContextProvider>) {
  const { slug, name } = app
  const api = context.get(apiContext)
  const tab = tabOf(app, url.searchParams.get('tab'))
  const [figures, profile, ...tables] = await answering(name, () =>
    Promise.all([
      // What is known of another time than today's is told so and not drawn.
      loadFigures(tab, slug, url, context, { now: [{ metric: 'price.close', entity: 'bitcoin' }] }),
      api.applications.profile(slug),
      ...tab.panels.filter(isTable).map(({ table }) => api.applications.table(slug, table)),
    ]),
  )
  const { tabs, remedy } = specOf(app)
  return {
    ...figures,
    app: { slug, name },
    profile,
    tables,
    tab: shownTab(tab),
    tabs: tabs.map(({ key, label }) => ({ key, label })),
    remedy,
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
