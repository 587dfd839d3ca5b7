import { activityTab } from './activity.ts'
import { blocksTab } from './blocks.ts'
import type { Tab } from './common.ts'
import { dataTab } from './data.ts'
import { feesTab } from './fees.ts'
import { layersTab } from './layers.ts'
import { lightningTab } from './lightning.ts'
import { miningTab } from './mining.ts'
import { overviewTab } from './overview.ts'
import { utxoTab } from './utxo.ts'
import { valuationTab } from './valuation.ts'

export type { Panel, Tab } from './common.ts'

export const ENTITY = 'bitcoin'

/** What stands on each tab of `/bitcoin`, as data: figures, charts and panels by metric id. The catalogue decides what is drawn. */
export const TABS: readonly [Tab, ...Tab[]] = [
  overviewTab,
  blocksTab,
  feesTab,
  miningTab,
  activityTab,
  utxoTab,
  valuationTab,
  dataTab,
  layersTab,
  lightningTab,
]

export const tabOf = (key: string | null): Tab => TABS.find(tab => tab.key === key) ?? TABS[0]
