import type { ReactNode } from 'react'
import styles from './WithRail.module.css'

type Props = {
  label: string
  /** Links or controls in the rail. */
  contents: ReactNode
  /** A reader’s choice; unless one was made, the width of the window decides. */
  size?: 'wide' | 'small' | undefined
  /** Further class of the rail, for one that holds more than links. */
  className?: string | undefined
  children: ReactNode
}

/** A page beside a rail of its own: narrow on small desks, a strip above the page on phones. */
export function WithRail({ label, contents, size, className = '', children }: Props) {
  return (
    <div className={styles.frame} data-rail={size}>
      <nav className={`${styles.rail} ${className}`.trim()} aria-label={label} data-screen>
        {contents}
      </nav>
      <div className={styles.chapter}>{children}</div>
    </div>
  )
}
