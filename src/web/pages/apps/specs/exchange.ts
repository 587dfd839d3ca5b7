import type { AppSpec } from '../appSpec.ts'
import { contractsTab, lockedChart, tokenTab, usersTab } from './shared.ts'

type Exchange = {
  name: string
  /** Id and symbol of its own token, if it has one. */
  token?: { id: string; symbol: string }
}

/** The page of a decentralised exchange. */
export const exchange = ({ name, token }: Exchange): AppSpec => ({
  tabs: [
    {
      key: 'overview',
      label: 'Overview',
      question: `How much is traded on ${name}, what lies in its pools, and what does that earn?`,
      panels: ['about'],
      kpis: [
        { metric: 'tvl.total', label: 'Value locked' },
        { metric: 'dex.volume', label: 'Volume, day' },
      ],
      charts: [
        lockedChart,
        {
          id: 'volume',
          title: 'Volume',
          kind: 'bars',
          lines: [{ metric: 'dex.volume', label: 'Volume' }],
        },
      ],
    },
    usersTab,
    ...(token === undefined ? [] : [tokenTab(token.id, token.symbol)]),
    contractsTab,
  ],
})
