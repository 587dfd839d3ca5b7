import type { FigurePage } from '../../chain/loadFigures.server.ts'

const SBTC = 'sbtc'

/** Figures on `/stacks/sbtc`, as data. */
export const sbtcFigures: FigurePage = {
  question: 'Is sBTC fully backed, and how long do deposits and withdrawals take?',
  kpis: [
    { metric: 'peg.supply', entity: SBTC, label: 'sBTC' },
    { metric: 'peg.reserve', entity: SBTC, label: 'Bitcoin behind it' },
    { metric: 'peg.ratio', entity: SBTC, label: 'Bitcoin per sBTC' },
    { metric: 'sbtc.pending', label: 'Pending withdrawals' },
    { metric: 'sbtc.time_to_mint', label: 'Deposit to mint, median' },
    { metric: 'exit.time', label: 'Request to payment, median' },
    { metric: 'exit.cost', label: 'Fee of a withdrawal, median' },
  ],
  charts: [
    {
      id: 'backing',
      title: 'sBTC and the bitcoin behind it',
      kind: 'line',
      wide: true,
      lines: [
        { metric: 'peg.supply', entity: SBTC, label: 'sBTC' },
        {
          metric: 'peg.reserve',
          entity: SBTC,
          keys: ['outputs'],
          labels: { outputs: 'outputs of the signers' },
        },
      ],
      note: 'Both at the end of the day; the assay view of each ratio names the heights of both chains.',
    },
    {
      id: 'gap',
      title: 'Bitcoin beyond sBTC',
      kind: 'line',
      lines: [{ metric: 'peg.gap', entity: SBTC, label: 'Beyond' }],
    },
    {
      id: 'minted',
      title: 'sBTC minted by depositor',
      kind: 'stacked',
      lines: [{ metric: 'sbtc.deposits' }],
    },
    {
      id: 'withdrawn',
      title: 'Withdrawals by step',
      kind: 'line',
      lines: [{ metric: 'sbtc.withdrawals', keys: ['requested', 'accepted', 'rejected'] }],
    },
    {
      id: 'delays',
      title: 'Median transfer time',
      kind: 'line',
      lines: [
        { metric: 'sbtc.time_to_mint', label: 'deposit to mint' },
        { metric: 'exit.time', label: 'request to payment' },
      ],
    },
  ],
}
