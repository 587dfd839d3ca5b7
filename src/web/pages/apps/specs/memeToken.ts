import { priceCharts, tradeCharts } from '../../stacks/coins/coinSpecs.ts'
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
        { metric: 'token.volume', entity: id, label: 'Volume, day' },
        { metric: 'token.liquidity', entity: id, label: 'In its pools' },
        { metric: 'token.mcap', entity: id, label: 'Market cap' },
        { metric: 'token.holders', entity: id, label: 'Holders' },
        { metric: 'token.flags', entity: id, label: 'Safety flags' },
      ],
      charts: [...priceCharts(id, symbol), ...tradeCharts(id)],
    },
    {
      key: 'holders',
      label: 'Holders',
      question: `Who has most of ${symbol}?`,
      panels: [{ table: 'holders' }],
      kpis: [
        { metric: 'token.holders', entity: id, label: 'Holders' },
        { metric: 'token.top10_share', entity: id, label: 'Of the ten largest' },
        { metric: 'token.gini', entity: id, label: 'Gini coefficient' },
      ],
      charts: [],
    },
    usersTab,
    contractsTab,
  ],
})
