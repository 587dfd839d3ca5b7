import type { ChartSpec } from '../../blocks/chart/chartSpec.ts'
import type { FigurePage } from './loadFigures.server.ts'

type Kpis = FigurePage['kpis']

/** What lies on a layer, by whom: figures of publishers that pages of all layers share. */
export const moneyKpis: Kpis = [
  { metric: 'tvl.total', label: 'TVL' },
  { metric: 'btc.bridged', label: 'BTC bridged' },
  { metric: 'btc.unique', label: 'BTC bridged, counted once' },
  { metric: 'stables.cap', label: 'Stablecoins' },
  { metric: 'inflow.usd', label: 'Bitcoin that came in, day' },
  { metric: 'tvl.per_user', label: 'TVL per sender' },
]

export const moneyCharts: readonly ChartSpec[] = [
  {
    id: 'tvl',
    title: 'TVL',
    kind: 'area',
    wide: true,
    lines: [{ metric: 'tvl.total', label: 'TVL' }],
    note: 'In dollars of the day: it moves with prices.',
  },
  {
    id: 'tvlprotocols',
    title: 'TVL by protocol',
    kind: 'stacked',
    lines: [{ metric: 'tvl.by_protocol' }],
    most: 8,
    note: 'Deposits of one protocol in another count in both.',
  },
  {
    id: 'tvlmap',
    title: 'Share of TVL by protocol',
    kind: 'tree',
    over: 'newest',
    lines: [{ metric: 'tvl.by_protocol' }],
    most: 16,
  },
  {
    id: 'btctokens',
    title: 'BTC bridged by token',
    kind: 'stacked',
    lines: [{ metric: 'btc.by_token' }],
    most: 8,
    note: 'Each token is a claim on the custodian of its bitcoin. See Trust.',
  },
  {
    id: 'constant',
    title: 'BTC bridged at constant price',
    kind: 'line',
    lines: [{ metric: 'tvl.constant_price', label: 'At the first close of the range' }],
  },
  {
    id: 'inflow',
    title: 'Bitcoin that came in',
    kind: 'bars',
    lines: [{ metric: 'inflow.usd', isSum: true, label: 'In, less out' }],
  },
  {
    id: 'stables',
    title: 'Stablecoins by token',
    kind: 'stacked',
    lines: [{ metric: 'stables.by_token' }],
    most: 8,
  },
  {
    id: 'secured',
    title: 'Value secured, as L2BEAT counts it',
    kind: 'stacked',
    lines: [{ metric: 'tvs.total' }],
  },
]

/** What is earned on a layer, and by whom. */
export const revenueCharts: readonly ChartSpec[] = [
  {
    id: 'revenue',
    title: 'Revenue',
    kind: 'line',
    lines: [
      { metric: 'rev.total', label: 'fees for block space' },
      { metric: 'revenue.chain', label: 'kept by the chain' },
      { metric: 'revenue.apps', label: 'kept by applications' },
      { metric: 'revenue.holders', label: 'passed to holders' },
    ],
  },
  {
    id: 'dex',
    title: 'DEX volume by exchange',
    kind: 'stacked',
    lines: [{ metric: 'dex.by_protocol' }],
    most: 8,
  },
  {
    id: 'turnover',
    title: 'TVL turnover',
    kind: 'line',
    lines: [{ metric: 'tvl.turnover', label: 'Volume / TVL' }],
  },
  {
    id: 'feesperuser',
    title: 'Fees per sender',
    kind: 'line',
    lines: [{ metric: 'users.fees_per_user', label: 'Fees per sender' }],
  },
]

/** The layer’s own token; none where it has no token. */
export const tokenKpis = (token: string | null): Kpis =>
  token === null ? [] : [{ metric: 'token.price', entity: token, label: `Price of ${token.toUpperCase()}` }]

export const tokenCharts = (token: string | null): readonly ChartSpec[] =>
  token === null
    ? []
    : [
        {
          id: 'price',
          title: `Price of ${token.toUpperCase()}`,
          kind: 'area',
          lines: [{ metric: 'token.price', entity: token, label: token.toUpperCase() }],
          note: 'Days on which publishers differ by more than 5 % are drawn hollow.',
        },
        {
          id: 'mcap',
          title: 'Market cap, and fully diluted',
          kind: 'line',
          lines: [
            { metric: 'token.mcap', entity: token, label: 'market cap' },
            { metric: 'token.fdv', entity: token, label: 'fully diluted' },
          ],
        },
        {
          id: 'mcaptvl',
          title: 'Market cap / TVL',
          kind: 'line',
          lines: [{ metric: 'token.mcap_tvl', entity: token, label: 'Market cap / TVL' }],
        },
      ]
