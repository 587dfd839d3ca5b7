import type { FlowSpec, LineSpec } from '../../../blocks/chart/chartSpec.ts'
import type { Tab } from './common.ts'

const LAYERS = { stacks: 'Stacks', rootstock: 'Rootstock', babylon: 'Babylon', core: 'Core' } as const

/** The same metric of each of these layers. */
const ofLayers = (
  metric: string,
  layers: readonly (keyof typeof LAYERS)[] = ['stacks', 'rootstock', 'babylon', 'core'],
): LineSpec[] => layers.map(entity => ({ metric, entity, label: LAYERS[entity] }))

/** Layers whose money publishers count, and what they are called. */
const NETWORKS = {
  stacks: 'Stacks',
  rootstock: 'Rootstock',
  bob: 'BOB',
  merlin: 'Merlin',
  bitlayer: 'Bitlayer',
  'b2-network': 'B² Network',
  core: 'Core',
} as const

const ofNetworks = (metric: string): LineSpec[] =>
  Object.entries(NETWORKS).map(([entity, label]) => ({ metric, entity, label }))

/** Stablecoins, by where they lie. */
const coinsToNetworks: FlowSpec[] = Object.entries(NETWORKS).map(([entity, label]) => ({
  metric: 'stables.by_token',
  entity,
  from: '{key}',
  to: label,
}))

export const layersTab: Tab = {
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
    {
      id: 'share',
      title: 'Share of block space by layer',
      kind: 'stacked',
      lines: ofLayers('l1.share_of_blockspace'),
    },
    { id: 'fees', title: 'Fees paid to Bitcoin by layer', kind: 'stacked', lines: ofLayers('l1.fees') },
    {
      id: 'feeseach',
      title: 'What each layer pays Bitcoin',
      kind: 'multiples',
      wide: true,
      lines: ofLayers('l1.fees'),
      defaults: { measure: 'each' },
    },
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
      title: 'sBTC peg inflows and outflows',
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
      lines: ofLayers('stake.new', ['babylon', 'core']),
    },
    {
      id: 'valueeach',
      title: 'TVL by layer',
      kind: 'multiples',
      wide: true,
      lines: ofNetworks('tvl.total'),
      defaults: { measure: 'each' },
      note: 'In dollars of the day: it moves with prices.',
    },
    {
      id: 'sendersheat',
      title: 'Senders on each layer',
      kind: 'heat',
      wide: true,
      lines: ofNetworks('addresses.senders'),
      defaults: { measure: 'each', grain: 'week' },
    },
    {
      id: 'coins',
      title: 'Stablecoins by layer',
      kind: 'sankey',
      wide: true,
      over: 'newest',
      lines: coinsToNetworks,
    },
  ],
  panels: ['layers', 'decoded'],
}
