import { AGES, type Tab } from './common.ts'

export const valuationTab: Tab = {
  key: 'valuation',
  label: 'Valuation',
  question: 'What did holders pay for their coins, and are they in profit?',
  kpis: [
    { metric: 'price.close', label: 'Price' },
    { metric: 'cap.scheduled', label: 'Scheduled cap' },
    { metric: 'etf.flow', label: 'ETF flows, day' },
    { metric: 'cap.realised_price', label: 'Realized price' },
    { metric: 'cap.mvrv', label: 'MVRV' },
    { metric: 'supply.in_profit', label: 'Coins in profit' },
  ],
  charts: [
    {
      id: 'price',
      title: 'Price and realized price',
      kind: 'line',
      wide: true,
      lines: [
        { metric: 'price.close', label: 'Price' },
        { metric: 'cap.realised_price', label: 'Realized price' },
      ],
      defaults: { scale: 'log' },
    },
    {
      id: 'etf',
      title: 'Flows of US spot ETFs',
      kind: 'bars',
      lines: [{ metric: 'etf.flow', label: 'All funds', isSum: true }],
      note: 'Trading days only. The latest may be missing late funds.',
    },
    {
      id: 'etfholdings',
      title: 'Coins in US spot ETFs',
      kind: 'line',
      lines: [{ metric: 'etf.holdings' }],
      // Funds report of different days: a sum of some of them would be no figure.
      most: Number.POSITIVE_INFINITY,
      note: 'Each fund on its own report dates, mostly quarter ends. Funds without an available report are missing. See Bitcoin Treasuries for their number.',
    },
    {
      id: 'scheduled',
      title: 'Market cap of the scheduled supply',
      kind: 'area',
      lines: [{ metric: 'cap.scheduled', label: 'Cap' }],
    },
    {
      id: 'caps',
      title: 'Market and realized cap',
      kind: 'line',
      lines: [
        { metric: 'cap.market', label: 'Market' },
        { metric: 'cap.realised', label: 'Realized' },
      ],
      defaults: { scale: 'log' },
    },
    { id: 'mvrv', title: 'MVRV', kind: 'line', lines: [{ metric: 'cap.mvrv', label: 'MVRV' }] },
    { id: 'mvrvz', title: 'MVRV, Z-score', kind: 'line', lines: [{ metric: 'cap.mvrv_z', label: 'Z' }] },
    {
      id: 'nupl',
      title: 'Net unrealized profit and loss',
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
      title: 'Realized value by age',
      kind: 'stacked',
      lines: [{ metric: 'cap.realised_bands', keys: Object.keys(AGES), labels: AGES }],
      most: 12,
      defaults: { mode: 'share' },
    },
  ],
  panels: [],
}
