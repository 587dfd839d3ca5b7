import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { Change } from '../../blocks/Change.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { MOVES } from './anchors.ts'
import styles from './MovesList.module.css'
import type { Move } from './moves.ts'

export type MovesProps = {
  moves: readonly Move[]
  until: string
  colourOf: (entity: string) => string
  now: string
}

/** Days after which "this week" would be untrue. */
const RECENT_DAYS = 9

/** The largest moves of a week, computed from whole buckets; where the newest figures are old it says of which week. */
export function MovesList({ moves, until, colourOf, now }: MovesProps) {
  const { search } = useLocation()
  const isRecent = (Date.parse(now) - Date.parse(until)) / 86_400_000 <= RECENT_DAYS
  return (
    <Card
      title={isRecent ? 'What changed this week' : `What changed in the week to ${dayText(until)}`}
      sub="Biggest 7-day moves (layers ≥ 1%)"
      foot={
        isRecent ? undefined : (
          <span>
            The latest data is from {dayText(until)}. With internet, sources are polled automatically.
          </span>
        )
      }
    >
      <ol id={MOVES} className={styles.moves}>
        {moves.map(move => (
          <li key={`${move.entity} ${move.metric}`}>
            <i style={{ background: `var(--${colourOf(move.entity)})` }} aria-hidden="true" />
            <span className={styles.what}>
              <b>{move.name}</b> {move.label}
            </span>
            <Change change={move.change} range="7d" />
            <Link
              to={addressOfAssay(search, move.assay, move.day)}
              preventScrollReset
              aria-label={`${move.name}, ${move.label}: ${figureText(move.value, move.unit).text}, exactly ${figureText(move.value, move.unit).full}. Open its assay view.`}
            >
              {figureText(move.value, move.unit).text}
            </Link>
            <span className={styles.day}>
              {move.grain === 'week' ? 'week of ' : ''}
              {dayText(move.day)}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
