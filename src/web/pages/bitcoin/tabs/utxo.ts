import { AGES, type Tab } from './common.ts'

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

export const utxoTab: Tab = {
  key: 'utxo',
  label: 'UTXO',
  question: 'How many coins are unspent, how old are they, and which of them move?',
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
      id: 'ageheat',
      title: 'Coins by age over time',
      kind: 'heat',
      wide: true,
      lines: [{ metric: 'utxo.age_bands', keys: Object.keys(AGES), labels: AGES }],
      most: 12,
      defaults: { measure: 'each' },
      note: 'Each band against its own highest: which ages swell and which drain.',
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
      lines: [{ metric: 'coin.dormancy', label: 'Average days dormant' }],
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
}
