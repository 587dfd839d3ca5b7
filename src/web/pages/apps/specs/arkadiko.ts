import type { AppSpec } from '../appSpec.ts'
import { contractsTab, lockedChart, tokenTab, usersTab } from './shared.ts'

/** Vaults that mint a dollar, and the exchange beside them. */
export const arkadiko: AppSpec = {
  tabs: [
    {
      key: 'overview',
      label: 'Overview',
      question: 'How much do Arkadiko vaults owe, and what backs it?',
      panels: ['about'],
      kpis: [
        { metric: 'cdp.debt', label: 'Debt of vaults' },
        { metric: 'cdp.collateral', label: 'Collateral' },
        { metric: 'cdp.vaults', label: 'Vaults, first generation' },
        { metric: 'cdp.ratio', label: 'Collateral over debt' },
        { metric: 'tvl.total', label: 'TVL' },
      ],
      charts: [
        {
          id: 'debt',
          title: 'Debt of vaults',
          kind: 'line',
          wide: true,
          lines: [{ metric: 'cdp.debt' }],
          note: 'Of the first vaults at the project’s own snapshots of a cycle, cycles 20 to 79 without 57 to 59; since then as the contract answers.',
        },
        {
          id: 'collateral',
          title: 'STX in vaults',
          kind: 'line',
          lines: [{ metric: 'cdp.collateral' }],
        },
        {
          id: 'ratio',
          title: 'Collateral over debt, first vaults',
          kind: 'line',
          lines: [{ metric: 'cdp.ratio', label: 'Collateral over debt' }],
          note: 'All vaults together, at the close of STX; each had to stay above its own liquidation ratio.',
        },
        {
          id: 'vaults',
          title: 'Vaults and their owners, first generation',
          kind: 'line',
          lines: [
            { metric: 'cdp.vaults', label: 'Vaults' },
            { metric: 'cdp.owners', label: 'Owners' },
          ],
        },
        lockedChart,
      ],
    },
    {
      key: 'risk',
      label: 'Vaults',
      question: 'Which vaults are liquidated when STX falls, and which were?',
      panels: [
        { table: 'ladder', as: 'ladder' },
        { table: 'health' },
        { table: 'vaults' },
        { table: 'unknown_prints' },
      ],
      kpis: [
        { metric: 'cdp.liquidation_ratio', label: 'Liquidation ratio, STX' },
        { metric: 'cdp.stability_fee', label: 'Stability fee, STX' },
        { metric: 'cdp.debt_cap_used', label: 'Debt cap in use, STX' },
        { metric: 'shock.minus20', label: 'Debt exposed at −20 %' },
        { metric: 'cdp.liquidations', label: 'Liquidated, day' },
      ],
      charts: [
        {
          id: 'liquidations',
          title: 'Vaults liquidated',
          kind: 'bars',
          lines: [{ metric: 'cdp.liquidations', label: 'Liquidated' }],
        },
      ],
    },
    {
      key: 'usda',
      label: 'USDA',
      question: 'What is the USDA supply, and does it trade at a dollar?',
      panels: [],
      kpis: [
        { metric: 'stable.supply', entity: 'usda', label: 'Supply' },
        { metric: 'stable.peg_deviation', entity: 'usda', label: 'Peg deviation' },
        { metric: 'stable.backing_ratio', entity: 'usda', label: 'Backing' },
        { metric: 'stable.holders', entity: 'usda', label: 'Holders' },
        { metric: 'stable.top10', entity: 'usda', label: 'Of the ten largest' },
      ],
      charts: [
        {
          id: 'supply',
          title: 'Supply',
          kind: 'area',
          lines: [{ metric: 'stable.supply', entity: 'usda', label: 'USDA' }],
        },
        {
          id: 'minted',
          title: 'Minted and burned',
          kind: 'bars',
          lines: [
            { metric: 'stable.minted', entity: 'usda', label: 'Minted' },
            { metric: 'stable.burned', entity: 'usda', label: 'Burned' },
          ],
        },
        {
          id: 'peg',
          title: 'Peg deviation',
          kind: 'line',
          lines: [{ metric: 'stable.peg_deviation', entity: 'usda', label: 'Peg deviation' }],
        },
      ],
    },
    tokenTab('diko', 'DIKO'),
    usersTab,
    contractsTab,
  ],
  remedy: 'Debt and terms come from the contracts, which are polled hourly.',
}
