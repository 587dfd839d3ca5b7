import type { PublishedGrade } from '#http/contract.ts'
import styles from './Grade.module.css'
import { GRADED, placeOf } from './words.ts'

type Props = { grade: PublishedGrade | null; isBare?: boolean; isStacked?: boolean }

/**
 * A published grade as word, colour and height of a small staircase; a word that is no grade has an empty one. Stacked, the word
 * stands below, for columns.
 */
export function Grade({ grade, isBare = false, isStacked = false }: Props) {
  const place = placeOf(grade)
  const lit = place ?? 0
  return (
    <span className={styles.grade} data-place={place ?? undefined} data-stacked={isStacked || undefined}>
      <svg viewBox="0 0 22 12" aria-hidden="true">
        {lit > 0 && <path d={stairs(0, lit)} data-on />}
        {lit < GRADED.length && <path d={stairs(lit, GRADED.length)} />}
      </svg>
      {!isBare && <span className={place === null ? styles.none : undefined}>{grade ?? 'Not graded'}</span>}
    </span>
  )
}

/** Steps of the staircase with rounded corners, in one path: a list of layers has hundreds of them. */
const stairs = (from: number, to: number): string =>
  GRADED.slice(from, to)
    .map((_, index) => {
      const step = from + index
      const sides = 1.4 + step * 2
      return `M${(0.8 + step * 4.6).toFixed(1)} 12h1.8a.8.8 0 0 0 .8-.8v-${sides}a.8.8 0 0 0-.8-.8h-1.8a.8.8 0 0 0-.8.8v${sides}a.8.8 0 0 0 .8.8z`
    })
    .join('')
