import type { AppSpec } from '../appSpec.ts'
import { contractsTab, lockedChart, usersTab } from './shared.ts'

type Lender = {
  name: string
  /** Markets that a rate is drawn of, the main one first. */
  markets: readonly string[]
  /** Its own interface is asked beside its contracts. */
  hasInterface?: boolean
}

const MOST_LINES = 8

/** The page of a lender. */
export const lender = ({ name, markets, hasInterface = false }: Lender): AppSpec => ({
  tabs: [
    {
      key: 'overview',
      label: 'Overview',
      question: `How much is in the markets of ${name}, how much is lent out, and what does it earn?`,
      panels: ['about', { table: 'markets' }, ...(hasInterface ? [{ table: 'compared_lender' }] : [])],
      kpis: [
        { metric: 'lend.supplied', label: 'Supplied' },
        { metric: 'lend.borrowed', label: 'Borrowed' },
        { metric: 'lend.utilisation', label: `Utilization, ${markets[0]}` },
        { metric: 'lend.supply_apr', label: `Promised, ${markets[0]}` },
        { metric: 'revenue.apps', label: 'Interest revenue (24h)' },
        { metric: 'tvl.total', label: 'TVL' },
      ],
      charts: [
        {
          id: 'supplied',
          title: 'Supplied and borrowed',
          kind: 'line',
          wide: true,
          lines: [
            { metric: 'lend.supplied', label: 'Supplied', isSum: true },
            { metric: 'lend.borrowed', label: 'Borrowed', isSum: true },
          ],
          note: 'All markets, in dollars of the day: they move with prices.',
        },
        { ...lockedChart, wide: false, note: 'As counted by DefiLlama, excluding funds lent out.' },
        {
          id: 'flows',
          title: 'Supplied, withdrawn, borrowed, repaid',
          kind: 'bars',
          lines: [{ metric: 'lend.flows' }],
          note: 'From contract prints, on days with indexed blocks.',
        },
      ],
    },
    {
      key: 'rates',
      label: 'Rates',
      question: `What does a loan from ${name} cost, what are lenders promised, and what did they get?`,
      panels: [{ table: 'curves', as: 'curves' }, { table: 'markets' }, { table: 'curves' }],
      kpis: [
        { metric: 'lend.borrow_apr', label: `Borrow, ${markets[0]}` },
        { metric: 'lend.supply_apr', label: `Promised, ${markets[0]}` },
        { metric: 'lend.realised_apy', label: `As it was, ${markets[0]}` },
      ],
      charts: [
        {
          id: 'promise',
          title: `Promised against realized, ${markets[0]}`,
          kind: 'line',
          wide: true,
          lines: [
            {
              metric: 'lend.supply_apr',
              keys: [markets[0] ?? ''],
              labels: { [markets[0] ?? '']: 'Promised' },
            },
            {
              metric: 'lend.realised_apy',
              keys: [markets[0] ?? ''],
              labels: { [markets[0] ?? '']: 'As it was, 30 days' },
            },
          ],
          note: 'The promise is the rate of the moment; the yield is how a share grew over the 30 days before.',
        },
        {
          id: 'utilisation',
          title: 'Utilization by market',
          kind: 'line',
          lines: [{ metric: 'lend.utilisation', keys: markets }],
          most: MOST_LINES,
        },
        {
          id: 'borrow',
          title: 'Borrow rate by market',
          kind: 'line',
          lines: [{ metric: 'lend.borrow_apr', keys: markets }],
          most: MOST_LINES,
        },
      ],
    },
    {
      key: 'risk',
      label: 'Liquidations',
      question: 'What is liquidated when prices fall, what was, and who bore the loss?',
      panels: [
        { table: 'ladder', as: 'ladder' },
        { table: 'health' },
        { table: 'oracles' },
        { table: 'liquidations' },
        { table: 'unknown_prints' },
        'notCovered',
      ],
      kpis: [
        { metric: 'shock.minus20', label: 'Debt exposed at −20 %' },
        { metric: 'lend.health', label: 'Debt below a health of 1' },
        { metric: 'lend.liquidations', label: 'Liquidations, day' },
        { metric: 'lend.bad_debt', label: 'Bad debt, day' },
        { metric: 'lend.caps', label: `Supply cap in use, ${markets[0]}` },
      ],
      charts: [
        {
          id: 'liquidations',
          title: 'Liquidations',
          kind: 'bars',
          lines: [{ metric: 'lend.liquidations', label: 'Liquidations' }],
        },
        {
          id: 'bad-debt',
          title: 'Bad debt shared out among lenders',
          kind: 'bars',
          lines: [{ metric: 'lend.bad_debt', label: 'Bad debt' }],
        },
      ],
    },
    usersTab,
    contractsTab,
  ],
  remedy: 'Rates and totals come from the contracts, which are polled hourly.',
})
