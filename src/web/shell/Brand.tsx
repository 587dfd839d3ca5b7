import styles from './Brand.module.css'

/** A balance that is level: the mark and the name. */
export function Brand() {
  return (
    <span className={styles.brand}>
      <svg className={styles.mark} viewBox="0 0 28 28" aria-hidden="true">
        <path d="M3 23L14 4l11 19" />
        <path className={styles.beam} d="M8.5 17.5h11" />
        <circle cx="14" cy="17.5" r="2.4" />
      </svg>
      assay
    </span>
  )
}
