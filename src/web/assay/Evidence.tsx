import type { Restatement, SourceRef, Watched } from '#http/contract.ts'
import { agoText, dayText, durationText, timeText } from '../format/day.ts'
import { figureText, percentText } from '../format/figure.ts'
import styles from './Evidence.module.css'
import type { Comparison } from './loadAssay.server.ts'

/** In words where a colour alone would say it. */
const STATE_WORD: Record<SourceRef['state'], string> = {
  live: '',
  recorded: '',
  never: '',
  stale: ', stale: over twice that',
  overdue: ', overdue: over four times that',
}

/** Each source with its link, its licence, its last success and its age. */
export function SourceList({ sources, now }: { sources: readonly SourceRef[]; now: string }) {
  if (sources.length === 0) return <p className={styles.quiet}>No source is registered yet.</p>
  return (
    <ul className={styles.sources}>
      {sources.map(source => (
        <li key={source.id}>
          <p>
            <a href={source.url} rel="noopener noreferrer">
              {source.name}
            </a>
          </p>
          <p className={styles.quiet}>
            <span data-state={source.state}>
              {source.lastSuccess
                ? `Last read ${timeText(source.lastSuccess)}, ${agoText(source.lastSuccess, now)}`
                : 'Never reached'}
              {source.cadenceSeconds === null
                ? source.lastSuccess && '; a recording, not read again'
                : `; every ${durationText(source.cadenceSeconds)}${STATE_WORD[source.state]}`}
            </span>{' '}
            · {source.licence}
          </p>
          {source.about && <p className={styles.quiet}>{source.about}</p>}
        </li>
      ))}
    </ul>
  )
}

type RestatementProps = { rows: readonly Restatement[]; unit: string; hasBlocks: boolean }

/** What changed after it was published, when and by whom: the old figure stays in sight. */
export function RestatementList({ rows, unit, hasBlocks }: RestatementProps) {
  const ours = hasBlocks
    ? ' Our own days are recomputed from their blocks whenever those change, including in a reorg. Only the latest result is stored.'
    : ''
  if (rows.length === 0) return <p>No publisher restated a day shown here.{ours}</p>
  return (
    <>
      <p>The source revised a figure that it had reported before. The latest counts.{ours}</p>
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
    </>
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

/** More days than that are counted, not named. */
const SHOWN = 6

type WatchProps = { watches: Watched['watches']; unit: string }

/** What is news about a figure, and when an alert on it would have told so. */
export function WatchList({ watches, unit }: WatchProps) {
  return (
    <>
      <p>Alert conditions, and the days in this view on which they were met.</p>
      <ul className={styles.sources}>
        {watches.map(({ id, says, occurrences, isMet, when }) => (
          <li key={id}>
            <p className={styles.says}>{says}</p>
            <p className={styles.quiet}>
              {occurrences.length === 0
                ? 'On none of these days'
                : `${occurrences.length === 1 ? 'Once' : `${occurrences.length} times`}${occurrences.length > SHOWN ? `, the last ${SHOWN} of them` : ''}`}
              {isMet && when !== 'changes' && '; it holds now'}.
            </p>
            {occurrences.length > 0 && (
              <ul className={styles.rows}>
                {occurrences
                  .slice(-SHOWN)
                  .toReversed()
                  .map(({ day, value, before }) => (
                    <li key={day}>
                      <span>{dayText(day)}</span>
                      <span>{figureText(value, unit).text}</span>
                      <span className={styles.quiet}>
                        {before === null ? '' : `from ${figureText(before, unit).text}`}
                      </span>
                    </li>
                  ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
