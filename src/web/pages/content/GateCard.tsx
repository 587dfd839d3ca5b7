import { Card } from '../../blocks/Card.tsx'
import { usePeople } from '../../people/usePeople.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import styles from './Reports.module.css'
import type { Lock } from './useGated.ts'

type Props = {
  title?: string
  summary?: string
  requires: string | null
  lock: Lock
}

/** In place of a text that needs a feature: what is missing, and the way to it. */
export function GateCard({ title = 'The rest is for Premium', summary, requires, lock }: Props) {
  const { queryToken, people } = usePeople()
  return (
    <Card title={title} sub={summary}>
      <div className={styles.gate}>
        <p role="status">
          {lock.is === 'failed'
            ? lock.words
            : `The text needs the feature ${requires}, which is part of Premium.`}
        </p>
        <p className={styles.ways}>
          <ButtonLink to="/pricing" look="primary">
            Go Premium
          </ButtonLink>
          {queryToken === null && people && (
            <Button onClick={() => void people.signIn(window.location.pathname)}>
              Already have Premium? Log in
            </Button>
          )}
        </p>
      </div>
    </Card>
  )
}
