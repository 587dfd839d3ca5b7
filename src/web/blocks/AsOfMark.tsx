import { Link } from 'react-router'
import type { AsOf } from '#http/contract.ts'
import { dayText, timeText } from '../format/day.ts'
import { grouped } from '../format/figure.ts'
import styles from './AsOfMark.module.css'
import { AGE_WORD } from './ageWord.ts'

export type AsOfMarkProps = {
  /** Absent while there is no data. */
  asOf: AsOf | undefined
  /** Day of the oldest key figure, where it is not that of the newest figure. */
  from?: string | undefined
  /** Day of the newest figure of the page, where it is not that of the mark. */
  day?: string | undefined
  /** What an address must say so that it shows these days tomorrow too. */
  held?: Record<string, string | undefined> | undefined
  /** Mark of the figures that rest on blocks, where that is another. */
  blocks?: AsOf | undefined
}

/** Of which days the page is, always in sight; leads to the status of every source. */
export function AsOfMark({ asOf, from, day = asOf?.time.slice(0, 10) ?? '', blocks = asOf }: AsOfMarkProps) {
  if (!asOf || !blocks) {
    return (
      <Link to="/status" className={styles.mark}>
        <span className={styles.dot} aria-hidden="true" />
        No data yet
      </Link>
    )
  }
  const blockDay = blocks.time.slice(0, 10)
  return (
    <Link
      to="/status"
      className={styles.mark}
      data-state={asOf.state}
      title={`${asOf.time.startsWith(day) ? `${timeText(asOf.time)}. ` : ''}Open the status of every source.`}
    >
      <span className={styles.dot} aria-hidden="true" />
      <span>
        As of {from && `${dayText(from)} – `}
        {dayText(day)}
        {AGE_WORD[asOf.state]}
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
