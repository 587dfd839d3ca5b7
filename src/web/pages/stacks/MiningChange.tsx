import { Link } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'

/** What PoX-5 changed for miners. Sources: SIP-045; Stacks documentation, mining; `stacks-common/src/types/mod.rs`. */
const CHANGES = [
  {
    label: 'Outputs of a commit',
    value:
      'One, a deposit to the sBTC signers with the contract pox-5 as recipient. Before, two to reward addresses of stackers.',
  },
  {
    label: 'Who gets the bitcoin',
    value:
      'The contract, as sBTC. Bonds come first, up to their rate. Of the rest, 85% goes to STX-only stakers and 15% to a reserve. Before, the holders of two reward slots.',
  },
  {
    label: 'Burned',
    value: 'Nothing. Before, bids of the prepare phase (the last 100 blocks of a cycle) and of empty slots.',
  },
  {
    label: 'Coinbase',
    value: '1,000 STX per tenure again from Bitcoin block 960,230. 500 STX from 945,000 to 960,229.',
  },
  {
    label: 'Sortition',
    value:
      'Unchanged: the smaller of a bid and its median over six blocks, with at least three bids among them.',
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
