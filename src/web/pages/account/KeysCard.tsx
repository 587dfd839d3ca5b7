import { type FormEvent, useState } from 'react'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { askPerson } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { type KeyView, timeText } from './accountView.ts'
import { useAction } from './useAction.ts'

type Props = { people: People; keys: readonly KeyView[]; onChange: () => Promise<void> }

/** What a key may do: to run statements of SQL as its person. */
const SCOPES = ['read:query']
const DAY_MS = 86_400_000
/** Days that a key may hold; none: until it is revoked. */
const TERMS = [30, 90, 365] as const

/** Keys for programs: made, shown once, revoked. */
export function KeysCard({ people, keys, onChange }: Props) {
  const [made, setMade] = useState<{ name: string; key: string }>()
  const { isBusy, failure, run } = useAction()
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    const days = Number(given.get('days'))
    void run(async () => {
      const answer = await askPerson(people, '/api/v1/account/keys', {
        method: 'POST',
        body: {
          name: given.get('name'),
          scopes: SCOPES,
          ...(days > 0 && { expires: new Date(Date.now() + days * DAY_MS).toISOString() }),
        },
      })
      setMade(answer as { name: string; key: string })
      form.reset()
      await onChange()
    })
  }
  const revoke = (id: string) =>
    run(async () => {
      await askPerson(people, `/api/v1/account/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
      setMade(undefined)
      await onChange()
    })
  return (
    <Card title="Keys for programs" sub="A program that sends a key as a bearer token acts as you.">
      <div className={styles.body}>
        {made && (
          <div className={styles.made} role="status">
            <p>The key “{made.name}”. It is shown only once, because the server stores no readable copy.</p>
            <CopyText text={made.key} what="the key" />
          </div>
        )}
        {keys.length === 0 ? (
          <p>You have no keys.</p>
        ) : (
          <ul className={styles.rows}>
            {keys.map(({ id, name, start, scopes, createdAt, usedAt, expiresAt }) => (
              <li key={id}>
                <span className={styles.what}>
                  <strong>{name}</strong>
                  <span className={styles.quiet}>
                    <code>{start}…</code> {scopes.join(', ')}, made {timeText(createdAt)},{' '}
                    {usedAt ? `last used ${timeText(usedAt)}` : 'never used'}
                    {expiresAt && `, ends ${timeText(expiresAt)}`}
                  </span>
                </span>
                <Button
                  small
                  disabled={isBusy}
                  onClick={() => void revoke(id)}
                  aria-label={`Revoke the key ${name}`}
                >
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        )}
        <form className={styles.form} onSubmit={handleSubmit}>
          <label>
            Name of the new key
            <input name="name" required maxLength={60} autoComplete="off" />
          </label>
          <label>
            Ends
            <select name="days" defaultValue="90">
              {TERMS.map(days => (
                <option key={days} value={days}>
                  after {days} days
                </option>
              ))}
              <option value="0">when revoked</option>
            </select>
          </label>
          <Button type="submit" disabled={isBusy}>
            Make a key
          </Button>
        </form>
        {failure && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
      </div>
    </Card>
  )
}
