import { useEffect, useState } from 'react'
import type { QueryEstimate } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { usageParts } from '../../format/usageText.ts'
import { askPerson } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import styles from './Account.module.css'
import { timeText } from './accountView.ts'

/** What the person has used of the daily quota for queries. Left out where nothing counts it. */
export function QuotaCard({ people }: { people: People }) {
  const [usage, setUsage] = useState<QueryEstimate['usage']>()
  useEffect(() => {
    const gone = new AbortController()
    // The estimate of any query comes with the usage of the day.
    askPerson(people, '/api/v1/queries/estimate', {
      method: 'POST',
      body: { sql: 'SELECT 1' },
      signal: gone.signal,
    }).then(
      answer => setUsage((answer as QueryEstimate).usage),
      () => {},
    )
    return () => gone.abort()
  }, [people])
  if (usage === undefined) return null
  return (
    <Card title="Queries today" sub="Counted over all your sessions and keys.">
      <div className={styles.body}>
        <ul className={styles.list}>
          {usageParts(usage).map(({ name, text }) => (
            <li key={name}>
              <strong>{name}</strong> {text}
            </li>
          ))}
        </ul>
        <p className={styles.quiet}>Resets {timeText(usage.resetsAt)}.</p>
      </div>
    </Card>
  )
}
