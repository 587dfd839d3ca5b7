import type { AppSpec } from '../appSpec.ts'
import { contractsTab, lockedChart, usersTab } from './shared.ts'

/** The page of an application of no kind that has a page of its own: what holds for all of them. */
export const other = ({ name }: { name: string }): AppSpec => ({
  tabs: [
    {
      key: 'overview',
      label: 'Overview',
      question: `What is ${name}, how much is in it, and who uses it?`,
      panels: ['about'],
      kpis: [
        { metric: 'tvl.total', label: 'TVL' },
        { metric: 'users.active', label: 'Users, day' },
        { metric: 'calls.count', label: 'Calls, day' },
      ],
      charts: [lockedChart],
    },
    usersTab,
    contractsTab,
  ],
})
