import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'
import { dayText } from '../../format/day.ts'
import { Grade as Staircase } from '../l2s/Grade.tsx'
import { GRADED } from '../l2s/words.ts'
import styles from './Grade.module.css'
import type { Cell, CompareRow } from './tableOf.ts'

type Props = { row: CompareRow; cell: Cell; category: string; day: string | null }

/** How much a holder must trust: as a word, as so many bars of five, and in a colour; below it whom. */
export function Grade({ row, cell, category, day }: Props) {
  const { search } = useLocation()
  const grade = Math.min(5, Math.max(1, Number(cell.value)))
  const word = GRADED[grade - 1] ?? null
  const who = row.trust?.[category as keyof NonNullable<CompareRow['trust']>]
  return (
    <span className={styles.grade}>
      <Link
        className={styles.word}
        to={addressOfAssay(search, cell.assay, cell.day)}
        preventScrollReset
        aria-label={`${row.name}, ${category}: ${word} trust needed, assessed ${dayText(cell.day)}. Open its assay view.`}
      >
        <Staircase grade={word} />
      </Link>
      <span className={styles.who} title={who}>
        {who ?? (cell.day === day ? '' : dayText(cell.day))}
      </span>
    </span>
  )
}
