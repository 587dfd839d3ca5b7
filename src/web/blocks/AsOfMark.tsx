import { Link } from 'react-router'
import type { AsOf } from '#http/contract.ts'
import { dayText, reachedDay, timeText } from '../format/day.ts'
import { grouped } from '../format/figure.ts'
import styles from './AsOfMark.module.css'

type Props = {
  asOf: AsOf
  /** Mark of the figures that rest on blocks, where that is another. */
  blocks?: AsOf | undefined
}

/** How old the page is, always in sight; leads to the status of every source. */
export function AsOfMark({ asOf, blocks = asOf }: Props) {
  const day = reachedDay(asOf.time)
  const blockDay = reachedDay(blocks.time)
  return (
    <Link
      to="/status"
      className={styles.mark}
      data-state={asOf.state}
      title={`Newest figure ${timeText(asOf.time)}. Open the status of every source.`}
    >
      <span className={styles.dot} aria-hidden="true" />
      <span>
        {asOf.state} {dayText(day)}
        {blocks.height !== null && (
          <>
            {' '}
            · block {grouped(String(blocks.height))}
            {blockDay !== day && <> of {dayText(blockDay)}</>}
          </>
        )}
      </span>
    </Link>
  )
}
