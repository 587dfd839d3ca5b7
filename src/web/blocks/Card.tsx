import { type ReactNode, useId } from 'react'
import styles from './Card.module.css'

type Props = { title: string; sub?: ReactNode; tools?: ReactNode; foot?: ReactNode; children: ReactNode }

/** A titled card. */
export function Card({ title, sub, tools, foot, children }: Props) {
  const titleId = useId()
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <header className={styles.head}>
        <div className={styles.words}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {sub && <p className={styles.sub}>{sub}</p>}
        </div>
        {tools && <div className={styles.tools}>{tools}</div>}
      </header>
      {children}
      {foot && <footer className={styles.foot}>{foot}</footer>}
    </section>
  )
}
