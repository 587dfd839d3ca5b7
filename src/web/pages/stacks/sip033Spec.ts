import { CLARITY_WORDS } from '#kernel/clarityWords.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

const CLARITY = {
  '1': 'Clarity 1',
  '2': 'Clarity 2',
  '3': 'Clarity 3',
  '4': 'Clarity 4',
  '5': 'Clarity 5',
  '6': 'Clarity 6',
  unknown: 'not known',
}

/** Words of Clarity 4, and those of Clarity 6 beside them. */
const WORDS = CLARITY_WORDS.map(({ word }) => word)

const RESETS = {
  Extended: 'all budgets',
  ExtendedRuntime: 'running time',
  ExtendedReadCount: 'reads',
  ExtendedReadLength: 'bytes read',
  ExtendedWriteCount: 'writes',
  ExtendedWriteLength: 'bytes written',
}

/** Figures of `/stacks/sip-033`, as data. */
export const sip033: FigurePage = {
  question: 'What is new in Clarity 4, who approved it, and do builders use it?',
  kpis: [
    { metric: 'contracts.deployed', label: 'Contracts, day' },
    { metric: 'contracts.clarity_version', label: 'In Clarity 4' },
    { metric: 'function.uses', label: 'With a new word, day' },
    { metric: 'function.calls', label: 'Calls to such contracts, day' },
    { metric: 'calls.cost_share', label: 'Cost of a call, median' },
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
      lines: [{ metric: 'function.uses', keys: WORDS }],
      most: 8,
    },
    {
      id: 'calls',
      title: 'Calls to contracts with a new word',
      kind: 'stacked',
      lines: [{ metric: 'function.calls', keys: WORDS }],
      most: 8,
      note: 'A contract counts under each of its words.',
    },
    {
      id: 'callsby',
      title: 'Calls by version of the called contract',
      kind: 'stacked',
      lines: [{ metric: 'calls.by_clarity_version', labels: CLARITY }],
      note: 'Unknown: the block that deployed the contract is not indexed.',
    },
    {
      id: 'cost',
      title: 'Cost of a call, median',
      kind: 'line',
      lines: [
        {
          metric: 'calls.cost_share',
          keys: ['all', '1', '2', '3', '4', '5', '6'],
          labels: { ...CLARITY, all: 'all calls' },
        },
      ],
      note: 'Share of a tenure’s budget, for the budget of five that a call uses most.',
    },
    {
      id: 'extended',
      title: 'Extensions of tenures by what they reset',
      kind: 'stacked',
      lines: [{ metric: 'tenures.extended', labels: RESETS }],
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
