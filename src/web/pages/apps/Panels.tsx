import { lazy, Suspense } from 'react'
import { type AppPanel, type CatalogPanel, isTable } from './appSpec.ts'
import { About, Audits, Contracts, Incidents, Links, NotCoveredHere } from './CatalogPanels.tsx'
import { FactTable } from './FactTable.tsx'
import type { LoadedApp } from './loadApp.server.ts'

/** Drawings that lenders alone have. */
const Ladder = lazy(async () => ({ default: (await import('./Ladder.tsx')).Ladder }))
const RateCurves = lazy(async () => ({ default: (await import('./RateCurves.tsx')).RateCurves }))

/** What stands above the charts of a tab: the sentence on it, and what is drawn; all else stands below. */
const isFirst = (panel: AppPanel): boolean => (isTable(panel) ? panel.as !== undefined : panel === 'about')

type Props = { loaded: LoadedApp; place: 'first' | 'last' }

export function Panels({ loaded, place }: Props) {
  return loaded.tab.panels
    .filter(panel => isFirst(panel) === (place === 'first'))
    .map(panel => {
      if (!isTable(panel)) return <OnePanel key={panel} panel={panel} loaded={loaded} />
      const table = loaded.tables.find(({ id }) => id === panel.table)
      if (table === undefined) return undefined
      const key = `${panel.table} ${panel.as}`
      switch (panel.as) {
        case undefined:
          return <FactTable key={key} table={table} of={loaded.profile.slug} />
        case 'ladder':
          return (
            <Suspense key={key}>
              <Ladder table={table} />
            </Suspense>
          )
        case 'curves':
          return (
            <Suspense key={key}>
              <RateCurves table={table} markets={loaded.tables.find(({ id }) => id === 'markets')} />
            </Suspense>
          )
        default: {
          const never: never = panel.as
          return never
        }
      }
    })
}

function OnePanel({ panel, loaded: { profile } }: { panel: CatalogPanel; loaded: LoadedApp }) {
  switch (panel) {
    case 'about':
      return <About app={profile} />
    case 'contracts':
      return <Contracts app={profile} />
    case 'audits':
      return <Audits app={profile} />
    case 'incidents':
      return <Incidents app={profile} />
    case 'notCovered':
      return <NotCoveredHere app={profile} />
    case 'links':
      return <Links app={profile} />
    default: {
      const never: never = panel
      return never
    }
  }
}
