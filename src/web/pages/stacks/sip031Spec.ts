import type { FigurePage } from '../chain/loadFigures.server.ts'

/** Figures of `/stacks/sip-031`, as data. */
export const sip031: FigurePage = {
  question:
    'Five years of new STX for an endowment: what was voted, what has been minted, and where did it go?',
  kpis: [
    { metric: 'sip031.inflow', label: 'Claimed and received' },
    { metric: 'sip031.outflow_internal', label: 'To its own accounts' },
    { metric: 'sip031.outflow_external', label: 'To others, directly' },
    { metric: 'sip031.vault', label: 'Waiting in the contract' },
    { metric: 'sip031.emitted', label: 'Minted, day' },
    { metric: 'token.price', entity: 'stx', label: 'Price of STX' },
  ],
  charts: [
    {
      id: 'endowment',
      title: 'In and out of the endowment’s address',
      kind: 'line',
      wide: true,
      lines: [
        { metric: 'sip031.inflow', label: 'received' },
        { metric: 'sip031.outflow_internal', label: 'to its own accounts' },
        { metric: 'sip031.outflow_external', label: 'to others' },
      ],
      note: 'Sums up to the day. Transfers to its own accounts are not spending.',
    },
    {
      id: 'emission',
      title: 'Emission: planned and minted',
      kind: 'line',
      lines: [
        { metric: 'sip031.planned', label: 'rate × tenures' },
        { metric: 'sip031.emitted', keys: ['tenures'], labels: { tenures: 'minted' } },
      ],
      note: 'The 200,000,000 STX of the activation are left out.',
    },
    {
      id: 'vault',
      title: 'Balance of the contract',
      kind: 'area',
      lines: [{ metric: 'sip031.vault', label: 'Minted and not claimed' }],
      note: 'Requires every block since the activation.',
    },
    {
      id: 'supply',
      title: 'Supply with and without SIP-031',
      kind: 'line',
      lines: [
        { metric: 'supply.liquid', label: 'STX in being' },
        { metric: 'supply.counterfactual', label: 'without its mints' },
      ],
      note: 'Requires every block since genesis.',
    },
    {
      id: 'inflation',
      title: 'New STX of a year, of those in being',
      kind: 'line',
      lines: [
        {
          metric: 'supply.inflation',
          keys: ['all', 'without SIP-031'],
          labels: { all: 'as it is', 'without SIP-031': 'without SIP-031' },
        },
      ],
    },
  ],
}
