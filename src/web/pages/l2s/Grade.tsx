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
  return (
    <span className={styles.grade} data-place={place ?? undefined} data-stacked={isStacked || undefined}>
      <svg viewBox="0 0 22 12" aria-hidden="true">
        {GRADED.map((name, index) => (
          <rect
            key={name}
            x={index * 4.6}
            y={9 - index * 2}
            width="3.4"
            height={3 + index * 2}
            rx="0.8"
            data-on={(place !== null && index < place) || undefined}
          />
        ))}
      </svg>
      {!isBare && <span className={place === null ? styles.none : undefined}>{grade ?? 'Not graded'}</span>}
    </span>
  )
}
