import type { Tab } from './common.ts'

export const activityTab: Tab = {
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
}
