import type { StacksTableAnswer } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { grouped } from '../../format/figure.ts'
import styles from './Sip033.module.css'
import { WORDS_OF_033 } from './sip033Words.ts'

type Props = { uses: StacksTableAnswer | undefined }

/** What each new word does, how it is written, and how many contracts held here use it. */
export function Sip033Words({ uses }: Props) {
  const contracts = new Map(
    uses?.rows.flatMap(row => (row.contracts === null ? [] : [[row.word, String(row.contracts)] as const])),
  )
  return (
    <Card
      title="What Clarity 4 brings"
      sub={
        <>
          Twelve words, by <Sip path="sip-033/sip-033-clarity4.md" number={33} />; each with the number of
          indexed contracts that use it, if all blocks since its introduction are indexed
        </>
      }
    >
      <dl className={styles.words}>
        {WORDS_OF_033.map(({ word, does, form }) => (
          <div key={word}>
            <dt>
              <code>{word}</code>
              <span className={styles.uses}>{usesText(contracts.get(word))}</span>
            </dt>
            <dd>
              {does}
              <code className={styles.form}>{form}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function usesText(count: string | undefined): string {
  if (count === undefined) return ''
  return count === '1' ? '1 contract' : `${grouped(count)} contracts`
}

/** A proposal, as its text stands in the repository of proposals. */
export const Sip = ({ path, number }: { path: string; number: number }) => (
  <a href={`https://github.com/stacksgov/sips/blob/main/sips/${path}`} rel="noopener noreferrer">
    SIP-{String(number).padStart(3, '0')}
  </a>
)
