import { Link } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { profilePath } from '../l2s/words.ts'

/** How far the public figures of Lightning reach, and what nobody outside can see. */
export function LightningPanel() {
  return (
    <Card
      title="What these figures cover"
      sub="The public graph alone, as mempool.space reads it from the gossip of nodes"
      foot={
        <Link to={profilePath('lightning')}>How bitcoin gets onto Lightning, and whom a holder trusts</Link>
      }
    >
      <Facts
        facts={[
          {
            label: 'Counted',
            value:
              'Channels that both ends have announced, with the satoshis of their funding outputs, and the nodes that announce themselves.',
            isWide: true,
          },
          {
            label: 'Not covered: private channels',
            value:
              'Channels that are not announced, as phones mostly have them. Their funding outputs look like many others, so capacity is a lower bound.',
            isWide: true,
          },
          {
            label: 'Not covered: payments',
            value:
              'How many payments there are and how much they move: onion routing hides both. No figure of them here or elsewhere is a count.',
            isWide: true,
          },
          {
            label: 'Not covered: balances',
            value:
              'Only the two ends of a channel know how it is split, so capacity is the maximum that can move, not what can move now.',
            isWide: true,
          },
        ]}
      />
    </Card>
  )
}
