import type { ReactNode } from 'react'
import styles from './PageTitle.module.css'

type Props = {
  /** Only for screen readers: the page shows its title in another form. */
  isHidden?: boolean
  children: ReactNode
}

/** The one `h1` of a page. */
export function PageTitle({ isHidden = false, children }: Props) {
  return <h1 className={isHidden ? 'visually-hidden' : styles.title}>{children}</h1>
}
