import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/Icon.tsx'
import card from './Card.module.css'
import styles from './State.module.css'

type Props = {
  kind: 'empty' | 'failed' | 'stale' | 'locked'
  title: string
  sub?: string
  /** Why, and what to do. */
  children: ReactNode
  /** Height of what would stand here, so that nothing moves when it comes. */
  height?: number
}

const ICON: Record<Props['kind'], IconName> = {
  empty: 'chart',
  failed: 'warning',
  stale: 'warning',
  locked: 'warning',
}

/** A card that has nothing to draw and says why. */
export function StateCard({ kind, title, sub, children, height = 292 }: Props) {
  return (
    <section className={card.card} data-kind={kind}>
      <header className={card.head}>
        <div className={card.words}>
          <h2 className={card.title}>{title}</h2>
          {sub && <p className={card.sub}>{sub}</p>}
        </div>
      </header>
      <div
        className={styles.body}
        style={{ minBlockSize: height }}
        role={kind === 'failed' ? 'alert' : undefined}
      >
        <Icon name={ICON[kind]} />
        <div className={styles.words}>{children}</div>
      </div>
    </section>
  )
}
