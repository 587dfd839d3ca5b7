import { Card } from '../../blocks/Card.tsx'
import { askPerson } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { deviceText, type SessionView, timeText } from './accountView.ts'
import { useAction } from './useAction.ts'

type Props = { people: People; sessions: readonly SessionView[]; onChange: () => Promise<void> }

/** Where the person is signed in, each of which can be ended. */
export function SessionsCard({ people, sessions, onChange }: Props) {
  const { isBusy, failure, run } = useAction()
  const end = (id: string) =>
    run(async () => {
      await askPerson(people, `/api/v1/account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
      await onChange()
    })
  return (
    <Card title="Sessions" sub="Where you are signed in.">
      <div className={styles.body}>
        {sessions.length === 0 && (
          <p>No sessions are stored on this server. An external identity provider manages them.</p>
        )}
        <ul className={styles.rows}>
          {sessions.map(({ id, device, since, seen, expires }) => (
            <li key={id}>
              <span className={styles.what}>
                <strong>{deviceText(device)}</strong>
                <span className={styles.quiet}>
                  since {timeText(since)}
                  {seen && `, last seen ${timeText(seen)}`}
                  {expires && `, ends ${timeText(expires)}`}
                </span>
              </span>
              <Button
                small
                disabled={isBusy}
                onClick={() => void end(id)}
                aria-label={`End the session of ${deviceText(device)}`}
              >
                End
              </Button>
            </li>
          ))}
        </ul>
        {failure && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
      </div>
    </Card>
  )
}
