import type { ReactNode } from 'react'
import styles from './Tip.module.css'

type Props = { text: string; children: ReactNode; side?: 'above' | 'below' }

/** A short name that appears on hover and on keyboard focus, after the specified delay. The child carries its own label. */
export function Tip({ text, children, side = 'above' }: Props) {
  return (
    <span className={styles.host}>
      {children}
      <span
        className={`${styles.tip} ${side === 'below' ? styles.below : styles.toStart}`}
        aria-hidden="true"
      >
        {text}
      </span>
    </span>
  )
}
