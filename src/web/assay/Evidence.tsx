import type { Restatement, SourceRef } from '#http/contract.ts'
import { dayText, durationText, timeText } from '../format/day.ts'
import { figureText, percentText } from '../format/figure.ts'
import styles from './Evidence.module.css'
import type { Comparison } from './loadAssay.server.ts'

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

/** Other publishers of the same days, and how far they are from the figure that we show. */
export function ComparisonList({ comparisons, unit }: { comparisons: readonly Comparison[]; unit: string }) {
  if (comparisons.length === 0) return <p>No other source covers these days.</p>
  return (
    <ul className={styles.sources}>
      {comparisons.map(comparison => (
        <li key={comparison.source}>
          <p>{comparison.source}</p>
          <p className={styles.quiet}>
            Equal on {comparison.equalDays} of {comparison.days} common days
            {comparison.equalDays < comparison.days &&
              `; apart by ${percentText(comparison.meanApart)} in the mean, ${percentText(comparison.mostApart)} at most`}
          </p>
          {comparison.unequal.length > 0 && (
            <ul className={styles.rows}>
              {comparison.unequal.map(row => (
                <li key={`${row.day} ${row.key}`}>
                  <span>
                    {dayText(row.day)}
                    {row.key && `, ${row.key}`}
                  </span>
                  <span>{figureText(row.value, unit).text}</span>
                  <span className={styles.quiet}>ours {figureText(row.chosen, unit).text}</span>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
