import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'
import { dayText } from '../../format/day.ts'
import styles from './Grade.module.css'
import type { Cell, CompareRow } from './tableOf.ts'

/** Grades as Bitcoin Layers publishes them, from little to much that a holder must trust. */
const WORDS = ['Low', 'Medium', 'High', 'Very high', 'Critical'] as const

type Props = { row: CompareRow; cell: Cell; category: string; day: string | null }

/** How much a holder must trust: as a word, as so many bars of five, and in a colour; below it whom. */
export function Grade({ row, cell, category, day }: Props) {
  const { search } = useLocation()
  const grade = Math.min(5, Math.max(1, Number(cell.value)))
  const word = WORDS[grade - 1] ?? ''
  const who = row.trust?.[category as keyof NonNullable<CompareRow['trust']>]
  return (
    <span className={styles.grade} data-grade={grade}>
      <Link
        className={styles.word}
        to={addressOfAssay(search, cell.assay, cell.day)}
        preventScrollReset
        aria-label={`${row.name}, ${category}: ${word} trust needed, assessed ${dayText(cell.day)}. Open its assay view.`}
      >
        <svg viewBox="0 0 22 12" aria-hidden="true">
          {WORDS.map((name, index) => (
            <rect
              key={name}
              x={index * 4.5 + 0.5}
              y={9 - index * 2}
              width="3"
              height={3 + index * 2}
              rx="0.5"
              data-on={index < grade || undefined}
            />
          ))}
        </svg>
        {word}
      </Link>
      <span className={styles.who} title={who}>
        {who ?? (cell.day === day ? '' : dayText(cell.day))}
      </span>
    </span>
  )
}
