import styles from './Spinner.module.css'

/** A full-screen centred spinner. */
export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.screen} role="status">
      <span className={styles.ring} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </div>
  )
}
