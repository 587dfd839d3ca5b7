import type { SearchResult } from '#http/contract.ts'
import styles from './Results.module.css'

type Props = { label: string; marks?: SearchResult['marks'] }

/** A label whose letters that answer what was typed are marked. */
export function ResultLabel({ label, marks = [] }: Props) {
  const ends = [0, ...marks.map(({ to }) => to)]
  return (
    <>
      {marks.map(({ from, to }, at) => (
        <span key={from}>
          {label.slice(ends[at], from)}
          <mark className={styles.match}>{label.slice(from, to)}</mark>
        </span>
      ))}
      {label.slice(ends.at(-1))}
    </>
  )
}
