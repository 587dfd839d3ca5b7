import type { DiagramSpec } from '../../blocks/diagram/Diagram.tsx'

/** How a tenure comes about, by SIP-007 (proof of transfer) and SIP-021 (Nakamoto). */
export const miningSteps: DiagramSpec = {
  id: 'steps',
  title: 'From a bid in bitcoin to a reward in STX',
  sub: 'What happens with each Bitcoin block',
  steps: [
    {
      title: 'Miners bid',
      text: 'Each sends a block commit on Bitcoin. Outside the prepare phase its bitcoin goes to addresses of those who stack STX.',
      passes: 'commits',
      assay: 'miners.bid@stacks',
    },
    {
      title: 'One is drawn',
      text: 'The sortition draws at random among the commits of the block, weighted by what was bid.',
      passes: 'the winner',
      assay: 'miners.luck@stacks',
    },
    {
      title: 'It has the tenure',
      text: 'It builds blocks that signers accept, until the next Bitcoin block selects a new winner.',
      passes: 'its blocks',
      assay: 'tenures.count@stacks',
    },
    {
      title: 'It is paid',
      text: 'A coinbase in STX and the fees of its blocks, which mature after 100 Bitcoin blocks.',
      assay: 'miners.reward@stacks',
    },
  ],
}
