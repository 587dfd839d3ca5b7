import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ReportList } from '#http/contract.ts'
import { dayText } from '../../format/day.ts'
import styles from './Reports.module.css'

type Props = { item: ReportList['items'][number]; picture?: ReactNode }

/** A report in a list: the whole card leads to it. */
export function ReportCard({ item, picture }: Props) {
  return (
    <article className={styles.card}>
      {picture}
      <p className={styles.about}>
        {item.topic} · {dayText(item.published)} · {item.minutes} min
        {item.requires !== null && ' · Premium'}
      </p>
      <h2 className={styles.title}>
        <Link to={`/reports/${item.key}`}>{item.title}</Link>
      </h2>
      <p>{item.summary}</p>
    </article>
  )
}
