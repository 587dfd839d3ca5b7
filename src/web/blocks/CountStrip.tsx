import { Link } from 'react-router'
import styles from './Kpi.module.css'

export type Counted = {
  label: string
  /** As it is read: `63`, `1,204 BTC`. */
  text: string
  /** The exact value, where `text` is shortened. */
  full?: string
  /** What it is a count of, or how far it reaches. */
  about: string
  /** Where the things that were counted are shown. */
  to: string
}

/** Figures that follow from a list on the same page: each leads to what was counted. */
export function CountStrip({ label, counts }: { label: string; counts: readonly Counted[] }) {
  return (
    <ul className={`${styles.strip} ${styles.counts}`} data-count={counts.length} aria-label={label}>
      {counts.map(({ label: name, text, full, about, to }) => {
        const [number, ...tail] = text.split(' ')
        return (
          <li key={name} className={styles.kpi}>
            <span className={styles.label}>{name}</span>
            <Link
              className={styles.figure}
              to={to}
              title={full}
              aria-label={`${name}: ${text}. Show them.`}
              preventScrollReset
            >
              {number}
              {tail.length > 0 && <small> {tail.join(' ')}</small>}
            </Link>
            <span className={styles.meta}>{about}</span>
          </li>
        )
      })}
    </ul>
  )
}
