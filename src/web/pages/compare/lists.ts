/** What the compare page can show, as lists: a metric that the registry does not have is left out, wherever it stands. */

/** The networks of the sidebar, in its order. */
export const NETWORKS = [
  'bitcoin',
  'stacks',
  'rootstock',
  'bob',
  'merlin',
  'bitlayer',
  'b2-network',
  'core',
] as const

/** Lines that a chart can show without becoming a thicket. */
export const MOST_LAYERS = 10

export type ColumnSpec = {
  /** Of the address, the CSV and the API: `metric` or `metric:grain`. */
  key: string
  label: string
  /** Said where a pointer rests, and to those who listen. */
  title?: string
  /** How its rows come to a last row: a plain sum, or none where a sum means nothing. */
  total?: 'sum'
  /** Columns of the set that it is a ratio of. */
  ratio?: { of: string; by: string }
  /** Figures of which a small one is the better: ranks run the other way. */
  smallFirst?: boolean
  /** Shown only when the reader picks it. */
  isOptional?: boolean
}

export type ColumnSet = {
  key: string
  label: string
  /** What its rows are sorted by, and whose thirty days the last column draws. */
  lead: string
  columns: readonly ColumnSpec[]
}

const BTC_BRIDGED: ColumnSpec = {
  key: 'btc.bridged',
  label: 'BTC bridged',
  title: 'Bitcoin and bitcoin-backed tokens on the layer',
  total: 'sum',
}

/** Graded by publishers: in short beside every set of columns, in words in a set of its own. */
export const RISKS = ['risk.custody', 'risk.data', 'risk.operators', 'risk.finality'] as const

export const COLUMN_SETS: readonly [ColumnSet, ...ColumnSet[]] = [
  {
    key: 'money',
    label: 'Money',
    lead: 'tvl.total',
    columns: [
      {
        key: 'tvl.total',
        label: 'TVL',
        title: 'Value in the protocols of the layer, as DefiLlama counts',
        total: 'sum',
      },
      BTC_BRIDGED,
      { key: 'stables.cap', label: 'Stables', title: 'Stablecoins on the layer', total: 'sum' },
      { key: 'dex.volume', label: 'DEX volume', title: 'Of the UTC day', total: 'sum' },
      { key: 'fees.chain_usd', label: 'Fees', title: 'Paid for transactions of the UTC day', total: 'sum' },
      { key: 'revenue.apps', label: 'App revenue', total: 'sum', isOptional: true },
      { key: 'revenue.chain', label: 'Chain revenue', total: 'sum', isOptional: true },
      { key: 'tvs.total', label: 'Value secured', title: 'As L2BEAT counts', total: 'sum', isOptional: true },
      { key: 'token.price', label: 'Token', isOptional: true },
      { key: 'token.mcap', label: 'Token cap' },
      {
        key: 'token.mcap_tvl',
        label: 'Cap ÷ TVL',
        smallFirst: true,
        ratio: { of: 'token.mcap', by: 'tvl.total' },
      },
      { key: 'token.fdv', label: 'Token, diluted', isOptional: true },
    ],
  },
  {
    key: 'usage',
    label: 'Usage',
    lead: 'tx.count',
    columns: [
      { key: 'tx.count', label: 'Transactions', title: 'Of the UTC day', total: 'sum' },
      { key: 'addresses.senders', label: 'Senders, day' },
      { key: 'addresses.senders:week', label: 'Senders, week' },
      { key: 'addresses.senders:month', label: 'Senders, month' },
      { key: 'addresses.new', label: 'New senders', isOptional: true },
      { key: 'fees.median_tx', label: 'Median fee', title: 'Of a transaction, in the coin it is paid in' },
      { key: 'fees.total', label: 'Fees', title: 'Of the UTC day, in the coin they are paid in' },
      { key: 'tx.failed_share', label: 'Failed', smallFirst: true, isOptional: true },
      { key: 'chain.block_time', label: 'Block time', smallFirst: true, isOptional: true },
    ],
  },
  {
    key: 'bitcoin',
    label: 'Bitcoin footprint',
    lead: 'l1.fees',
    columns: [
      BTC_BRIDGED,
      { key: 'peg.reserve', label: 'Reserve', title: 'Bitcoin that backs the peg, on Bitcoin', total: 'sum' },
      { key: 'peg.supply', label: 'Supply', title: 'Of the token that the peg gives', total: 'sum' },
      {
        key: 'peg.ratio',
        label: 'Peg ratio',
        title: 'Reserve ÷ supply',
        ratio: { of: 'peg.reserve', by: 'peg.supply' },
      },
      { key: 'l1.fees', label: 'L1 fees', title: 'Paid to Bitcoin in the UTC day', total: 'sum' },
      {
        key: 'l1.vbytes',
        label: 'L1 space',
        title: 'Virtual bytes of its transactions on Bitcoin',
        total: 'sum',
      },
      { key: 'l1.tx', label: 'L1 transactions', total: 'sum' },
      { key: 'l1.share_of_blockspace', label: 'Share of space', isOptional: true },
      { key: 'l1.cost_per_tx', label: 'Cost each', isOptional: true },
      { key: 'merge_mining.share', label: 'Merge-mined', title: 'Share of Bitcoin’s blocks' },
      { key: 'stake.btc', label: 'BTC staked', total: 'sum' },
    ],
  },
  {
    key: 'risk',
    label: 'Risk',
    lead: 'btc.bridged',
    columns: [
      { key: 'risk.custody', label: 'Who holds the bitcoin', smallFirst: true },
      { key: 'risk.data', label: 'Where the data is', smallFirst: true },
      { key: 'risk.operators', label: 'Who makes blocks', smallFirst: true },
      { key: 'risk.finality', label: 'What makes it final', smallFirst: true },
      BTC_BRIDGED,
    ],
  },
  {
    key: 'build',
    label: 'Build',
    lead: 'contracts.deployed',
    columns: [
      { key: 'dev.monthly', label: 'Developers', title: 'Distinct authors in 28 days' },
      { key: 'contracts.deployed', label: 'New contracts', total: 'sum' },
      { key: 'contracts.known', label: 'Contracts', total: 'sum' },
      { key: 'contracts.active', label: 'Contracts in use', total: 'sum' },
      { key: 'contracts.deployers', label: 'Deployers' },
    ],
  },
]

export const setOf = (key: string): ColumnSet => COLUMN_SETS.find(set => set.key === key) ?? COLUMN_SETS[0]

export type ChartGroup = { label: string; metrics: readonly { id: string; label: string }[] }

/** What the chart can compare. */
export const CHART_GROUPS: readonly ChartGroup[] = [
  {
    label: 'Money',
    metrics: [
      { id: 'tvl.total', label: 'TVL' },
      { id: 'tvs.total', label: 'Value secured' },
      { id: 'tvl.constant_price', label: 'TVL at constant price' },
      { id: 'inflow.usd', label: 'Inflow' },
      { id: 'stables.cap', label: 'Stablecoins' },
      { id: 'dex.volume', label: 'DEX volume' },
      { id: 'fees.chain_usd', label: 'Fees paid' },
      { id: 'revenue.chain', label: 'Chain revenue' },
      { id: 'revenue.apps', label: 'App revenue' },
      { id: 'token.price', label: 'Token price' },
      { id: 'token.mcap', label: 'Token cap' },
      { id: 'token.fdv', label: 'Token, diluted' },
      { id: 'token.volume', label: 'Token volume' },
    ],
  },
  {
    label: 'Usage',
    metrics: [
      { id: 'tx.count', label: 'Transactions' },
      { id: 'addresses.senders', label: 'Senders' },
      { id: 'addresses.new', label: 'New senders' },
      { id: 'fees.total', label: 'Fees, own coin' },
      { id: 'fees.median_tx', label: 'Median fee' },
      { id: 'tx.failed_share', label: 'Failed share' },
      { id: 'chain.block_time', label: 'Block time' },
    ],
  },
  {
    label: 'Bitcoin footprint',
    metrics: [
      { id: 'btc.bridged', label: 'BTC bridged' },
      { id: 'peg.reserve', label: 'Peg reserve' },
      { id: 'peg.supply', label: 'Peg supply' },
      { id: 'peg.ratio', label: 'Peg ratio' },
      { id: 'l1.fees', label: 'Fees to Bitcoin' },
      { id: 'l1.vbytes', label: 'Space on Bitcoin' },
      { id: 'l1.tx', label: 'Transactions on Bitcoin' },
      { id: 'l1.share_of_blockspace', label: 'Share of block space' },
      { id: 'l1.cost_per_tx', label: 'Cost on Bitcoin' },
      { id: 'l1.value', label: 'Value on Bitcoin' },
      { id: 'merge_mining.share', label: 'Merge-mined' },
      { id: 'stake.btc', label: 'BTC staked' },
    ],
  },
  {
    label: 'Build',
    metrics: [
      { id: 'contracts.deployed', label: 'New contracts' },
      { id: 'contracts.active', label: 'Contracts in use' },
    ],
  },
]

export const CHART_METRICS = CHART_GROUPS.flatMap(({ metrics }) => metrics)

/** What a figure can be told by: the divisor, and the unit that it gives. */
export const DIVISORS = {
  user: {
    metric: 'addresses.senders',
    unit: 'user',
    label: 'Per user',
    of: 'senders',
  },
  tvl: {
    metric: 'tvl.total',
    unit: '$ of TVL',
    label: 'Per $ of TVL',
    of: 'TVL',
  },
} as const
export type Divisor = keyof typeof DIVISORS

/** Metrics whose moves over a week mean something, for "what changed". */
export const MOVING = [
  'tvl.total',
  'btc.bridged',
  'stables.cap',
  'token.price',
  'dex.volume:week',
  'tx.count:week',
  'addresses.senders:week',
  'l1.fees:week',
]

/** What the chart shows by default: the first of these that the registry has. */
export const LEADS = ['tvl.total', 'btc.bridged', 'tx.count'] as const

/** Levels that say nothing beside each other: they begin at one hundred unless asked for as they are. */
export const INDEXED: ReadonlySet<string> = new Set(['token.price'])

/** Within reach of one click. */
export const QUICK = [
  'tvl.total',
  'btc.bridged',
  'stables.cap',
  'token.price',
  'tx.count',
  'l1.fees',
] as const

/** What a scatter sets a metric against unless asked for another. */
export const AGAINST = ['tvl.total', 'stables.cap'] as const
