import { Link } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'

/** What PoX-5 changed for miners. Sources: SIP-045; Stacks documentation, mining; `stacks-common/src/types/mod.rs`. */
const CHANGES = [
  {
    label: 'Outputs of a commit',
    value:
      'One, a deposit to the signers of sBTC with the contract pox-5 as recipient; before, two to reward addresses of stackers.',
  },
  {
    label: 'Who gets the bitcoin',
    value:
      'The contract, as sBTC: bonds first, up to their rate; of the rest 85 % to stakers of STX alone, 15 % to a reserve. Before, the holders of two reward slots.',
  },
  {
    label: 'What is burned',
    value:
      'Nothing. Before, the bids of the prepare phase (the last 100 blocks of a cycle) and of empty slots were.',
  },
  {
    label: 'Coinbase',
    value: '1,000 STX a tenure again from Bitcoin block 960,230; 500 STX from 945,000 to 960,229.',
  },
  {
    label: 'The draw',
    value: 'As it was: the smaller of a bid and its median over six blocks, at least three bids among them.',
  },
].map(fact => ({ ...fact, isWide: true }))

export function MiningChange() {
  return (
    <Card
      title="What changed with PoX-5"
      sub={
        <>
          Since Bitcoin block 962,150, the first of cycle 141. For bonds, reserve and rewards, see{' '}
          <Link to="/stacks">the Stacks page</Link>.
        </>
      }
    >
      <Facts facts={CHANGES} />
    </Card>
  )
}
