import type { AppSpec } from '../appSpec.ts'
import { contractsTab, lockedChart, usersTab } from './shared.ts'

/** A dollar that earns a yield, and a bitcoin vault. */
export const hermetica: AppSpec = {
  tabs: [
    {
      key: 'overview',
      label: 'Overview',
      question: 'What is the USDh supply, how much of it earns, and what did it earn?',
      panels: ['about'],
      kpis: [
        { metric: 'stable.supply', entity: 'usdh', label: 'Supply on Stacks' },
        { metric: 'vault.staked', label: 'Staked' },
        { metric: 'vault.apy_30d', label: 'sUSDh, 30 days' },
        { metric: 'vault.apy_7d', label: 'sUSDh, 7 days' },
        { metric: 'vault.queue', label: 'Pending exits' },
      ],
      charts: [
        {
          id: 'supply',
          title: 'USDh: supply and staked',
          kind: 'line',
          wide: true,
          lines: [
            { metric: 'stable.supply', entity: 'usdh', label: 'Supply on Stacks' },
            { metric: 'vault.staked', label: 'Staked' },
          ],
        },
        {
          id: 'rate',
          title: 'Coins per share',
          kind: 'line',
          lines: [{ metric: 'vault.exchange_rate' }],
          note: 'USDh per sUSDh, bitcoin per hBTC.',
        },
        {
          id: 'yield',
          title: 'Yield of sUSDh as it was',
          kind: 'line',
          lines: [
            { metric: 'vault.apy_30d', keys: ['sUSDh'], labels: { sUSDh: '30 days' } },
            { metric: 'vault.apy_7d', keys: ['sUSDh'], labels: { sUSDh: '7 days' }, isFaint: true },
          ],
        },
        { ...lockedChart, wide: false },
      ],
    },
    {
      key: 'flows',
      label: 'Peg and queue',
      question: 'Does a USDh trade at a dollar, and who wants out?',
      panels: [{ table: 'vault_events' }, { table: 'unknown_prints' }, 'notCovered'],
      kpis: [
        { metric: 'stable.peg_deviation', entity: 'usdh', label: 'Peg deviation' },
        { metric: 'vault.queue', label: 'Pending exits' },
        { metric: 'vault.staked_share', label: 'Share that is staked' },
        { metric: 'vault.btc_held', label: 'Bitcoin of hBTC' },
        { metric: 'stable.holders', entity: 'usdh', label: 'Holders' },
        { metric: 'stable.top10', entity: 'usdh', label: 'Of the ten largest' },
      ],
      charts: [
        {
          id: 'peg',
          title: 'Peg deviation',
          kind: 'line',
          wide: true,
          lines: [{ metric: 'stable.peg_deviation', entity: 'usdh', label: 'Peg deviation' }],
        },
        {
          id: 'minted',
          title: 'Minted and burned',
          kind: 'bars',
          lines: [
            { metric: 'stable.minted', entity: 'usdh', label: 'Minted' },
            { metric: 'stable.burned', entity: 'usdh', label: 'Burned' },
          ],
        },
        { id: 'flows', title: 'Staked and unstaked', kind: 'bars', lines: [{ metric: 'vault.flows' }] },
      ],
    },
    usersTab,
    contractsTab,
  ],
  remedy: 'Supply, reserve and rate come from the contracts, which are polled hourly.',
}
