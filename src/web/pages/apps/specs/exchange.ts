import type { AppSpec } from '../appSpec.ts'
import { contractsTab, lockedChart, tokenTab, usersTab } from './shared.ts'

type Exchange = {
  name: string
  /** Id and symbol of its own token, if it has one. */
  token?: { id: string; symbol: string }
  /** What its own interface tells of fees, if anything. */
  ownFees?: { metric: string; label: string }
}

/** The page of a decentralised exchange. */
export const exchange = ({ name, token, ownFees }: Exchange): AppSpec => ({
  tabs: [
    {
      key: 'overview',
      label: 'Overview',
      question: `How much is traded on ${name}, how much is in its pools, and what does it earn?`,
      panels: ['about', { table: 'compared_exchange' }],
      kpis: [
        { metric: 'tvl.total', label: 'TVL' },
        { metric: 'dex.volume', label: 'Volume, day' },
        { metric: 'dex.fees', label: 'Fees, day' },
        { metric: 'dex.traders', label: 'Traders, day' },
        { metric: 'dex.swaps', label: 'Swaps, day' },
        { metric: 'dex.share', label: 'Stacks DEX market share' },
      ],
      charts: [
        {
          id: 'volume',
          title: 'Volume',
          kind: 'bars',
          wide: true,
          lines: [{ metric: 'dex.volume', label: 'Volume' }],
          switches: [{ name: 'routes', label: 'A route through several pools', off: 'in each', on: 'once' }],
        },
        {
          id: 'ownword',
          title: 'Reported by the exchange',
          kind: 'line',
          lines: [
            { metric: 'dex.volume_24h', label: 'volume, 24 hours' },
            { metric: 'dex.liquidity', label: 'in its pools' },
          ],
          note: 'At its own prices over the 24 hours before its response, for its own list of pools, with a route counted in each. The table below compares it with on-chain prints by UTC day and explains the difference.',
        },
        ...(ownFees === undefined
          ? []
          : [
              {
                id: 'ownfees',
                title: 'Fees reported by the exchange',
                kind: 'line' as const,
                lines: [ownFees],
                note: 'Over the 24 hours before its response, at its own prices. The table below compares them with on-chain prints.',
              },
            ]),
        { ...lockedChart, wide: false },
        {
          id: 'fees',
          title: 'Fees by who gets them',
          kind: 'stacked',
          lines: [{ metric: 'dex.fees', labels: { providers: 'liquidity providers', exchange: 'exchange' } }],
        },
        {
          id: 'traders',
          title: 'Traders',
          kind: 'area',
          lines: [{ metric: 'dex.traders', label: 'Traders' }],
        },
        {
          id: 'share',
          title: 'Stacks DEX market share',
          kind: 'line',
          lines: [{ metric: 'dex.share', label: 'Share' }],
          note: 'Days on which indexed exchanges cover at least 80% of reported volume.',
        },
      ],
    },
    {
      key: 'pools',
      label: 'Pools',
      question: 'Which pools are deep, which are used, and what did providing liquidity come to?',
      panels: [{ table: 'pools' }],
      kpis: [
        { metric: 'pool.tvl', label: 'Value in pools' },
        { metric: 'pool.depth_1pct', label: 'Depth at 1%, all pools' },
        { metric: 'pool.depth_2pct', label: 'Depth at 2%, all pools' },
      ],
      charts: [
        {
          id: 'pooltvl',
          title: 'Value in pools',
          kind: 'stacked',
          wide: true,
          lines: [{ metric: 'pool.tvl' }],
          most: 8,
        },
        {
          id: 'poolvolume',
          title: 'Volume by pool',
          kind: 'stacked',
          lines: [{ metric: 'pool.volume' }],
          most: 8,
        },
        {
          id: 'poolmap',
          title: 'TVL by pool',
          kind: 'tree',
          over: 'newest',
          lines: [{ metric: 'pool.tvl' }],
          most: 16,
        },
        {
          id: 'apr',
          title: 'Fee APR by pool',
          kind: 'line',
          lines: [{ metric: 'pool.fee_apr' }],
          most: 6,
          note: 'What trades paid, before the price has moved.',
        },
        {
          id: 'vshold',
          title: 'LP vs. holding, 30 days',
          kind: 'line',
          lines: [{ metric: 'lp.vs_hold' }],
          most: 6,
          note: 'Fees and the move of prices together; rewards left out.',
        },
        {
          id: 'il',
          title: 'Impermanent loss, 30 days',
          kind: 'line',
          lines: [{ metric: 'lp.il' }],
          most: 6,
        },
        {
          id: 'depth',
          title: 'Depth at 1% by pool',
          kind: 'line',
          lines: [{ metric: 'pool.depth_1pct' }],
          most: 6,
        },
      ],
    },
    {
      key: 'trades',
      label: 'Trades',
      question: 'Who trades, on which routes, and how much of it is back and forth?',
      panels: [{ table: 'routes' }, { table: 'traders' }, { table: 'swaps' }],
      kpis: [
        { metric: 'dex.swaps', label: 'Swaps, day' },
        { metric: 'dex.traders', label: 'Traders, day' },
        { metric: 'dex.unread', label: 'Prints not read, day' },
      ],
      charts: [
        {
          id: 'swapcount',
          title: 'Swaps a day',
          kind: 'bars',
          lines: [{ metric: 'dex.swaps', label: 'Swaps' }],
        },
        {
          id: 'traderscount',
          title: 'Traders a day',
          kind: 'area',
          lines: [{ metric: 'dex.traders', label: 'Traders' }],
        },
        {
          id: 'unread',
          title: 'Swaps without a token price',
          kind: 'line',
          lines: [{ metric: 'dex.unpriced', label: 'Share of swaps' }],
        },
        {
          id: 'odd',
          title: 'Prints that no rule reads',
          kind: 'bars',
          lines: [{ metric: 'dex.unread', label: 'Prints' }],
        },
      ],
    },
    usersTab,
    ...(token === undefined ? [] : [tokenTab(token.id, token.symbol)]),
    contractsTab,
  ],
})
