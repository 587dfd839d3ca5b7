import type { ReactNode } from 'react'
import { Card } from '../../blocks/Card.tsx'
import { dayText } from '../../format/day.ts'
import styles from './Timeline.module.css'

export type Moment = { day: string; key: string; title?: string; words: ReactNode; mark?: 'incident' }

type Props = { title: string; sub: string; moments: readonly Moment[]; none: string }

/** What happened on which day, newest first. */
export function Timeline({ title, sub, moments, none }: Props) {
  return (
    <Card title={title} sub={sub}>
      {moments.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <ol className={styles.moments}>
          {moments
            .toSorted((a, b) => b.day.localeCompare(a.day))
            .map(({ day, key, title: name, words, mark }) => (
              <li key={key} data-mark={mark}>
                <time dateTime={day}>{dayText(day)}</time>
                <div>
                  {name && <strong>{name}</strong>}
                  {words}
                </div>
              </li>
            ))}
        </ol>
      )}
    </Card>
  )
}
