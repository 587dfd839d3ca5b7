import { lazy } from 'react'
import { Later } from '../../blocks/Later.tsx'
import type { LoadedLayer } from './loadLayer.server.ts'
import styles from './Panels.module.css'
import type { Panel } from './specs.ts'

// Drawn on the server; a browser fetches the scripts of those that its tab shows, with the first step of a reader.
const catalog = () => import('./CatalogPanels.tsx')
const About = lazy(async () => ({ default: (await catalog()).About }))
const Applications = lazy(async () => ({ default: (await catalog()).Applications }))
const Bridges = lazy(async () => ({ default: (await catalog()).Bridges }))
const Links = lazy(async () => ({ default: (await catalog()).Links }))
const Proofs = lazy(async () => ({ default: (await catalog()).Proofs }))
const Reserve = lazy(async () => ({ default: (await catalog()).Reserve }))
const Tokens = lazy(async () => ({ default: (await catalog()).Tokens }))
const blocks = () => import('./BlocksTable.tsx')
const BlocksTable = lazy(async () => ({ default: (await blocks()).BlocksTable }))
const HeadersTable = lazy(async () => ({ default: (await blocks()).HeadersTable }))
const contracts = () => import('./ContractTables.tsx')
const HotContracts = lazy(async () => ({ default: (await contracts()).HotContracts }))
const NewContracts = lazy(async () => ({ default: (await contracts()).NewContracts }))
const profiles = () => import('./ProfilePanels.tsx')
const Custody = lazy(async () => ({ default: (await profiles()).Custody }))
const Incidents = lazy(async () => ({ default: (await profiles()).Incidents }))
const Holdings = lazy(async () => ({ default: (await import('../chain/Holdings.tsx')).Holdings }))
const AddressTable = lazy(async () => ({ default: (await import('../l2s/ProfileTables.tsx')).AddressTable }))
const TrustTable = lazy(async () => ({ default: (await import('../l2s/TrustTable.tsx')).TrustTable }))

/** What stands above the charts of a tab; all else stands below. */
const FIRST: readonly Panel[] = ['about', 'trust']

type Props = { loaded: LoadedLayer; place: 'first' | 'last' }

export function Panels({ loaded, place }: Props) {
  const panels = loaded.tab.panels.filter(panel => FIRST.includes(panel) === (place === 'first'))
  return panels.map(panel => {
    const id = `panel-${panel}`
    return (
      <Later key={panel} section={id}>
        <section id={id} className={styles.panel}>
          <OnePanel panel={panel} loaded={loaded} />
        </section>
      </Later>
    )
  })
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
      return (
        <HotContracts
          layer={layer}
          rows={contracts?.hot ?? []}
          indexedHours={contracts?.indexedHours ?? null}
          isWhole={contracts?.isWhole ?? true}
        />
      )
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
