import { PERCENTILE_KEYS, PERCENTILES, type Tab } from './common.ts'

export const overviewTab: Tab = {
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
}
