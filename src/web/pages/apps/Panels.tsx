import type { CatalogPanel } from './appSpec.ts'
import { About, Audits, Contracts, Incidents, Links, NotCoveredHere } from './CatalogPanels.tsx'
import type { LoadedApp } from './loadApp.server.ts'

/** What stands above the charts of a tab; all else stands below. */
const FIRST: readonly CatalogPanel[] = ['about']

type Props = { loaded: LoadedApp; place: 'first' | 'last' }

export function Panels({ loaded, place }: Props) {
  const panels = loaded.tab.panels.filter(panel => FIRST.includes(panel) === (place === 'first'))
  return panels.map(panel => <OnePanel key={panel} panel={panel} loaded={loaded} />)
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
