import { Holdings } from '../chain/Holdings.tsx'
import { AddressTable } from '../l2s/ProfileTables.tsx'
import { TrustTable } from '../l2s/TrustTable.tsx'
import { BlocksTable, HeadersTable } from './BlocksTable.tsx'
import { About, Applications, Bridges, Links, Proofs, Reserve, Tokens } from './CatalogPanels.tsx'
import { HotContracts, NewContracts } from './ContractTables.tsx'
import type { LoadedLayer } from './loadLayer.server.ts'
import { Custody, Incidents } from './ProfilePanels.tsx'
import type { Panel } from './specs.ts'

/** What stands above the charts of a tab; all else stands below. */
const FIRST: readonly Panel[] = ['about', 'trust']

type Props = { loaded: LoadedLayer; place: 'first' | 'last' }

export function Panels({ loaded, place }: Props) {
  const panels = loaded.tab.panels.filter(panel => FIRST.includes(panel) === (place === 'first'))
  return panels.map(panel => <OnePanel key={panel} panel={panel} loaded={loaded} />)
}

function OnePanel({ panel, loaded }: { panel: Panel; loaded: LoadedLayer }) {
  const { layer, about, contracts, profile } = loaded
  switch (panel) {
    case 'about':
      return <About about={about} />
    case 'blocks':
      return (
        <BlocksTable
          layer={layer}
          blocks={loaded.blocks}
          older={loaded.olderBlocks}
          isLater={loaded.isLater}
        />
      )
    case 'headers':
      return <HeadersTable layer={layer} headers={loaded.headers} />
    case 'hot':
      return <HotContracts layer={layer} rows={contracts?.hot ?? []} />
    case 'newest':
      return <NewContracts layer={layer} rows={contracts?.newest ?? []} />
    case 'reserve':
      return <Reserve about={about} />
    case 'bridges':
      return <Bridges layer={layer} about={about} />
    case 'proofs':
      return <Proofs layer={layer} about={about} />
    case 'links':
      return <Links layer={layer} about={about} />
    case 'dapps':
      return <Applications layer={layer} about={about} />
    case 'trust':
      return profile && <TrustTable layer={profile} />
    case 'custody':
      return <Custody profile={profile} amounts={loaded.holdings.tokens} />
    case 'protocols':
      return (
        <Holdings
          id="protocols"
          title="Protocols"
          what="Protocol"
          rows={loaded.holdings.protocols}
          names={new Map(loaded.holdings.names)}
        />
      )
    case 'stables':
      return <Holdings id="stables" title="Stablecoins" what="Token" rows={loaded.holdings.stables} />
    case 'keys':
      return profile && profile.addresses.length > 0 && <AddressTable rows={profile.addresses} />
    case 'incidents':
      return <Incidents profile={profile} />
    case 'tokens':
      return <Tokens layer={layer} about={about} />
    default: {
      const never: never = panel
      return never
    }
  }
}
