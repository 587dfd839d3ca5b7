import { Link } from 'react-router'
import type { AsOf } from '#http/contract.ts'
import { dayText, timeText } from '../format/day.ts'
import { grouped } from '../format/figure.ts'
import styles from './AsOfMark.module.css'

type Props = { asOf: AsOf }

const WORD: Record<AsOf['state'], string> = { live: 'live', recorded: 'recorded', stale: 'not fresh' }

/** How old the page is, always in sight; leads to the status of every source. */
export function AsOfMark({ asOf }: Props) {
  return (
    <Link
      to="/status"
      className={styles.mark}
      data-state={asOf.state}
      title={`${timeText(asOf.time)}. Open the status of every source.`}
    >
      <span className={styles.dot} aria-hidden="true" />
      <span>
        {WORD[asOf.state]} {dayText(asOf.time)}
        {asOf.height !== null && <> · block {grouped(String(asOf.height))}</>}
      </span>
    </Link>
  )
}
