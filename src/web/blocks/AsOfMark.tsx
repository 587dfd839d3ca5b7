import { Link } from 'react-router'
import type { AsOf } from '#http/contract.ts'
import { dayText, timeText } from '../format/day.ts'
import { grouped } from '../format/figure.ts'
import styles from './AsOfMark.module.css'

export type AsOfMarkProps = {
  /** Absent while nothing is held. */
  asOf: AsOf | undefined
  /** Day of the newest figure, where it is not that of the mark. */
  day?: string | undefined
  /** What an address must say so that it shows these days tomorrow too. */
  held?: Record<string, string | undefined> | undefined
  /** Mark of the figures that rest on blocks, where that is another. */
  blocks?: AsOf | undefined
}

/** How old the page is, always in sight; leads to the status of every source. */
export function AsOfMark({ asOf, day = asOf?.time.slice(0, 10) ?? '', blocks = asOf }: AsOfMarkProps) {
  if (!asOf || !blocks) {
    return (
      <Link to="/status" className={styles.mark}>
        <span className={styles.dot} aria-hidden="true" />
        nothing is held yet
      </Link>
    )
  }
  const blockDay = blocks.time.slice(0, 10)
  return (
    <Link
      to="/status"
      className={styles.mark}
      data-state={asOf.state}
      title={`As of ${timeText(asOf.time)}. Open the status of every source.`}
    >
      <span className={styles.dot} aria-hidden="true" />
      <span>
        {asOf.state} {dayText(day)}
        {blocks.height !== null && (
          <>
            {' '}
            · block {grouped(String(blocks.height))}
            {blockDay < day && <> of {dayText(blockDay)}</>}
          </>
        )}
      </span>
    </Link>
  )
}
