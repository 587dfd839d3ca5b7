import type { FormEvent } from 'react'
import { Card } from '../../blocks/Card.tsx'
import { askPerson } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { useAction } from './useAction.ts'

/** The word that the server wants to hear before it deletes. */
const WORD = 'delete'

/** All that is kept of the person: to take along, or to delete for good. */
export function OwnDataCard({ people }: { people: People }) {
  const { isBusy, failure, run } = useAction()
  const handleExport = () =>
    run(async () => {
      const kept = await askPerson(people, '/api/v1/account/export')
      const url = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 2)], { type: 'application/json' }))
      const link = document.createElement('a')
      link.href = url
      link.download = 'assay-account.json'
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    })
  const handleDelete = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const confirm = new FormData(event.currentTarget).get('confirm')
    void run(async () => {
      await askPerson(people, '/api/v1/account', { method: 'DELETE', body: { confirm } })
      await people.signOut()
    })
  }
  return (
    <Card title="Your data">
      <div className={styles.body}>
        <p className={styles.row}>
          <Button disabled={isBusy} onClick={() => void handleExport()}>
            Export all of it
          </Button>
          <span className={styles.quiet}>One JSON file with everything that this server keeps of you.</span>
        </p>
        <form className={styles.form} onSubmit={handleDelete}>
          <label>
            To delete all of it for good, type {WORD}
            <input name="confirm" required pattern={WORD} autoComplete="off" title={`The word ${WORD}`} />
          </label>
          <Button type="submit" disabled={isBusy}>
            Delete my account
          </Button>
        </form>
        <p className={styles.quiet}>
          Sessions, keys and names are deleted immediately. End an active subscription first, with Manage
          Subscription.
        </p>
        {failure && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
      </div>
    </Card>
  )
}
