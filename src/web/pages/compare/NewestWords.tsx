import { Link } from 'react-router'
import type { ReportList } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { dayText } from '../../format/day.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { NEWEST } from './anchors.ts'
import styles from './NewestWords.module.css'

/** What `Newest` waits for. */
export function NewestWords({ report }: { report: ReportList['items'][number] }) {
  const { key, topic, published, minutes, title, summary } = report
  return (
    <Card
      title="Newest report"
      sub={`${topic} · ${dayText(published)} · ${minutes} min`}
      tools={
        <ButtonLink to="/reports" small>
          All reports
        </ButtonLink>
      }
    >
      <div id={NEWEST} className={styles.report}>
        <h3>
          <Link to={`/reports/${key}`}>{title}</Link>
        </h3>
        <p>{summary}</p>
      </div>
    </Card>
  )
}
