import type { ReactNode } from 'react'
import styles from './Facts.module.css'

export type Fact = { label: string; value: ReactNode; isWide?: boolean }

/** Names and values side by side: what is known about one thing. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(fact => (
        <div key={fact.label} className={fact.isWide ? styles.wide : undefined}>
          <dt>{fact.label}</dt>
          <dd>{fact.value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
