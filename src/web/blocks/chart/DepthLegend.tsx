import styles from './DepthLegend.module.css'
import { DEPTHS } from './depth.ts'

type Props = { colour: string; low: string; high: string; hasGaps: boolean }

/** From little to much, and what is not known. */
export function DepthLegend({ colour, low, high, hasGaps }: Props) {
  return (
    <ul className={styles.legend}>
      <li>
        <span>{low}</span>
        <span className={styles.steps} aria-hidden="true">
          {DEPTHS.map(depth => (
            <i key={depth} style={{ background: `var(--${colour})`, opacity: depth }} />
          ))}
        </span>
        <span>{high}</span>
      </li>
      {hasGaps && (
        <li>
          <span className={styles.steps} aria-hidden="true">
            <i className={styles.gap} />
          </span>
          <span>not known</span>
        </li>
      )}
    </ul>
  )
}
