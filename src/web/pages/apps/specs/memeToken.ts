import { tokenCharts } from '../../chain/moneyCharts.ts'
import type { AppSpec } from '../appSpec.ts'
import { contractsTab, usersTab } from './shared.ts'

type MemeToken = { id: string; symbol: string }

/** The page of a token that is its own application: price, trades, holders. */
export const memeToken = ({ id, symbol }: MemeToken): AppSpec => ({
  tabs: [
    {
      key: 'overview',
      label: 'Overview',
      question: `What does ${symbol} cost, who trades it, and who has it?`,
      panels: ['about', { table: 'token_trades' }],
      kpis: [
        { metric: 'token.price', entity: id, label: `Price of ${symbol}` },
        { metric: 'token.mcap', entity: id, label: 'Market cap' },
        { metric: 'token.volume', entity: id, label: 'Volume, day' },
        { metric: 'token.supply', entity: id, label: 'Supply' },
      ],
      charts: tokenCharts(id).filter(chart => chart.id !== 'mcaptvl'),
    },
    {
      key: 'holders',
      label: 'Holders',
      question: `Who has most of ${symbol}?`,
      panels: [{ table: 'holders' }],
      kpis: [],
      charts: [],
    },
    usersTab,
    contractsTab,
  ],
})
