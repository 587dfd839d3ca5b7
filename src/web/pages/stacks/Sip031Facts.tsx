import { Link } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { Principal } from './Principal.tsx'
import styles from './Stacks.module.css'

const PROPOSAL = 'https://github.com/stacksgov/sips/blob/main/sips/sip-031/sip-031.md'

/** What the proposal says, and how its vote was counted. */
export function Sip031Facts() {
  return (
    <>
      <Card
        title="What was decided"
        sub={
          <>
            <a href={PROPOSAL} rel="noopener noreferrer">
              SIP-031
            </a>
            , ratified; in force since Bitcoin block 907,740 (epoch 3.2)
          </>
        }
      >
        <Facts
          facts={[
            { label: 'Minted at the activation', value: '200,000,000 STX' },
            { label: 'Claimable immediately', value: '100,000,000 STX' },
            { label: 'Vests', value: '100,000,000 STX over 24 months, a step each 4,383 Bitcoin blocks' },
            { label: 'Minted with each tenure', value: '475 STX in the first year, at most 1,705' },
            {
              label: 'Five years together, at most',
              value: '303,796,800 STX; the proposal speaks of 300 million',
            },
            { label: 'Contract', value: <Principal of="SP000000000000000000002Q6VF78.sip-031" /> },
            { label: 'First recipient', value: <Principal of="SM1Z6BP8PDKYKXTZXXSKXFEY6NQ7RAM7DAEAYR045" /> },
          ]}
        />
      </Card>
      <Card title="The vote" sub="Closed at Bitcoin block 905,449, in July 2025">
        <Facts
          facts={[
            {
              label: 'Rule for stacked STX',
              value:
                'At least 80 million STX vote, 80% of them in favor: 242.9 million voted, 98.8% in favor',
              isWide: true,
            },
            {
              label: 'Rule for liquid STX',
              value: '80% of votes in favor: 93.0% of 67.9 million',
              isWide: true,
            },
            {
              label: 'How one voted',
              value:
                'By sending dust to one of two Stacks addresses. Solo stackers could also use one of two Bitcoin addresses',
              isWide: true,
            },
          ]}
        />
        <p className={styles.note}>
          The two sides that the text states, 303,143,381 and 7,663,233 STX, make 310,806,614: 503 more than
          its total of 310,806,111. The notes of{' '}
          <a href="https://github.com/mijoco-btc/stxeco-vote" rel="noopener noreferrer">
            those who counted
          </a>{' '}
          have 303,142,878 in favor, which is the total to the unit. Ballots are not listed, so no count of
          our own is possible; those of SIP-021, 025 and 027 are{' '}
          <Link to="#sip-recount">counted again below</Link>.
        </p>
      </Card>
    </>
  )
}

/** What the endowment owes its community by the text, and what of it is here. */
export function Sip031Reports() {
  return (
    <Card title="Milestones reported by the endowment">
      <p className={styles.note}>
        The proposal asks for a detailed report each year and a shorter one each quarter. They are published
        as pages and documents without figures that a program can read; none is recorded here, so nothing is
        claimed about what was reached. Its address and its accounts above speak for themselves.
      </p>
    </Card>
  )
}
