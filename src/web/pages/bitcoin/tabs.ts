import type { ChartSpec } from '../../blocks/ChartCard.tsx'

/** What stands on each tab of `/bitcoin`, as data: figures, charts and panels by metric id. The catalogue decides what is drawn. */

export type LineSpec = {
  metric: string
  label?: string
  /** Values of the breakdown to draw, in order; left out: all of them. */
  keys?: readonly string[]
  labels?: Readonly<Record<string, string>>
}

export type TabChart = ChartSpec & {
  lines: readonly LineSpec[]
  /** Lines beyond this many, by their weight in the range, are summed as "Others". */
  most?: number
}

export const PANELS = ['blocks', 'halving', 'epoch', 'pools'] as const
export type Panel = (typeof PANELS)[number]

export type Tab = {
  key: string
  label: string
  question: string
  kpis: readonly { metric: string; label: string; key?: string }[]
  charts: readonly TabChart[]
  panels: readonly Panel[]
}

export const ENTITY = 'bitcoin'

const PERCENTILES = { p10: '10 %', p25: '25 %', p50: 'median', p75: '75 %', p90: '90 %' }
const AGE_BANDS = [
  '<1d',
  '1d-1w',
  '1w-1m',
  '1m-3m',
  '3m-6m',
  '6m-12m',
  '1y-2y',
  '2y-3y',
  '3y-5y',
  '5y-7y',
  '7y-10y',
  '>10y',
]

export const TABS: readonly [Tab, ...Tab[]] = [
  {
    key: 'overview',
    label: 'Overview',
    question: 'What does block space cost, who secures it, and what is it used for?',
    kpis: [
      { metric: 'token.price', label: 'Price' },
      { metric: 'fees.total', label: 'Fees, day' },
      { metric: 'fees.median_tx', label: 'Median fee' },
      { metric: 'miners.hashrate', label: 'Hashrate' },
      { metric: 'tx.count', label: 'Transactions, day' },
      { metric: 'addresses.active', label: 'Active addresses' },
    ],
    charts: [
      {
        id: 'price',
        title: 'Price',
        kind: 'area',
        wide: true,
        lines: [{ metric: 'token.price', label: 'Bitcoin' }],
        defaults: { scale: 'linear' },
      },
      { id: 'fees', title: 'Fees paid', kind: 'bars', lines: [{ metric: 'fees.total', label: 'Fees' }] },
      {
        id: 'hashrate',
        title: 'Hashrate',
        kind: 'area',
        lines: [{ metric: 'miners.hashrate', label: 'Hashrate' }],
      },
      {
        id: 'transactions',
        title: 'Transactions',
        kind: 'area',
        lines: [{ metric: 'tx.count', label: 'Transactions' }],
      },
      {
        id: 'addresses',
        title: 'Active addresses',
        kind: 'area',
        lines: [{ metric: 'addresses.active', label: 'Addresses' }],
      },
    ],
    panels: ['halving', 'epoch', 'blocks'],
  },
  {
    key: 'blocks',
    label: 'Blocks',
    question: 'How full are blocks, how fast do they come, and who finds them?',
    kpis: [
      { metric: 'blocks.count', label: 'Blocks, day' },
      { metric: 'blocks.interval', label: 'Mean interval', key: 'mean' },
      { metric: 'blocks.weight_fill', label: 'Weight used' },
      { metric: 'blocks.empty', label: 'Empty blocks' },
      { metric: 'blocks.stale', label: 'Stale blocks' },
    ],
    charts: [
      {
        id: 'count',
        title: 'Blocks',
        kind: 'bars',
        lines: [{ metric: 'blocks.count', label: 'Blocks' }],
        note: 'At ten minutes a block a day has 144.',
      },
      {
        id: 'interval',
        title: 'Time between blocks',
        kind: 'line',
        lines: [{ metric: 'blocks.interval', labels: { mean: 'Mean', median: 'Median' } }],
        note: 'Arrivals are a Poisson process: the median lies near 416 s even when the mean is 600 s.',
      },
      {
        id: 'fill',
        title: 'Weight used',
        kind: 'area',
        lines: [{ metric: 'blocks.weight_fill', label: 'Fill' }],
      },
      {
        id: 'empty',
        title: 'Empty and stale blocks',
        kind: 'line',
        lines: [
          { metric: 'blocks.empty', label: 'Empty' },
          { metric: 'blocks.stale', label: 'Stale' },
        ],
      },
    ],
    panels: ['blocks'],
  },
  {
    key: 'fees',
    label: 'Fees',
    question: 'What does it cost to be in the next block, and what share of miners’ pay is it?',
    kpis: [
      { metric: 'fees.rate', label: 'Median rate', key: 'p50' },
      { metric: 'fees.median_tx', label: 'Median fee' },
      { metric: 'fees.total', label: 'Fees, day' },
      { metric: 'fees.share', label: 'Share of revenue' },
      { metric: 'mempool.count', label: 'Waiting' },
    ],
    charts: [
      {
        id: 'rate',
        title: 'Fee rate',
        kind: 'band',
        wide: true,
        lines: [{ metric: 'fees.rate', keys: ['p10', 'p25', 'p50', 'p75', 'p90'], labels: PERCENTILES }],
        defaults: { scale: 'log' },
      },
      { id: 'fees', title: 'Fees paid', kind: 'bars', lines: [{ metric: 'fees.total', label: 'Fees' }] },
      {
        id: 'median',
        title: 'Median fee of a transaction',
        kind: 'line',
        lines: [{ metric: 'fees.median_tx', label: 'Median' }],
      },
      {
        id: 'share',
        title: 'Fees in miners’ revenue',
        kind: 'area',
        lines: [{ metric: 'fees.share', label: 'Share' }],
      },
      {
        id: 'confirm',
        title: 'Confirmed in time, by rate',
        kind: 'line',
        lines: [{ metric: 'fees.confirm' }],
      },
      {
        id: 'mempool',
        title: 'Waiting transactions',
        kind: 'area',
        lines: [{ metric: 'mempool.count', label: 'Waiting' }],
      },
      {
        id: 'ladder',
        title: 'Fee ladder of the mempool',
        kind: 'stacked',
        lines: [{ metric: 'mempool.fee_ladder' }],
        most: 9,
      },
    ],
    panels: [],
  },
  {
    key: 'mining',
    label: 'Mining',
    question: 'Who secures the chain, what are they paid, and how concentrated are they?',
    kpis: [
      { metric: 'miners.hashrate', label: 'Hashrate' },
      { metric: 'miners.difficulty', label: 'Difficulty' },
      { metric: 'miners.next_adjustment', label: 'Next adjustment' },
      { metric: 'miners.hashprice', label: 'Hashprice' },
      { metric: 'miners.revenue', label: 'Revenue, day' },
      { metric: 'miners.pool_concentration', label: 'Pools with half the blocks', key: 'n' },
    ],
    charts: [
      {
        id: 'hashrate',
        title: 'Hashrate',
        kind: 'area',
        wide: true,
        lines: [{ metric: 'miners.hashrate', label: 'Hashrate' }],
      },
      {
        id: 'difficulty',
        title: 'Difficulty',
        kind: 'area',
        lines: [{ metric: 'miners.difficulty', label: 'Difficulty' }],
      },
      {
        id: 'hashprice',
        title: 'Hashprice',
        kind: 'line',
        lines: [{ metric: 'miners.hashprice', label: 'Hashprice' }],
      },
      {
        id: 'revenue',
        title: 'Miners’ revenue',
        kind: 'stacked',
        lines: [
          { metric: 'miners.subsidy_claimed', label: 'Subsidy' },
          { metric: 'fees.total', label: 'Fees' },
        ],
      },
      {
        id: 'pools',
        title: 'Blocks by pool',
        kind: 'stacked',
        defaults: { grain: 'week' },
        lines: [{ metric: 'miners.pool_share' }],
        most: 9,
        note: 'By coinbase tag before payout address; blocks that no rule matches stay visible as unknown.',
      },
      {
        id: 'concentration',
        title: 'Concentration of pools',
        kind: 'line',
        lines: [
          { metric: 'miners.pool_concentration', keys: ['hhi'], labels: { hhi: 'Sum of squared shares' } },
        ],
      },
      {
        id: 'luck',
        defaults: { grain: 'week' },
        title: 'Pools’ luck',
        kind: 'line',
        lines: [{ metric: 'miners.pool_luck' }],
        most: 6,
      },
      {
        id: 'emptyblocks',
        defaults: { grain: 'week' },
        title: 'Empty blocks by pool',
        kind: 'stacked',
        lines: [{ metric: 'miners.pool_empty' }],
        most: 6,
      },
    ],
    panels: ['epoch', 'halving', 'pools'],
  },
  {
    key: 'activity',
    label: 'Activity',
    question: 'How many use the chain, what do they move, and in which form?',
    kpis: [
      { metric: 'tx.count', label: 'Transactions, day' },
      { metric: 'addresses.active', label: 'Active addresses' },
      { metric: 'value.transferred_adjusted', label: 'Value moved' },
      { metric: 'tx.batching', label: 'Outputs a transaction' },
      { metric: 'tx.segwit_share', label: 'Segwit inputs' },
      { metric: 'tx.taproot_share', label: 'Taproot inputs' },
    ],
    charts: [
      {
        id: 'transactions',
        title: 'Transactions',
        kind: 'area',
        wide: true,
        lines: [{ metric: 'tx.count', label: 'Transactions' }],
      },
      {
        id: 'addresses',
        title: 'Active and new addresses',
        kind: 'line',
        lines: [
          { metric: 'addresses.active', label: 'Active' },
          { metric: 'addresses.new', label: 'New' },
        ],
      },
      {
        id: 'value',
        title: 'Value moved',
        kind: 'line',
        lines: [
          { metric: 'value.transferred', label: 'All outputs' },
          { metric: 'value.transferred_adjusted', label: 'Without returned change' },
        ],
        defaults: { scale: 'log' },
      },
      {
        id: 'types',
        title: 'Outputs by type',
        kind: 'stacked',
        lines: [{ metric: 'outputs.by_type' }],
        most: 9,
      },
      {
        id: 'witness',
        title: 'Segwit and taproot inputs',
        kind: 'line',
        lines: [
          { metric: 'tx.segwit_share', label: 'Segwit' },
          { metric: 'tx.taproot_share', label: 'Taproot' },
        ],
      },
      {
        id: 'batching',
        title: 'Outputs a transaction',
        kind: 'line',
        lines: [{ metric: 'tx.batching', label: 'Outputs' }],
      },
      {
        id: 'size',
        title: 'Block space used',
        kind: 'bars',
        lines: [{ metric: 'tx.vbytes', label: 'Virtual bytes' }],
      },
      {
        id: 'rbf',
        title: 'Transactions that signal replacement',
        kind: 'line',
        lines: [{ metric: 'tx.rbf_share', label: 'BIP-125' }],
        note: 'Means little since nodes replace without a signal.',
      },
    ],
    panels: [],
  },
  {
    key: 'utxo',
    label: 'UTXO',
    question: 'How many coins lie unspent, how old are they, and which of them move?',
    kpis: [
      { metric: 'utxo.count', label: 'Unspent outputs' },
      { metric: 'supply.issued', label: 'Issued' },
      { metric: 'supply.inflation', label: 'Inflation, year' },
      { metric: 'coin.days_destroyed', label: 'Coin days destroyed' },
      { metric: 'addresses.funded', label: 'Funded addresses', key: '>=0.01' },
    ],
    charts: [
      {
        id: 'count',
        title: 'Unspent outputs',
        kind: 'area',
        wide: true,
        lines: [{ metric: 'utxo.count', label: 'Outputs' }],
      },
      {
        id: 'ages',
        title: 'Coins by age',
        kind: 'stacked',
        lines: [{ metric: 'utxo.age_bands', keys: AGE_BANDS }],
        defaults: { mode: 'share' },
      },
      {
        id: 'values',
        title: 'Outputs by value',
        kind: 'stacked',
        lines: [{ metric: 'utxo.by_value' }],
        most: 10,
      },
      {
        id: 'destroyed',
        title: 'Coin days destroyed',
        kind: 'bars',
        lines: [{ metric: 'coin.days_destroyed', label: 'Coin days' }],
      },
      {
        id: 'dormancy',
        title: 'Dormancy',
        kind: 'line',
        lines: [{ metric: 'coin.dormancy', label: 'Days a coin lay still' }],
      },
      {
        id: 'funded',
        title: 'Funded addresses',
        kind: 'line',
        lines: [{ metric: 'addresses.funded' }],
        defaults: { scale: 'log' },
      },
      {
        id: 'supply',
        title: 'Supply',
        kind: 'line',
        lines: [
          { metric: 'supply.scheduled', label: 'Scheduled' },
          { metric: 'supply.issued', label: 'Issued' },
          { metric: 'supply.spendable', label: 'Spendable' },
        ],
      },
      {
        id: 'inflation',
        title: 'Inflation, trailing year',
        kind: 'area',
        lines: [{ metric: 'supply.inflation', label: 'Inflation' }],
      },
    ],
    panels: ['halving'],
  },
  {
    key: 'valuation',
    label: 'Valuation',
    question: 'What did holders pay for their coins, and are they in profit?',
    kpis: [
      { metric: 'token.price', label: 'Price' },
      { metric: 'cap.market', label: 'Market cap' },
      { metric: 'cap.realised_price', label: 'Realised price' },
      { metric: 'cap.mvrv', label: 'MVRV' },
      { metric: 'supply.in_profit', label: 'Coins in profit' },
      { metric: 'cap.sopr', label: 'SOPR' },
    ],
    charts: [
      {
        id: 'price',
        title: 'Price and realised price',
        kind: 'line',
        wide: true,
        lines: [
          { metric: 'token.price', label: 'Price' },
          { metric: 'cap.realised_price', label: 'Realised price' },
        ],
        defaults: { scale: 'log' },
      },
      {
        id: 'caps',
        title: 'Market and realised cap',
        kind: 'line',
        lines: [
          { metric: 'cap.market', label: 'Market' },
          { metric: 'cap.realised', label: 'Realised' },
        ],
        defaults: { scale: 'log' },
      },
      { id: 'mvrv', title: 'MVRV', kind: 'line', lines: [{ metric: 'cap.mvrv', label: 'MVRV' }] },
      { id: 'mvrvz', title: 'MVRV, Z-score', kind: 'line', lines: [{ metric: 'cap.mvrv_z', label: 'Z' }] },
      {
        id: 'nupl',
        title: 'Net unrealised profit and loss',
        kind: 'area',
        lines: [{ metric: 'cap.nupl', label: 'NUPL' }],
      },
      {
        id: 'sopr',
        title: 'Spent output profit ratio',
        kind: 'line',
        lines: [
          { metric: 'cap.sopr', label: 'SOPR' },
          { metric: 'cap.sopr_adjusted', label: 'Older than an hour' },
        ],
      },
      {
        id: 'nvt',
        title: 'Network value to transactions',
        kind: 'line',
        lines: [{ metric: 'cap.nvt', label: 'NVT' }],
      },
      {
        id: 'profit',
        title: 'Coins in profit',
        kind: 'area',
        lines: [{ metric: 'supply.in_profit', label: 'In profit' }],
      },
      {
        id: 'realisedbands',
        title: 'Realised value by age',
        kind: 'stacked',
        lines: [{ metric: 'cap.realised_bands', keys: AGE_BANDS }],
        defaults: { mode: 'share' },
      },
      {
        id: 'etf',
        title: 'Flows of US spot ETFs',
        kind: 'bars',
        lines: [{ metric: 'etf.flow', label: 'Net flow', keys: ['total'] }],
      },
    ],
    panels: [],
  },
  {
    key: 'data',
    label: 'Data',
    question: 'How much of the chain carries data, and whose?',
    kpis: [
      { metric: 'data.inscriptions', label: 'Inscriptions, day' },
      { metric: 'data.inscription_bytes', label: 'Inscribed, day' },
      { metric: 'data.runes', label: 'Runestones, day' },
      { metric: 'data.op_return_bytes', label: 'OP_RETURN, day' },
    ],
    charts: [
      {
        id: 'protocols',
        title: 'Transactions by protocol',
        kind: 'stacked',
        wide: true,
        lines: [{ metric: 'data.by_protocol' }],
        most: 9,
        note: 'A transaction that matches several protocols is counted once, by a fixed priority.',
      },
      {
        id: 'inscriptions',
        title: 'Inscriptions',
        kind: 'bars',
        lines: [{ metric: 'data.inscriptions', label: 'Inscriptions' }],
      },
      {
        id: 'inscribed',
        title: 'Inscribed bytes',
        kind: 'bars',
        lines: [{ metric: 'data.inscription_bytes', label: 'Bytes' }],
      },
      {
        id: 'runes',
        title: 'Runestones',
        kind: 'bars',
        lines: [{ metric: 'data.runes', label: 'Runestones' }],
      },
      {
        id: 'opreturn',
        title: 'OP_RETURN bytes',
        kind: 'bars',
        lines: [{ metric: 'data.op_return_bytes', label: 'Bytes' }],
      },
    ],
    panels: [],
  },
  {
    key: 'layers',
    label: 'Layers on Bitcoin',
    question: 'What do layers do on Bitcoin, and what do they pay for it?',
    kpis: [
      { metric: 'l1.tx', label: 'Transactions of layers' },
      { metric: 'l1.fees', label: 'Fees of layers' },
      { metric: 'l1.share_of_blockspace', label: 'Share of block space' },
      { metric: 'merge_mining.share', label: 'Merge-mined blocks' },
    ],
    charts: [
      {
        id: 'bytes',
        title: 'Block space by layer',
        kind: 'stacked',
        wide: true,
        lines: [{ metric: 'l1.vbytes' }],
        most: 9,
      },
      {
        id: 'fees',
        title: 'Fees paid to Bitcoin by layer',
        kind: 'stacked',
        lines: [{ metric: 'l1.fees' }],
        most: 9,
      },
      { id: 'tx', title: 'Transactions by layer', kind: 'stacked', lines: [{ metric: 'l1.tx' }], most: 9 },
      {
        id: 'value',
        title: 'Value moved by layers',
        kind: 'stacked',
        lines: [{ metric: 'l1.value' }],
        most: 9,
      },
      { id: 'merge', title: 'Merge-mined blocks', kind: 'line', lines: [{ metric: 'merge_mining.share' }] },
      { id: 'stake', title: 'Bitcoin staked by scripts', kind: 'line', lines: [{ metric: 'stake.btc' }] },
    ],
    panels: [],
  },
  {
    key: 'lightning',
    label: 'Lightning',
    question: 'How large is the public Lightning network?',
    kpis: [
      { metric: 'lightning.capacity', label: 'Capacity' },
      { metric: 'lightning.channels', label: 'Channels' },
      { metric: 'lightning.nodes', label: 'Nodes' },
    ],
    charts: [
      {
        id: 'capacity',
        title: 'Capacity',
        kind: 'area',
        wide: true,
        lines: [{ metric: 'lightning.capacity', label: 'Capacity' }],
        note: 'Announced channels only; private ones cannot be seen.',
      },
      {
        id: 'channels',
        title: 'Channels',
        kind: 'line',
        lines: [{ metric: 'lightning.channels', label: 'Channels' }],
      },
      { id: 'nodes', title: 'Nodes', kind: 'line', lines: [{ metric: 'lightning.nodes', label: 'Nodes' }] },
    ],
    panels: [],
  },
]

export const tabOf = (key: string | null): Tab => TABS.find(tab => tab.key === key) ?? TABS[0]
