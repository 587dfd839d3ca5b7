import type { AppSpec, AppTab } from '../appSpec.ts'
import { type AppId, isApp, type PagedApp } from '../apps.ts'
import { arkadiko } from './arkadiko.ts'
import { exchange } from './exchange.ts'
import { hermetica } from './hermetica.ts'
import { lender } from './lender.ts'
import { memeToken } from './memeToken.ts'
import { other } from './other.ts'
import { staking } from './staking.ts'

/** Fees of all its pools in the word of an exchange. */
const FEES = { metric: 'dex.fees_24h', label: '24 hours' }

/** What stands on the page of each application of this build. */
const SPECS: Readonly<Record<AppId, AppSpec>> = {
  alex: exchange({ name: 'ALEX', token: { id: 'alex', symbol: 'ALEX' }, ownFees: FEES }),
  arkadiko,
  bitflow: exchange({
    name: 'Bitflow',
    ownFees: { metric: 'dex.bins_fees_24h', label: 'pools of bins, 24 hours' },
  }),
  granite: lender({ name: 'Granite', markets: ['aeUSDC', 'USDCx'], hasInterface: true }),
  hermetica,
  lisa: staking({
    name: 'LISA',
    unit: 'share',
    token: 'LiSTX',
    hasMintQueue: true,
  }),
  'stacking-dao': staking({
    name: 'StackingDAO',
    unit: 'stSTX',
    token: 'stSTX',
    isStating: true,
  }),
  velar: exchange({ name: 'Velar', token: { id: 'velar', symbol: 'VELAR' }, ownFees: FEES }),
  welsh: memeToken({ id: 'welsh', symbol: 'WELSH' }),
  zest: lender({
    name: 'Zest',
    markets: ['v2 USDCx', 'v2 STX', 'v2 sBTC', 'v2 stSTX', 'v2 USDh', 'v1 sBTC', 'v1 STX', 'v1 aeUSDC'],
  }),
}

/** What stands on the page of an application: of one that the catalogue makes, what is on those of its kind. */
export function specOf({ slug, name, kind, markets = [] }: PagedApp): AppSpec {
  if (isApp(slug)) return SPECS[slug]
  if (kind === 'exchange') return exchange({ name })
  return kind === 'lender' && markets.length > 0 ? lender({ name, markets }) : other({ name })
}

export const tabOf = (app: PagedApp, key: string | null): AppTab => {
  const { tabs } = specOf(app)
  return tabs.find(tab => tab.key === key) ?? tabs[0]
}
