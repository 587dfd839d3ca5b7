import { linePath, WIDTH } from './chart/shape.ts'
import styles from './Sparkline.module.css'

type Props = { values: readonly (number | null)[]; colour?: string; isWide?: boolean }

const HEIGHT = 28

/** Values at even steps as a shape: no axis, no number, gaps left open. */
export function Sparkline({ values, colour = 'series-bitcoin', isWide = false }: Props) {
  const known = values.filter((value): value is number => value !== null)
  const shape = isWide ? `${styles.spark} ${styles.wide}` : styles.spark
  if (known.length < 2) return <svg className={shape} aria-hidden="true" />
  const low = Math.min(...known)
  const span = Math.max(...known) - low || 1
  const path = linePath(
    values,
    index => (index / (values.length - 1)) * WIDTH,
    value => HEIGHT - 3 - ((value - low) / span) * (HEIGHT - 6),
  )
  return (
    <svg className={shape} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} style={{ color: `var(--${colour})` }} />
    </svg>
  )
}
