import type { AppSpec } from '../appSpec.ts'
import { contractsTab, lockedChart, usersTab } from './shared.ts'

type Staking = {
  name: string
  /** Token whose worth in STX grows. */
  token: string
  /** What the exchange rate is of: the token, or a share of a token that grows in number. */
  unit: string
  /** Tells apart what waits for its token. */
  hasMintQueue?: boolean
  /** Whether it states a yield. */
  isStating?: boolean
}

const QUEUE = 'Waits to be paid out'

/** The page of liquid staking. */
export const staking = ({
  name,
  token,
  unit,
  hasMintQueue = false,
  isStating = false,
}: Staking): AppSpec => ({
  tabs: [
    {
      key: 'overview',
      label: 'Overview',
      question: `How many STX are staked through ${name}, and what did that earn beside PoX itself?`,
      panels: ['about'],
      kpis: [
        { metric: 'lst.staked', label: 'Staked' },
        { metric: 'lst.exchange_rate', label: `STX per ${unit}` },
        { metric: 'lst.apy', label: 'As it was, 2 cycles' },
        { metric: 'lst.share', label: 'Share of liquid staking' },
        { metric: 'lst.queue', label: QUEUE },
      ],
      charts: [
        {
          id: 'staked',
          title: 'STX staked through it',
          kind: 'area',
          wide: true,
          lines: [{ metric: 'lst.staked', label: 'Staked' }],
        },
        {
          id: 'rate',
          title: `STX per ${unit}`,
          kind: 'line',
          lines: [{ metric: 'lst.exchange_rate', keys: [token] }],
          note: `What the contracts owe for one ${unit}: its growth is what stakers earn.`,
        },
        {
          id: 'yield',
          title: 'Yield against PoX',
          kind: 'line',
          lines: [
            { metric: 'lst.apy', keys: [token], labels: { [token]: `${token}, as it was` } },
            ...(isStating
              ? [
                  {
                    metric: 'lst.apy_stated',
                    keys: [token],
                    labels: { [token]: `${token}, as it is stated` },
                  },
                ]
              : []),
            {
              metric: 'pox.yield',
              entity: 'fast-pool',
              keys: ['year'],
              labels: { year: 'Fast Pool, PoX' },
            },
          ],
          note: 'A year, after fees: over two cycles in STX; beside it what one large pool paid out per cycle, at that cycle’s prices.',
        },
        {
          id: 'discount',
          title: `${token} in pools against its STX`,
          kind: 'line',
          lines: [{ metric: 'lst.discount', label: 'Discount or premium' }],
        },
        { ...lockedChart, wide: false },
      ],
    },
    {
      key: 'flows',
      label: 'Deposits and queue',
      question: 'Who comes, who leaves, and what waits?',
      panels: [{ table: 'staking_events' }, { table: 'unknown_prints' }],
      kpis: [
        { metric: 'lst.queue', label: QUEUE },
        ...(hasMintQueue ? [{ metric: 'lst.mint_queue', label: 'Waits for its token' }] : []),
        { metric: 'lst.holders', label: `Holders of ${token}` },
        { metric: 'lst.signers', label: 'Stacked with, signers' },
      ],
      charts: [
        {
          id: 'flows',
          title: 'Deposits and withdrawals',
          kind: 'bars',
          wide: true,
          lines: [{ metric: 'lst.flows' }],
          note: 'A withdrawal counts when requested and again when paid.',
        },
        {
          id: 'queue',
          title: 'What waits',
          kind: 'line',
          lines: [
            { metric: 'lst.queue', label: QUEUE },
            ...(hasMintQueue ? [{ metric: 'lst.mint_queue', label: 'Waits for its token' }] : []),
          ],
        },
        { id: 'supply', title: 'Tokens', kind: 'stacked', lines: [{ metric: 'lst.supply' }] },
      ],
    },
    usersTab,
    contractsTab,
  ],
  remedy: 'Totals and rates come from the contracts, which are polled hourly.',
})
