import type { CalculatorSpec } from '../../blocks/calculator/calculatorSpec.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

/** What stands on `/stacks/mining`, as data. */
export const mining: FigurePage = {
  question: 'What do miners bid in bitcoin, what do they get in STX, and how many take part?',
  kpis: [
    { metric: 'miners.bid', label: 'Bids, day' },
    { metric: 'miners.active', label: 'Miners that bid, day' },
    { metric: 'miners.commits', label: 'Block commits, day' },
    { metric: 'miners.hhi', label: 'Concentration of bids' },
    { metric: 'miners.reward', label: 'Coinbases paid, day' },
    { metric: 'l1.fees', label: 'Fees paid to Bitcoin, day' },
  ],
  charts: [
    {
      id: 'bids',
      title: 'Bids of miners',
      kind: 'bars',
      wide: true,
      lines: [{ metric: 'miners.bid', label: 'Bids' }],
    },
    {
      id: 'strategies',
      title: 'How each miner bids',
      kind: 'multiples',
      wide: true,
      lines: [{ metric: 'miners.spend' }],
      most: 9,
      note: 'Bids a day by the address that the node takes for the miner; the largest of the range.',
    },
    {
      id: 'active',
      title: 'Miners that bid',
      kind: 'line',
      lines: [{ metric: 'miners.active', label: 'Miners' }],
    },
    {
      id: 'commits',
      title: 'Block commits',
      kind: 'bars',
      lines: [{ metric: 'miners.commits', label: 'Commits' }],
    },
    {
      id: 'hhi',
      title: 'Concentration of bids',
      kind: 'line',
      lines: [{ metric: 'miners.hhi', label: 'Sum of squared shares' }],
    },
    {
      id: 'rewards',
      title: 'Rewards paid to miners',
      kind: 'stacked',
      lines: [{ metric: 'miners.reward' }],
    },
    {
      id: 'l1fees',
      title: 'Fees paid to Bitcoin’s miners',
      kind: 'bars',
      lines: [{ metric: 'l1.fees', label: 'Fees' }],
    },
    { id: 'tenures', title: 'Tenures', kind: 'area', lines: [{ metric: 'tenures.count', label: 'Tenures' }] },
    {
      id: 'empty',
      title: 'Empty tenures',
      kind: 'bars',
      lines: [{ metric: 'tenures.empty', label: 'Without a user’s transaction' }],
    },
    {
      id: 'missed',
      title: 'Bids that did not count',
      kind: 'bars',
      lines: [{ metric: 'miners.bid_missed', label: 'Not accepted' }],
    },
    {
      id: 'luck',
      title: 'Tenures won to tenures expected',
      kind: 'line',
      lines: [{ metric: 'miners.luck', keys: ['all'], labels: { all: 'all miners' } }],
      note: 'An estimate of the node’s rule; a day is short for it.',
    },
    {
      id: 'profit',
      title: 'Profit of miners',
      kind: 'line',
      lines: [
        { metric: 'miners.profit', keys: ['profit'], labels: { profit: 'rewards less bids and fees' } },
      ],
      note: 'At the closes of the day; bids are those of 100 Bitcoin blocks before.',
    },
    {
      id: 'priceratio',
      title: 'Reward per dollar bid',
      kind: 'line',
      lines: [{ metric: 'miners.price_ratio', label: 'Reward ÷ bid' }],
    },
    {
      id: 'commitfees',
      title: 'Fees of block commits',
      kind: 'bars',
      lines: [{ metric: 'miners.l1_fees', label: 'Fees' }],
    },
    {
      id: 'l1tx',
      title: 'Transactions on Bitcoin',
      kind: 'bars',
      lines: [{ metric: 'l1.tx', label: 'Transactions' }],
    },
  ],
}

const PRICE = { least: 0, most: 10_000_000 }

/** What a miner may expect of one block, by figures that the reader can change. */
export const profitCalculator: CalculatorSpec = {
  id: 'profit',
  title: 'Would I profit?',
  note: 'It takes a steady bid in every Bitcoin block, chances by share of the bids, every commit in time and accepted, rewards sold at the price named once they mature after 100 blocks, and no machines or people to pay. Bids of others do not answer yours.',
  inputs: [
    { key: 'bid', label: 'Your bid', unit: 'sat a block', first: 100_000, least: 5500, most: 100_000_000 },
    {
      key: 'others',
      label: 'Bids of all others',
      unit: 'sat a block',
      first: 400_000,
      least: 0,
      most: 1_000_000_000,
    },
    {
      key: 'fee',
      label: 'Fee to Bitcoin’s miners',
      unit: 'sat a commit',
      first: 1500,
      least: 0,
      most: 1_000_000,
    },
    { key: 'coinbase', label: 'Coinbase', unit: 'STX a tenure', first: 1000, least: 0, most: 10_000 },
    {
      key: 'fees',
      label: 'Fees of its transactions',
      unit: 'STX a tenure',
      first: 5,
      least: 0,
      most: 10_000,
    },
    {
      key: 'stx',
      label: 'Price of STX',
      unit: 'USD',
      first: { metric: 'token.price', entity: 'stx' },
      ...PRICE,
    },
    {
      key: 'btc',
      label: 'Price of bitcoin',
      unit: 'USD',
      first: { metric: 'price.close', entity: 'bitcoin' },
      ...PRICE,
    },
  ],
  results: [
    { label: 'Chance of a tenure', unit: 'ratio', formula: 'bid / (bid + others)' },
    { label: 'Tenures a day', unit: 'n', formula: '144 * bid / (bid + others)' },
    { label: 'Reward a day', unit: 'USD', formula: '144 * bid / (bid + others) * (coinbase + fees) * stx' },
    { label: 'Cost a day', unit: 'USD', formula: '144 * (bid + fee) * btc / 100000000' },
    {
      label: 'Left a day',
      unit: 'USD',
      formula: '144 * (bid / (bid + others) * (coinbase + fees) * stx - (bid + fee) * btc / 100000000)',
    },
    {
      label: 'Reward per dollar spent',
      unit: 'ratio',
      formula: 'bid / (bid + others) * (coinbase + fees) * stx / ((bid + fee) * btc / 100000000)',
    },
  ],
}
