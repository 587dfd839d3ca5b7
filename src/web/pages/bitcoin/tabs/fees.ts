import { PERCENTILE_KEYS, PERCENTILES, type Tab } from './common.ts'

/** Rates offered, sat/vB, of what was in the next block. */
const CONFIRM = {
  '1@1-2': '1 to 2 sat/vB',
  '1@5-10': '5 to 10 sat/vB',
  '1@20-50': '20 to 50 sat/vB',
}
const CONFIRM_KEYS = Object.keys(CONFIRM)

export const feesTab: Tab = {
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
      id: 'days',
      title: 'Fees, day by day',
      kind: 'calendar',
      wide: true,
      lines: [{ metric: 'fees.total', label: 'Fees' }],
      defaults: { scale: 'log' },
    },
    {
      id: 'rateheat',
      title: 'Fee rates of blocks, cheapest to dearest',
      kind: 'heat',
      wide: true,
      lines: [{ metric: 'fees.block_rate', keys: PERCENTILE_KEYS.toReversed(), labels: PERCENTILES }],
      defaults: { scale: 'log', grain: 'week' },
    },
    {
      id: 'feespread',
      title: 'Days by what they paid',
      kind: 'histogram',
      of: 'day',
      lines: [{ metric: 'fees.total', label: 'Fees of the day' }],
      defaults: { scale: 'log' },
    },
    {
      id: 'share',
      title: 'Fee share of claimable revenue',
      kind: 'area',
      lines: [{ metric: 'fees.share_claimable', label: 'Share' }],
    },
    {
      id: 'shareclaimed',
      title: 'Fee share of miner revenue',
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
  calculators: [
    {
      id: 'txcost',
      title: 'What a transaction costs',
      inputs: [
        { key: 'size', label: 'Virtual size', unit: 'vB', first: 141, least: 60, most: 1_000_000 },
        {
          key: 'rate',
          label: 'Fee rate',
          unit: 'sat/vB',
          first: { metric: 'fees.block_rate', entity: 'bitcoin' },
          least: 0,
          most: 100_000,
        },
        {
          key: 'price',
          label: 'Price of a bitcoin',
          unit: 'USD',
          first: { metric: 'price.close', entity: 'bitcoin' },
          least: 0,
          most: 1_000_000_000,
        },
      ],
      results: [
        { label: 'In satoshis', unit: 'sat', formula: 'size * rate' },
        { label: 'In dollars', unit: 'USD', formula: 'size * rate * price / 100000000' },
      ],
      note: 'A payment from one native segwit input to two outputs is 141 vB; each further input adds 68, each output 31.',
    },
  ],
}
