import { Card } from '../../blocks/Card.tsx'
import { usePeople } from '../../people/usePeople.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import styles from './Reports.module.css'
import type { Lock } from './useWhole.ts'

/** In place of a text that needs a feature: what is missing, and the way to it. */
export function GateCard({ requires, lock }: { requires: string | null; lock: Lock }) {
  const { queryToken, people } = usePeople()
  return (
    <Card title="The rest is for Premium">
      <div className={styles.gate}>
        <p role="status">
          {lock.is === 'failed'
            ? lock.words
            : `Title, summary, chart and sources are open to all; the text needs the feature ${requires}.`}
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
