import type { ReactNode } from 'react'
import { timeText } from '../../../format/day.ts'
import styles from './Timeline.module.css'

export type TimelineStep = {
  chain: 'Bitcoin' | 'Stacks'
  title: string
  /** Null: not yet, or in a block that is not held; `text` says which. */
  time: string | null
  isOpen?: boolean
  /** Block and transaction. */
  at?: ReactNode
  text?: ReactNode
  /** How long it took from the step before, and what is usual. */
  wait?: string | undefined
  usual?: string | undefined
}

/** Steps over both chains in the order of time: it is a list, and is read as one. */
export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ chain, title, time, isOpen = false, at, text, wait, usual }) => (
        <li key={title} className={styles.step} data-open={isOpen || undefined}>
          {(wait || usual) && (
            <p className={styles.wait}>
              {wait && <strong>{wait}</strong>}
              {wait && usual ? ' · ' : ''}
              {usual}
            </p>
          )}
          <div className={styles.box}>
            <h3 className={styles.title}>
              {title} <span className={styles.chain}>on {chain}</span>
            </h3>
            {time && (
              <time className={styles.time} dateTime={time}>
                {timeText(time)}
              </time>
            )}
            {at && <p className={styles.at}>{at}</p>}
            {text && <p className={styles.text}>{text}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}
