import type { ChartSwitch } from '../../../blocks/chart/chartSpec.ts'
import type { Tab } from './common.ts'

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

/** Pools that hand out the templates of another: apart as they sign, or with it. */
const PROXIES: readonly ChartSwitch[] = [
  { name: 'merged_proxies', label: 'Proxies', off: 'Apart', on: 'Merged' },
]

export const miningTab: Tab = {
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
      title: 'Claimable miner revenue',
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
      title: 'Expected difficulty adjustment',
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
      id: 'poolheat',
      title: 'Shares of pools over time',
      kind: 'heat',
      wide: true,
      lines: [{ metric: 'miners.pool_share' }],
      most: 13,
      switches: PROXIES,
      defaults: { grain: 'week', scale: 'log' },
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
}
