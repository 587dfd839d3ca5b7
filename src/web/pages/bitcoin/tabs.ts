import type { ChartSpec, ChartSwitch, LineSpec } from '../../blocks/chart/chartSpec.ts'

/** What stands on each tab of `/bitcoin`, as data: figures, charts and panels by metric id. The catalogue decides what is drawn. */

const PANELS = ['blocks', 'decoded', 'halving', 'epoch', 'pools'] as const
export type Panel = (typeof PANELS)[number]

export type Tab = {
  key: string
  label: string
  question: string
  kpis: readonly { metric: string; label: string; entity?: string }[]
  charts: readonly ChartSpec[]
  panels: readonly Panel[]
}

export const ENTITY = 'bitcoin'

const PERCENTILES = { p10: '10 %', p25: '25 %', p50: 'median', p75: '75 %', p90: '90 %' }
const PERCENTILE_KEYS = ['p10', 'p25', 'p50', 'p75', 'p90']

const AGES = {
  '<1d': 'under a day',
  '1d-1w': 'a day to a week',
  '1w-1m': 'a week to a month',
  '1m-3m': '1 to 3 months',
  '3m-6m': '3 to 6 months',
  '6m-12m': '6 to 12 months',
  '1y-2y': '1 to 2 years',
  '2y-3y': '2 to 3 years',
  '3y-5y': '3 to 5 years',
  '5y-7y': '5 to 7 years',
  '7y-10y': '7 to 10 years',
  '>10y': 'over 10 years',
}

/** Bands of value by powers of ten in satoshis, from 10,000 sat up; smaller ones are summed as "others". */
const VALUES = {
  '1e4': '0.0001 to 0.001 BTC',
  '1e5': '0.001 to 0.01 BTC',
  '1e6': '0.01 to 0.1 BTC',
  '1e7': '0.1 to 1 BTC',
  '1e8': '1 to 10 BTC',
  '1e9': '10 to 100 BTC',
  '1e10': '100 to 1,000 BTC',
  '1e11': '1,000 to 10,000 BTC',
}

const BALANCES = {
  '>=0.01': '0.01 BTC and more',
  '>=0.1': '0.1 BTC and more',
  '>=1': '1 BTC and more',
  '>=10': '10 BTC and more',
  '>=100': '100 BTC and more',
  '>=1000': '1,000 BTC and more',
  '>=10000': '10,000 BTC and more',
}

/** Pools that found more than a fiftieth of the blocks of 2025, and what merging makes of some. */
const LARGE_POOLS = [
  'Foundry USA',
  'AntPool',
  'AntPool and proxies',
  'ViaBTC',
  'F2Pool',
  'MARA Pool',
  'SpiderPool',
  'SECPOOL',
  'Luxor',
  'unknown',
]

/** Rates offered, sat/vB, of what was in the next block. */
const CONFIRM = {
  '1@1-2': '1 to 2 sat/vB',
  '1@5-10': '5 to 10 sat/vB',
  '1@20-50': '20 to 50 sat/vB',
}
const CONFIRM_KEYS = Object.keys(CONFIRM)

const LAYERS = { stacks: 'Stacks', rootstock: 'Rootstock', babylon: 'Babylon', core: 'Core' } as const

/** Pools that hand out the templates of another: apart as they sign, or with it. */
const PROXIES: readonly ChartSwitch[] = [
  { name: 'merged_proxies', label: 'Proxies', off: 'Apart', on: 'Merged' },
]

/** The same metric of each of these layers. */
const ofLayers = (
  metric: string,
  layers: readonly (keyof typeof LAYERS)[] = ['stacks', 'rootstock', 'babylon', 'core'],
): LineSpec[] => layers.map(entity => ({ metric, entity, label: LAYERS[entity] }))

export const TABS: readonly [Tab, ...Tab[]] = [
  {
    key: 'overview',
    label: 'Overview',
    question: 'What does block space cost, who secures it, and what is it used for?',
    kpis: [
      { metric: 'price.close', label: 'Price' },
      { metric: 'fees.total', label: 'Fees, day' },
      { metric: 'fees.block_rate', label: 'Median fee rate' },
      { metric: 'miners.hashrate', label: 'Hashrate, 7 days' },
      { metric: 'tx.count', label: 'Transactions, day' },
      { metric: 'miners.hashprice', label: 'Hashprice, PH/s a day' },
    ],
    charts: [
      {
        id: 'price',
        title: 'Price',
        kind: 'area',
        wide: true,
        lines: [{ metric: 'price.close', label: 'Bitcoin' }],
      },
      { id: 'fees', title: 'Fees paid', kind: 'bars', lines: [{ metric: 'fees.total', label: 'Fees' }] },
      {
        id: 'hashrate',
        title: 'Hashrate',
        kind: 'area',
        lines: [{ metric: 'miners.hashrate', label: '7 days', keys: ['7d'], labels: { '7d': 'Hashrate' } }],
        note: 'Mean of seven days: one day is luck.',
      },
      {
        id: 'transactions',
        title: 'Transactions',
        kind: 'area',
        lines: [{ metric: 'tx.count', label: 'Transactions' }],
      },
      {
        id: 'rate',
        title: 'Fee rate, mean of blocks',
        kind: 'band',
        lines: [{ metric: 'fees.block_rate', keys: PERCENTILE_KEYS, labels: PERCENTILES }],
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
      { metric: 'blocks.interval', label: 'Mean interval' },
      { metric: 'blocks.weight_fill', label: 'Weight used' },
      { metric: 'blocks.empty', label: 'Empty blocks' },
      { metric: 'blocks.stale', label: 'Stale blocks' },
    ],
    charts: [
      {
        id: 'count',
        title: 'Blocks a day',
        kind: 'bars',
        lines: [{ metric: 'blocks.count', label: 'Blocks' }],
        note: 'At ten minutes a block a day has 144.',
      },
      {
        id: 'interval',
        title: 'Time between blocks',
        kind: 'line',
        lines: [
          { metric: 'blocks.interval', keys: ['mean', 'median'], labels: { mean: 'Mean', median: 'Median' } },
        ],
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
        title: 'Empty blocks',
        kind: 'bars',
        lines: [{ metric: 'blocks.empty', label: 'Empty' }],
      },
      {
        id: 'stale',
        title: 'Stale blocks',
        kind: 'bars',
        lines: [{ metric: 'blocks.stale', label: 'Stale' }],
        note: 'Those that somebody saw: a lower bound.',
      },
    ],
    panels: ['blocks'],
  },
  {
    key: 'fees',
    label: 'Fees',
    question: 'What does it cost to be in the next block, and what share of miners’ pay is it?',
    kpis: [
      { metric: 'fees.rate', label: 'Median rate' },
      { metric: 'fees.block_rate', label: 'Median rate, by block' },
      { metric: 'fees.total', label: 'Fees, day' },
      { metric: 'fees.share_claimable', label: 'Share of revenue' },
      { metric: 'mempool.fee_ladder', label: 'Rate for the next block' },
      { metric: 'mempool.count', label: 'Transactions waiting' },
    ],
    charts: [
      {
        id: 'blockrate',
        title: 'Fee rate, mean of blocks',
        kind: 'band',
        wide: true,
        lines: [{ metric: 'fees.block_rate', keys: PERCENTILE_KEYS, labels: PERCENTILES }],
        note: 'Percentiles of each block as its node states them, averaged: not those of the day.',
      },
      {
        id: 'rate',
        title: 'Fee rate',
        kind: 'band',
        lines: [{ metric: 'fees.rate', keys: PERCENTILE_KEYS, labels: PERCENTILES }],
        defaults: { scale: 'log' },
        note: 'Percentiles over all transactions of the day, by virtual size.',
      },
      { id: 'fees', title: 'Fees paid', kind: 'bars', lines: [{ metric: 'fees.total', label: 'Fees' }] },
      {
        id: 'share',
        title: 'Fees in what miners may claim',
        kind: 'area',
        lines: [{ metric: 'fees.share_claimable', label: 'Share' }],
      },
      {
        id: 'shareclaimed',
        title: 'Fees in what miners claimed',
        kind: 'area',
        lines: [{ metric: 'fees.share', label: 'Share' }],
      },
      {
        id: 'median',
        title: 'Median fee of a transaction',
        kind: 'line',
        lines: [{ metric: 'fees.median_tx', label: 'Median' }],
      },
      {
        id: 'ladder',
        title: 'Recommended fee rates',
        kind: 'line',
        lines: [
          {
            metric: 'mempool.fee_ladder',
            keys: ['fastest', 'half_hour', 'hour', 'economy', 'minimum'],
            labels: {
              fastest: 'next block',
              half_hour: 'half an hour',
              hour: 'an hour',
              economy: 'economy',
              minimum: 'minimum',
            },
          },
        ],
      },
      {
        id: 'mempool',
        title: 'Transactions waiting',
        kind: 'area',
        lines: [{ metric: 'mempool.count', label: 'Waiting' }],
      },
      {
        id: 'waiting',
        title: 'Virtual bytes waiting',
        kind: 'area',
        lines: [{ metric: 'mempool.vbytes', label: 'Waiting' }],
      },
      {
        id: 'waitingbytes',
        title: 'Bytes waiting',
        kind: 'area',
        lines: [{ metric: 'mempool.bytes', label: 'Waiting' }],
        note: 'Witnesses count in full here: no virtual bytes.',
      },
      {
        id: 'confirm',
        title: 'Confirmed in time, by rate',
        kind: 'line',
        lines: [{ metric: 'fees.confirm', keys: CONFIRM_KEYS, labels: CONFIRM }],
      },
    ],
    panels: [],
  },
  {
    key: 'mining',
    label: 'Mining',
    question: 'Who secures the chain, what are they paid, and how concentrated are they?',
    kpis: [
      { metric: 'miners.hashrate', label: 'Hashrate, 7 days' },
      { metric: 'miners.difficulty', label: 'Difficulty' },
      { metric: 'miners.next_adjustment', label: 'Next adjustment' },
      { metric: 'miners.hashprice', label: 'Hashprice, PH/s a day' },
      { metric: 'miners.claimable', label: 'Revenue, day' },
      { metric: 'miners.pool_luck', label: 'Luck of all pools' },
    ],
    charts: [
      {
        id: 'hashrate',
        title: 'Hashrate',
        kind: 'line',
        wide: true,
        lines: [
          { metric: 'miners.hashrate', keys: ['7d'], labels: { '7d': '7 days' } },
          { metric: 'miners.hashrate', keys: ['1d'], labels: { '1d': '1 day' }, isFaint: true },
        ],
        note: 'From the blocks found: a day scatters by a tenth.',
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
        id: 'claimable',
        title: 'What miners may claim',
        kind: 'area',
        lines: [{ metric: 'miners.claimable', label: 'Subsidy and fees' }],
      },
      {
        id: 'claimed',
        title: 'What miners claimed',
        kind: 'area',
        lines: [{ metric: 'miners.revenue', label: 'Coinbases' }],
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
        id: 'adjustment',
        title: 'Next adjustment as it stood',
        kind: 'line',
        lines: [{ metric: 'miners.next_adjustment', label: 'Estimate' }],
      },
      {
        id: 'luck',
        title: 'Luck of all pools',
        kind: 'line',
        lines: [{ metric: 'miners.pool_luck', keys: ['all pools'], labels: { 'all pools': 'Luck' } }],
        note: 'Blocks of a week to blocks expected at the difficulty; 100 % is no luck.',
      },
      {
        id: 'poolluck',
        title: 'Luck of large pools',
        kind: 'line',
        lines: [{ metric: 'miners.pool_luck', keys: LARGE_POOLS.filter(pool => pool !== 'unknown') }],
        switches: PROXIES,
        note: 'Blocks of a week to its share of the four weeks before: chance, or machines that came and went.',
      },
      {
        id: 'pools',
        title: 'Blocks by pool',
        kind: 'stacked',
        lines: [{ metric: 'miners.pool_share' }],
        most: 9,
        switches: PROXIES,
        defaults: { grain: 'week' },
        note: 'By coinbase tag before payout address; blocks that no rule matches stay visible as unknown.',
      },
      {
        id: 'concentration',
        title: 'Concentration of pools',
        kind: 'line',
        lines: [{ metric: 'miners.pool_concentration', label: 'Sum of squared shares' }],
        switches: PROXIES,
      },
      {
        id: 'majority',
        title: 'Pools over half of the blocks',
        kind: 'line',
        lines: [{ metric: 'miners.pool_majority', label: 'Pools' }],
        switches: PROXIES,
      },
      {
        id: 'emptyblocks',
        title: 'Empty blocks of large pools',
        kind: 'line',
        lines: [{ metric: 'miners.pool_empty', keys: LARGE_POOLS }],
        switches: PROXIES,
        defaults: { grain: 'week' },
      },
      {
        id: 'stated',
        title: 'Hashrate as one pool states it',
        kind: 'line',
        lines: [{ metric: 'miners.pool_hashrate', label: 'Foundry USA' }],
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
      { metric: 'value.transferred', label: 'Value transferred' },
      { metric: 'value.estimated', label: 'Volume, estimated' },
      { metric: 'addresses.used', label: 'Addresses used' },
      { metric: 'tx.batching', label: 'Outputs a transaction' },
      { metric: 'tx.segwit_share', label: 'Segwit inputs' },
    ],
    charts: [
      {
        id: 'transactions',
        title: 'Transactions',
        kind: 'line',
        wide: true,
        lines: [
          { metric: 'tx.count', label: 'Without coinbases' },
          { metric: 'tx.count_with_coinbase', label: 'Coinbases in' },
        ],
        note: 'A longer history is published with coinbases in: two definitions, two lines.',
      },
      {
        id: 'value',
        title: 'Value transferred',
        kind: 'line',
        lines: [
          { metric: 'value.transferred', label: 'All outputs' },
          { metric: 'value.transferred_adjusted', label: 'Without returned change' },
        ],
      },
      {
        id: 'estimated',
        title: 'Volume as blockchain.com estimates it',
        kind: 'area',
        lines: [{ metric: 'value.estimated', label: 'Estimate' }],
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
        id: 'used',
        title: 'Addresses used, as blockchain.com counts',
        kind: 'area',
        lines: [{ metric: 'addresses.used', label: 'Addresses' }],
      },
      {
        id: 'types',
        title: 'Outputs by type',
        kind: 'stacked',
        lines: [{ metric: 'outputs.by_type' }],
        most: 9,
      },
      {
        id: 'typevalue',
        title: 'Value of outputs by type',
        kind: 'stacked',
        lines: [{ metric: 'outputs.by_type_value' }],
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
        id: 'space',
        title: 'Block space used',
        kind: 'bars',
        lines: [{ metric: 'tx.vbytes', label: 'Virtual bytes' }],
      },
      {
        id: 'size',
        title: 'Median transaction',
        kind: 'line',
        lines: [{ metric: 'tx.median_vsize', label: 'Size' }],
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
      { metric: 'supply.scheduled', label: 'Scheduled supply' },
      { metric: 'supply.issued', label: 'Issued' },
      { metric: 'utxo.count', label: 'Unspent outputs' },
      { metric: 'utxo.change', label: 'Change of a day' },
      { metric: 'coin.days_destroyed', label: 'Coin days destroyed' },
      { metric: 'addresses.funded', label: 'Funded addresses' },
    ],
    charts: [
      {
        id: 'change',
        title: 'Change of unspent outputs',
        kind: 'bars',
        wide: true,
        lines: [{ metric: 'utxo.change', label: 'Made less spent' }],
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
        id: 'count',
        title: 'Unspent outputs',
        kind: 'area',
        lines: [{ metric: 'utxo.count', label: 'Outputs' }],
      },
      {
        id: 'ages',
        title: 'Coins by age',
        kind: 'stacked',
        lines: [{ metric: 'utxo.age_bands', keys: Object.keys(AGES), labels: AGES }],
        most: 12,
        defaults: { mode: 'share' },
      },
      {
        id: 'values',
        title: 'Outputs by value',
        kind: 'stacked',
        lines: [{ metric: 'utxo.by_value', labels: VALUES }],
        most: 9,
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
        lines: [{ metric: 'addresses.funded', keys: Object.keys(BALANCES), labels: BALANCES }],
        defaults: { scale: 'log' },
      },
      {
        id: 'inflation',
        title: 'Inflation, trailing year',
        kind: 'area',
        lines: [{ metric: 'supply.inflation', label: 'Inflation' }],
      },
      {
        id: 'lost',
        title: 'Unclaimed and unspendable',
        kind: 'line',
        lines: [
          { metric: 'supply.unclaimed', label: 'Unclaimed' },
          { metric: 'supply.unspendable', label: 'Unspendable' },
        ],
      },
    ],
    panels: ['halving'],
  },
  {
    key: 'valuation',
    label: 'Valuation',
    question: 'What did holders pay for their coins, and are they in profit?',
    kpis: [
      { metric: 'price.close', label: 'Price' },
      { metric: 'cap.scheduled', label: 'Scheduled cap' },
      { metric: 'etf.flow', label: 'ETF flows, day' },
      { metric: 'cap.realised_price', label: 'Realised price' },
      { metric: 'cap.mvrv', label: 'MVRV' },
      { metric: 'supply.in_profit', label: 'Coins in profit' },
    ],
    charts: [
      {
        id: 'price',
        title: 'Price and realised price',
        kind: 'line',
        wide: true,
        lines: [
          { metric: 'price.close', label: 'Price' },
          { metric: 'cap.realised_price', label: 'Realised price' },
        ],
        defaults: { scale: 'log' },
      },
      {
        id: 'etf',
        title: 'Flows of US spot ETFs',
        kind: 'bars',
        lines: [{ metric: 'etf.flow', label: 'All funds', isSum: true }],
        note: 'Trading days only; the newest may lack late funds.',
      },
      {
        id: 'etfholdings',
        title: 'Coins in US spot ETFs',
        kind: 'area',
        lines: [{ metric: 'etf.holdings', label: 'All funds', isSum: true }],
      },
      {
        id: 'scheduled',
        title: 'Market cap of the scheduled supply',
        kind: 'area',
        lines: [{ metric: 'cap.scheduled', label: 'Cap' }],
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
        lines: [{ metric: 'cap.realised_bands', keys: Object.keys(AGES), labels: AGES }],
        most: 12,
        defaults: { mode: 'share' },
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
        id: 'protocolspace',
        title: 'Block space by protocol',
        kind: 'stacked',
        lines: [{ metric: 'data.by_protocol_vbytes' }],
        most: 9,
      },
      {
        id: 'protocolfees',
        title: 'Fees by protocol',
        kind: 'stacked',
        lines: [{ metric: 'data.by_protocol_fees' }],
        most: 9,
      },
      {
        id: 'overlap',
        title: 'Counted for a protocol before',
        kind: 'stacked',
        lines: [{ metric: 'data.protocol_overlap' }],
        most: 9,
        note: 'What the fixed priority took from each protocol: moves of brc-20 are inscriptions too.',
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
    panels: ['decoded'],
  },
  {
    key: 'layers',
    label: 'Layers on Bitcoin',
    question: 'What do layers do on Bitcoin, and what do they pay for it?',
    kpis: [
      { metric: 'l1.fees', entity: 'stacks', label: 'Stacks pays, day' },
      { metric: 'l1.share_of_blockspace', entity: 'stacks', label: 'Stacks, share of space' },
      { metric: 'merge_mining.share', entity: 'rootstock', label: 'Rootstock, merge-mined' },
      { metric: 'merge_mining.share', entity: 'core', label: 'Core, hashrate lent' },
    ],
    charts: [
      {
        id: 'bytes',
        title: 'Block space by layer',
        kind: 'stacked',
        wide: true,
        lines: ofLayers('l1.vbytes'),
      },
      { id: 'fees', title: 'Fees paid to Bitcoin by layer', kind: 'stacked', lines: ofLayers('l1.fees') },
      { id: 'tx', title: 'Transactions by layer', kind: 'stacked', lines: ofLayers('l1.tx') },
      { id: 'value', title: 'Value moved by layers', kind: 'stacked', lines: ofLayers('l1.value') },
      {
        id: 'cost',
        title: 'Cost of a transaction on Bitcoin',
        kind: 'line',
        lines: ofLayers('l1.cost_per_tx'),
      },
      {
        id: 'peg',
        title: 'Into the sBTC peg and out of it',
        kind: 'line',
        lines: [
          { metric: 'l1.deposits', entity: 'stacks', label: 'Deposits', isSum: true },
          { metric: 'l1.withdrawals', entity: 'stacks', label: 'Withdrawals' },
        ],
        note: 'Deposits count when the signers take them in.',
      },
      {
        id: 'merge',
        title: 'Merge-mined blocks',
        kind: 'line',
        lines: ofLayers('merge_mining.share', ['rootstock', 'core']),
      },
      {
        id: 'stake',
        title: 'Bitcoin newly staked by scripts',
        kind: 'stacked',
        lines: ofLayers('stake.btc', ['babylon', 'core']),
      },
    ],
    panels: ['decoded'],
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
        kind: 'line',
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
