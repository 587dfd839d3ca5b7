import type { DiagramSpec } from '../../../blocks/diagram/Diagram.tsx'

/** The way in and out, by the contracts of sBTC and its signers (stacks-sbtc/sbtc). */
export const wayOfABitcoin: DiagramSpec = {
  id: 'way',
  title: 'The path of a bitcoin through sBTC',
  sub: 'Each step is a transaction that can be opened',
  steps: [
    {
      title: 'Deposit',
      text: 'Bitcoin is paid to an address that the signers can spend from, and its owner after a time.',
      passes: 'swept',
      assay: 'sbtc.deposits@stacks',
    },
    {
      title: 'Mint',
      text: 'The signers take it into their one output on Bitcoin, then mint as much sBTC, less the fee.',
      passes: 'used',
      assay: 'sbtc.time_to_mint@stacks',
    },
    {
      title: 'Request',
      text: 'An sBTC holder requests bitcoin. The sBTC is locked, with the maximum fee.',
      passes: 'voted on',
      assay: 'sbtc.pending@stacks',
    },
    {
      title: 'Payment',
      text: 'The signers pay on Bitcoin and destroy the sBTC, or refuse and give it back.',
      assay: 'exit.time@stacks',
    },
  ],
}
