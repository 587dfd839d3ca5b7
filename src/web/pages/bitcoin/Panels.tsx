import { lazy, Suspense } from 'react'
import { assertNever } from '../assertNever.ts'
import { BlocksTable } from './BlocksTable.tsx'
import { EpochPanel, HalvingPanel } from './Clocks.tsx'
import type { LoadedBitcoin } from './loadBitcoin.server.ts'
import styles from './Panels.module.css'
import type { Panel } from './tabs/index.ts'

/** Each stands on one tab: the others need not carry them. */
const LayersTable = lazy(async () => ({ default: (await import('./LayersTable.tsx')).LayersTable }))
const LightningPanel = lazy(async () => ({ default: (await import('./LightningPanel.tsx')).LightningPanel }))
const PoolsTable = lazy(async () => ({ default: (await import('./PoolsTable.tsx')).PoolsTable }))

type Props = { panels: readonly Panel[]; loaded: LoadedBitcoin; place: 'first' | 'last' }

const PLACE: Record<Panel, Props['place']> = {
  halving: 'first',
  epoch: 'first',
  blocks: 'last',
  decoded: 'last',
  pools: 'last',
  layers: 'last',
  lightning: 'last',
}

/** What stands on a tab besides figures and charts. */
export function Panels({ panels, loaded, place }: Props) {
  const here = panels.filter(panel => PLACE[panel] === place)
  if (here.length === 0 || (place === 'first' && !loaded.tip)) return null
  return (
    <div className={place === 'first' ? styles.clocks : styles.tables}>
      {here.map(panel => (
        <Suspense key={panel}>
          <One panel={panel} loaded={loaded} />
        </Suspense>
      ))}
    </div>
  )
}

function One({ panel, loaded }: { panel: Panel; loaded: LoadedBitcoin }) {
  switch (panel) {
    case 'blocks':
      return (
        <BlocksTable
          blocks={loaded.blocks}
          gaps={loaded.blockGaps}
          older={loaded.olderBlocks}
          kind={loaded.tab.key === 'blocks' ? 'all' : 'latest'}
          isLater={loaded.isLater}
        />
      )
    case 'decoded':
      return (
        <BlocksTable
          blocks={loaded.blocks}
          gaps={[]}
          older={loaded.olderBlocks}
          kind="decoded"
          isLater={loaded.isLater}
        />
      )
    case 'pools':
      return <PoolsTable charts={loaded.charts} />
    case 'layers':
      return <LayersTable rows={loaded.layers} />
    case 'lightning':
      return <LightningPanel />
    case 'halving':
      return loaded.tip ? <HalvingPanel tip={loaded.tip} /> : null
    case 'epoch':
      return loaded.tip ? <EpochPanel tip={loaded.tip} /> : null
    default:
      return assertNever(panel)
  }
}
