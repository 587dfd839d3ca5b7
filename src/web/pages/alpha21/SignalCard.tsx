import { Link, useLocation } from 'react-router'
import type { SignalSummary } from '#http/contract.ts'
import { addressOfAssay } from '../../assay/address.ts'
import { addressWith } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import styles from './Alpha21.module.css'
import { StateMark } from './StateMark.tsx'
import { recordAt, recordText, sinceText, VERDICT_WORDS } from './words.ts'

/** One signal as it stands: state, since when, how strong, and its record in one line. */
export function SignalCard({ item }: { item: SignalSummary }) {
  const { search } = useLocation()
  const { id, name, state, since, day, isCurrent, reading, rank, unit, absent, history, verdict } = item
  const assay = (metric: string) => addressOfAssay(search, `${metric}@${id}`)
  return (
    <li className={styles.card} data-quiet={!isCurrent || undefined} id={id}>
      <div className={styles.cardHead}>
        <h3 className={styles.name}>
          <Link to={addressWith(search, { signal: id })} preventScrollReset>
            {name}
          </Link>
        </h3>
        <StateMark state={isCurrent ? state : null} />
      </div>
      {day === null ? (
        <p className={styles.absent}>{absent}</p>
      ) : (
        <>
          <p className={styles.since}>
            {isCurrent && since ? (
              sinceText(since, day)
            ) : (
              <>
                No reading since {dayText(day)}
                {state ? `, then ${state}` : ''}
              </>
            )}
          </p>
          <p className={styles.reading}>
            <Link to={assay('signal.reading')} preventScrollReset title={figureText(reading, unit).full}>
              {figureText(reading, unit).text}
            </Link>
            <span>
              as high as or higher than{' '}
              <Link to={assay('signal.rank')} preventScrollReset>
                {figureText(rank, 'ratio').text}
              </Link>{' '}
              of its days
            </span>
          </p>
        </>
      )}
      <p className={styles.record}>
        {day !== null && (
          <>
            {recordText(recordAt(history))}
            {': '}
          </>
        )}
        <b data-verdict={verdict}>{VERDICT_WORDS[verdict]}</b>
      </p>
    </li>
  )
}
