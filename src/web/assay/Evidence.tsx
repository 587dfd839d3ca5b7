import type { Difference, Restatement, SourceRef } from '#http/contract.ts'
import { dayText, durationText, timeText } from '../format/day.ts'
import { changeText, figureText } from '../format/figure.ts'
import styles from './Evidence.module.css'

/** Each source with its link, its licence and its last success. */
export function SourceList({ sources }: { sources: readonly SourceRef[] }) {
  if (sources.length === 0) return <p className={styles.quiet}>No source is registered yet.</p>
  return (
    <ul className={styles.sources}>
      {sources.map(source => (
        <li key={source.id}>
          <p>
            <a href={source.url} rel="noreferrer">
              {source.name}
            </a>
          </p>
          <p className={styles.quiet}>
            {source.lastSuccess ? `Last read ${timeText(source.lastSuccess)}` : 'Never reached'}
            {source.cadenceSeconds === null
              ? ', a recording'
              : `, every ${durationText(source.cadenceSeconds)}`}{' '}
            · {source.licence}
          </p>
          {source.about && <p className={styles.quiet}>{source.about}</p>}
        </li>
      ))}
    </ul>
  )
}

/** What changed after it was published: the old figure stays in sight. */
export function RestatementList({ rows, unit }: { rows: readonly Restatement[]; unit: string }) {
  if (rows.length === 0) return <p>Never, in the days shown.</p>
  return (
    <ul className={styles.rows}>
      {rows.map(row => (
        <li key={`${row.day} ${row.key} ${row.observedAt}`}>
          <span>
            {dayText(row.day)}
            {row.key && `, ${row.key}`}
          </span>
          <span>
            <del>{figureText(row.oldValue, unit).text}</del> {figureText(row.newValue, unit).text}
          </span>
          <span className={styles.quiet}>
            {row.source}, {dayText(row.observedAt)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The same day by another source, with the difference to ours. */
export function DifferenceList({ rows, unit }: { rows: readonly Difference[]; unit: string }) {
  if (rows.length === 0) return <p>No other source covers these days.</p>
  return (
    <ul className={styles.rows}>
      {rows.slice(0, 12).map(row => {
        const [theirs, ours] = [Number(row.value), Number(row.chosen)]
        const isComparable = row.value !== null && row.chosen !== null && ours !== 0
        return (
          <li key={`${row.day} ${row.key} ${row.source}`}>
            <span>
              {dayText(row.day)}
              {row.key && `, ${row.key}`}
            </span>
            <span>
              {figureText(row.value, unit).text}{' '}
              <span className={styles.quiet}>against {figureText(row.chosen, unit).text}</span>
            </span>
            <span className={styles.quiet}>
              {isComparable ? (theirs === ours ? 'equal' : changeText(theirs / ours - 1)) : ''} {row.source}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
