import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import styles from './Stacks.module.css'

const SIPS = 'https://github.com/stacksgov/sips/blob/main/sips'

/** What each new word does, in the order of the proposal. */
const BRINGS = [
  {
    label: 'contract-hash?',
    value:
      'The hash of another contract’s source: whoever calls it can check that it follows a known template.',
  },
  {
    label: 'restrict-assets?, as-contract?',
    value:
      'Run code of others with a limit on what may leave: with-stx, with-ft, with-nft and with-stacking name it, with-all-assets-unsafe lifts it. as-contract without a limit is gone.',
  },
  { label: 'current-contract', value: 'The contract’s own principal, without switching to it.' },
  { label: 'to-ascii?', value: 'Numbers, truth values, principals and buffers as text.' },
  { label: 'stacks-block-time', value: 'The time of the block that is being made, in seconds.' },
  { label: 'secp256r1-verify', value: 'Signatures of passkeys and security chips.' },
  {
    label: 'SIP-034',
    value: 'A miner may extend its tenure by one dimension of cost alone, not by all five at once.',
  },
].map(fact => ({ ...fact, isWide: true }))

export function Sip033Facts() {
  return (
    <>
      <Card
        title="What it brings"
        sub={
          <>
            <a href={`${SIPS}/sip-033/sip-033-clarity4.md`}>SIP-033</a> with its rider{' '}
            <a href={`${SIPS}/sip-034/sip-034.md`}>SIP-034</a>, in force since Bitcoin block 923,222 of 11
            November 2025 (epoch 3.3). Clarity 5 followed with block 943,333, Clarity 6 with 960,230.
          </>
        }
      >
        <Facts facts={BRINGS} />
      </Card>
      <Card title="The vote" sub="Closed at Bitcoin block 921,445, in October 2025">
        <Facts
          facts={[
            {
              label: 'Rule for stacked STX',
              value:
                'At least 80 million STX vote, 80 % of them in favour: 206.4 million voted, all in favour',
              isWide: true,
            },
            {
              label: 'Rule for liquid STX',
              value: '80 % of what votes in favour: 99.99 % of 2.8 million',
              isWide: true,
            },
            {
              label: 'Addresses',
              value: '185: 79 through the ballot site, 36 by STX dust, 70 by Bitcoin',
              isWide: true,
            },
          ]}
        />
        <p className={styles.note}>
          The 250 STX against were a test of the voting platform by who built it. STX of the SIP-031 endowment
          may not vote. Ballots are not listed, so there is no count of our own.
        </p>
      </Card>
    </>
  )
}
