import type { SiteLayer } from '../../shell/layers.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'
import { moneyCharts, moneyKpis, revenueCharts, tokenCharts, tokenKpis } from '../chain/moneyCharts.ts'
import { bridgeCharts, footprintCharts } from './footprint.ts'

const PANELS = [
  'about',
  'headers',
  'blocks',
  'hot',
  'newest',
  'reserve',
  'bridges',
  'proofs',
  'links',
  'dapps',
  'tokens',
  'trust',
  'custody',
  'protocols',
  'stables',
  'keys',
  'incidents',
] as const
export type Panel = (typeof PANELS)[number]

export type LayerTab = FigurePage & {
  key: string
  label: string
  panels: readonly Panel[]
}

const usageCharts: FigurePage['charts'] = [
  {
    id: 'transactions',
    title: 'Transactions',
    kind: 'bars',
    wide: true,
    lines: [{ metric: 'tx.count', label: 'Transactions' }],
  },
  {
    id: 'senders',
    title: 'Senders',
    kind: 'area',
    lines: [{ metric: 'addresses.senders', label: 'Senders' }],
  },
  { id: 'new', title: 'New senders', kind: 'bars', lines: [{ metric: 'addresses.new', label: 'New' }] },
  { id: 'kinds', title: 'Transactions by kind', kind: 'stacked', lines: [{ metric: 'tx.by_kind' }] },
  {
    id: 'failed',
    title: 'Failed transactions',
    kind: 'line',
    lines: [{ metric: 'tx.failed_share', label: 'Share' }],
  },
  {
    id: 'transfers',
    title: 'Token transfers by token',
    kind: 'stacked',
    lines: [{ metric: 'tokens.transfers' }],
    most: 8,
  },
]

/** What stands on the page of a layer, as data. */
export const tabsOf = (layer: SiteLayer): readonly [LayerTab, ...LayerTab[]] => [
  {
    key: 'overview',
    label: 'Overview',
    question: 'How busy is the layer, what does it cost, and who builds on it?',
    panels: ['about', 'protocols', 'blocks', 'headers'],
    kpis: [
      { metric: 'tvl.total', label: 'TVL' },
      { metric: 'btc.bridged', label: 'BTC bridged' },
      { metric: 'tx.count', label: 'Transactions, day' },
      { metric: 'addresses.senders', label: 'Senders, day' },
      { metric: 'fees.median_tx', label: 'Median fee' },
      ...tokenKpis(layer.token),
      ...(layer.id === 'rootstock' || layer.id === 'core'
        ? [{ metric: 'merge_mining.share', label: 'Merge-mining share' }]
        : []),
    ],
    charts: [
      ...moneyCharts.filter(({ id }) => id === 'tvl'),
      ...usageCharts
        .filter(({ id }) => id === 'transactions' || id === 'senders')
        .map(chart => ({ ...chart, wide: false })),
      { id: 'fees', title: 'Fees paid', kind: 'bars', lines: [{ metric: 'fees.total', label: 'Fees' }] },
      {
        id: 'deployed',
        title: 'Contracts deployed',
        kind: 'stacked',
        lines: [{ metric: 'contracts.deployed', labels: MADE_LABELS }],
      },
      {
        id: 'active',
        title: 'Active contracts',
        kind: 'area',
        lines: [{ metric: 'contracts.active', label: 'Contracts' }],
      },
      ...tokenCharts(layer.token),
    ],
  },
  {
    key: 'usage',
    label: 'Usage',
    question: 'Who uses the layer, and for what?',
    panels: [],
    kpis: [
      { metric: 'tx.count', label: 'Transactions, day' },
      { metric: 'addresses.senders', label: 'Senders, day' },
      { metric: 'addresses.new', label: 'New senders, day' },
      { metric: 'tokens.transfers', label: 'Token transfers, day' },
      { metric: 'tx.failed_share', label: 'Failed' },
    ],
    charts: usageCharts,
  },
  {
    key: 'money',
    label: 'Money',
    question: 'How much value is on the layer, in which protocols, in whose custody, and is it growing?',
    panels: ['custody', 'protocols', 'stables', 'bridges'],
    kpis: moneyKpis,
    charts: [...moneyCharts, ...bridgeCharts(layer)],
  },
  {
    key: 'economy',
    label: 'Economy',
    question: 'What do users pay, who earns by it, and how much work does the chain do for it?',
    panels: [],
    kpis: [
      { metric: 'rev.total', label: 'Fees for block space, day' },
      { metric: 'dex.volume', label: 'DEX volume, day' },
      { metric: 'revenue.apps', label: 'Revenue of applications, day' },
      { metric: 'fees.total', label: 'Fees, day' },
      { metric: 'fees.median_tx', label: 'Median fee' },
      ...(layer.hasL1Fee ? [{ metric: 'fees.l1_data', label: 'L1 data fees, day' }] : []),
      { metric: 'chain.throughput', label: 'Gas a second' },
      { metric: 'blocks.count', label: 'Blocks, day' },
    ],
    charts: [
      {
        id: 'fees',
        title: 'Fees paid',
        kind: 'bars',
        wide: true,
        lines: [{ metric: 'fees.total', label: 'Fees' }],
      },
      {
        id: 'median',
        title: 'Median fee',
        kind: 'line',
        lines: [{ metric: 'fees.median_tx', label: 'Median' }],
      },
      ...(layer.hasL1Fee
        ? ([
            {
              id: 'l1data',
              title: 'L1 data fees',
              kind: 'bars',
              lines: [{ metric: 'fees.l1_data', label: 'L1 data' }],
              note: 'A part of the fees above.',
            },
          ] as const)
        : []),
      {
        id: 'throughput',
        title: 'Gas used a second',
        kind: 'line',
        lines: [{ metric: 'chain.throughput', label: 'Gas' }],
      },
      {
        id: 'blocktime',
        title: 'Block time',
        kind: 'line',
        lines: [{ metric: 'chain.block_time', keys: ['median', 'mean'] }],
      },
      { id: 'blocks', title: 'Blocks', kind: 'bars', lines: [{ metric: 'blocks.count', label: 'Blocks' }] },
      ...revenueCharts,
    ],
  },
  {
    key: 'bitcoin',
    label: 'Bitcoin footprint',
    question: 'What does the layer do on Bitcoin, and how does bitcoin get in and out?',
    panels: ['about', 'reserve', 'bridges', 'headers'],
    kpis:
      layer.id === 'rootstock'
        ? [
            { metric: 'merge_mining.share', label: 'Merge-mining share' },
            { metric: 'merge_mining.tagged', label: 'Own blocks committed to' },
            { metric: 'bridge.in', label: 'Inflow (24h)' },
            { metric: 'bridge.out', label: 'Outflow (24h)' },
          ]
        : layer.id === 'core'
          ? [
              { metric: 'merge_mining.share', label: 'Hash power lent' },
              { metric: 'stake.new', label: 'Newly staked, day' },
              { metric: 'l1.tx', label: 'Transactions on Bitcoin, day' },
            ]
          : [],
    charts: footprintCharts(layer),
  },
  {
    key: 'contracts',
    label: 'Contracts',
    question: 'Which contracts are called, and which are new?',
    panels: ['hot', 'newest', 'dapps', 'tokens'],
    kpis: [
      { metric: 'contracts.active', label: 'Active contracts, day' },
      { metric: 'contracts.deployed', label: 'Contracts deployed, day' },
      { metric: 'contracts.growth', label: 'Contracts so far' },
    ],
    charts: [
      {
        id: 'calls',
        title: 'Calls by contract',
        kind: 'stacked',
        wide: true,
        lines: [{ metric: 'calls.by_contract' }],
        most: 8,
      },
    ],
  },
  {
    key: 'builders',
    label: 'Builders',
    question: 'Who builds on the layer, and does what is built get used?',
    panels: [],
    kpis: [
      { metric: 'dev.monthly', label: 'Developers, 28 days' },
      { metric: 'contracts.deployers', label: 'Deployers, day' },
      { metric: 'contracts.deployed', label: 'Contracts deployed, day' },
      { metric: 'contracts.active', label: 'Active contracts, day' },
    ],
    charts: [
      {
        id: 'developers',
        title: 'Developers of its code',
        kind: 'line',
        wide: true,
        lines: [
          { metric: 'dev.monthly', label: 'In 28 days' },
          { metric: 'dev.full_time', label: 'Of these, full-time' },
        ],
        note: 'Commit authors in the layer’s cataloged repositories, without bots and copied history. See Developer Activity for the method.',
      },
      {
        id: 'deployed',
        title: 'Contracts deployed',
        kind: 'stacked',
        wide: true,
        lines: [{ metric: 'contracts.deployed', labels: MADE_LABELS }],
      },
      {
        id: 'deployers',
        title: 'Deployers',
        kind: 'area',
        lines: [{ metric: 'contracts.deployers', label: 'Deployers' }],
      },
      {
        id: 'growth',
        title: 'Contracts deployed, cumulative',
        kind: 'area',
        lines: [{ metric: 'contracts.growth', label: 'Contracts' }],
      },
    ],
  },
  {
    key: 'trust',
    label: 'Trust',
    question: 'What must be trusted, what is verified here, and what is self-reported by the layer?',
    panels: ['trust', 'proofs', 'reserve', 'keys', 'bridges', 'incidents', 'links'],
    kpis: [],
    charts: [],
  },
]

const MADE_LABELS = {
  transaction: 'by transactions',
  create: 'by contracts',
  create2: 'by contracts, CREATE2',
}

export const tabOf = (layer: SiteLayer, key: string | null): LayerTab => {
  const tabs = tabsOf(layer)
  return tabs.find(tab => tab.key === key) ?? tabs[0]
}
