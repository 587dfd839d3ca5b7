import type { FigurePage } from '../chain/loadFigures.server.ts'

const CLARITY = {
  '1': 'Clarity 1',
  '2': 'Clarity 2',
  '3': 'Clarity 3',
  '4': 'Clarity 4',
  '5': 'Clarity 5',
  '6': 'Clarity 6',
}

/** Figures of `/stacks/sip-033`, as data. */
export const sip033: FigurePage = {
  question: 'What does Clarity 4 bring, who agreed to it, and do builders use it?',
  kpis: [
    { metric: 'contracts.deployed', label: 'Contracts, day' },
    { metric: 'contracts.clarity_version', label: 'In Clarity 4' },
    { metric: 'contracts.known', label: 'Contracts found' },
    { metric: 'tx.failed_share', label: 'Failed transactions' },
  ],
  charts: [
    {
      id: 'deployed',
      title: 'Contracts deployed by Clarity version',
      kind: 'stacked',
      wide: true,
      lines: [{ metric: 'contracts.deployed', labels: CLARITY }],
    },
    {
      id: 'share',
      title: 'Share of new contracts by version',
      kind: 'line',
      lines: [
        {
          metric: 'contracts.clarity_version',
          keys: ['3', '4', '5', '6'],
          labels: CLARITY,
        },
      ],
    },
    {
      id: 'words',
      title: 'Contracts that use a new word',
      kind: 'stacked',
      lines: [{ metric: 'function.uses' }],
      most: 8,
    },
    {
      id: 'calls',
      title: 'Calls to contracts with a new word',
      kind: 'stacked',
      lines: [{ metric: 'function.calls' }],
      most: 8,
      note: 'A contract counts under each of its words.',
    },
    {
      id: 'known',
      title: 'Contracts found, all versions',
      kind: 'area',
      lines: [{ metric: 'contracts.known', label: 'Contracts' }],
      note: 'Steps are runs of a collector: daily to 2023, seldom since.',
    },
  ],
}
