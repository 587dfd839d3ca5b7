import type { SourceRef } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { dayText } from '../../format/day.ts'
import styles from './Across.module.css'

/** How TVL is counted, by whom, and what that leaves out. */
export function TvlMethod({ sources }: { sources: readonly SourceRef[] }) {
  return (
    <Card title="How to read this page">
      <div className={styles.read}>
        <div className={styles.list}>
          <p>
            <strong>TVL</strong> is the value in protocol contracts, in US dollars of the day. Idle coins on a
            chain are excluded. It moves with prices. See tvl.constant_price for TVL without price effects.
          </p>
          <p>
            <strong>Left out</strong> by the source: liquid staking, double-counted value, borrowed coins, the
            protocol’s own staked tokens, pool2 and vesting coins. You can include them above. Parts overlap,
            so their sum counts some coins twice.
          </p>
          <p>
            <strong>By protocol</strong> the sum can exceed the chain’s total, because one protocol’s deposit
            in another counts in both. Lenders count only with funds not lent out. Protocols without an
            adapter are missing.
          </p>
        </div>
        <div className={styles.list}>
          {sources.map(source => (
            <p key={source.id}>
              <a href={source.url} rel="noopener noreferrer">
                {source.name}
              </a>
              : {source.licence}
              {source.lastSuccess ? `, read ${dayText(source.lastSuccess)}` : ', never reached'}.
            </p>
          ))}
        </div>
      </div>
    </Card>
  )
}
