import type { ChartSpec } from '../../../blocks/chart/chartSpec.ts'
import type { FigurePage } from '../../chain/loadFigures.server.ts'

const WELSH = 'welsh'

/** Price and depth of a coin, from its pools. */
export const priceCharts = (id: string, symbol: string): readonly ChartSpec[] => [
  {
    id: 'price',
    title: `Price of ${symbol}`,
    kind: 'area',
    lines: [{ metric: 'token.price', entity: id, label: symbol }],
    note: 'From the reserves of its pools. Pools with little liquidity give no price.',
  },
  {
    id: 'liquidity',
    title: `In pools with ${symbol}`,
    kind: 'area',
    lines: [{ metric: 'token.liquidity', entity: id, label: 'Both sides' }],
  },
]

/** Who trades it, and how much. */
export const tradeCharts = (id: string): readonly ChartSpec[] => [
  {
    id: 'volume',
    title: 'Volume',
    kind: 'bars',
    lines: [{ metric: 'token.volume', entity: id, label: 'Volume' }],
  },
  {
    id: 'traders',
    title: 'Buyers and sellers',
    kind: 'line',
    lines: [
      { metric: 'token.buyers', entity: id, label: 'buyers' },
      { metric: 'token.sellers', entity: id, label: 'sellers' },
    ],
  },
]

/** Figures of `/stacks/meme-coins`: of the coin that publishers price. The tables below are of all. */
export const memeCoins: FigurePage = {
  question: 'Which meme coins are traded on Stacks, who holds them, and what may their contracts still do?',
  kpis: [
    { metric: 'token.price', entity: WELSH, label: 'Price of WELSH' },
    { metric: 'token.liquidity', entity: WELSH, label: 'In pools with WELSH' },
    { metric: 'token.volume', entity: WELSH, label: 'Volume of WELSH, day' },
  ],
  charts: priceCharts(WELSH, 'WELSH'),
}

/** Figures of `/stacks/stablecoins`. */
export const stablecoins: FigurePage = {
  question: 'How many dollars are on Stacks, who issues them, and do they hold their peg?',
  kpis: [
    { metric: 'stables.cap', label: 'Stablecoins on Stacks' },
    { metric: 'stable.peg_deviation', entity: 'usdh', label: 'USDh off its peg' },
    { metric: 'stable.peg_deviation', entity: 'usda', label: 'USDA off its peg' },
  ],
  charts: [
    {
      id: 'stables',
      title: 'Stablecoins by token',
      kind: 'stacked',
      wide: true,
      lines: [{ metric: 'stables.by_token' }],
      most: 8,
    },
    {
      id: 'supply',
      title: 'Supply of those made on Stacks',
      kind: 'line',
      lines: [
        { metric: 'stable.supply', entity: 'usda', label: 'USDA' },
        { metric: 'stable.supply', entity: 'usdh', label: 'USDh' },
      ],
    },
    {
      id: 'peg',
      title: 'Distance from one dollar',
      kind: 'line',
      lines: [
        { metric: 'stable.peg_deviation', entity: 'usda', label: 'USDA' },
        { metric: 'stable.peg_deviation', entity: 'usdh', label: 'USDh' },
      ],
    },
    {
      id: 'pegworst',
      title: 'Farthest from one dollar in 30 days',
      kind: 'line',
      lines: [
        { metric: 'stable.peg_worst', entity: 'usda', label: 'USDA' },
        { metric: 'stable.peg_worst', entity: 'usdh', label: 'USDh' },
      ],
      note: 'Of the days that have a price. By hour and block the distance is in the API: grain=hour, grain=block.',
    },
    {
      id: 'minted',
      title: 'USDh made and destroyed',
      kind: 'bars',
      lines: [
        { metric: 'stable.minted', entity: 'usdh', label: 'made' },
        { metric: 'stable.burned', entity: 'usdh', label: 'destroyed' },
      ],
    },
  ],
}
