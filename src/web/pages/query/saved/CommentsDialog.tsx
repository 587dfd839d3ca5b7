import { type FormEvent, useEffect, useState } from 'react'
import type { QueryComments, SavedQuery } from '#http/contract.ts'
import { timeText } from '../../../format/day.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { usePeople } from '../../../people/usePeople.ts'
import { Button } from '../../../ui/Button.tsx'
import type { QueryClient } from '../queryClient.ts'
import { Failure, PanelDialog } from './QueryDialog.tsx'
import styles from './Saved.module.css'

type Props = { query: SavedQuery; client: QueryClient; onClose: () => void }

/** Comments on a saved query, as plain text; signed-in readers write them. */
export function CommentsDialog({ query, client, onClose }: Props) {
  const { queryToken, people } = usePeople()
  const [found, setFound] = useState<QueryComments>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    client.comments(query.id).then(setFound, error => setFailure(wordsOf(error)))
  }, [client, query.id])
  const run = async (work: () => Promise<QueryComments>): Promise<boolean> => {
    setBusy(true)
    setFailure(undefined)
    try {
      setFound(await work())
      return true
    } catch (error) {
      setFailure(wordsOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const form = event.currentTarget
    const text = String(new FormData(form).get('text'))
    if (await run(() => client.comment(query.id, text))) form.reset()
  }
  const remove = (comment: string) =>
    run(async () => {
      await client.removeComment(query.id, comment)
      return client.comments(query.id)
    })
  return (
    <PanelDialog title={`Comments on ${query.name}`} closeLabel="Close comments" onClose={onClose}>
      {found === undefined && failure === undefined && <p role="status">Loading…</p>}
      {found?.comments.length === 0 && <p className={styles.note}>No comments yet.</p>}
      {found !== undefined && found.comments.length > 0 && (
        <ul className={styles.comments}>
          {found.comments.map(({ id, author, text, mayDelete, createdAt }) => (
            <li key={id}>
              <div className={styles.by}>
                <span>
                  <strong>{author}</strong> <span className={styles.note}>{timeText(createdAt)}</span>
                </span>
                {mayDelete && (
                  <Button
                    small
                    disabled={isBusy}
                    aria-label={`Delete the comment of ${author}, ${timeText(createdAt)}`}
                    onClick={() => void remove(id)}
                  >
                    Delete
                  </Button>
                )}
              </div>
              <p className={styles.text}>{text}</p>
            </li>
          ))}
        </ul>
      )}
      {queryToken === null ? (
        <p className={styles.buttons}>
          <Button
            small
            onClick={() => void people?.signIn(`${window.location.pathname}${window.location.search}`)}
          >
            Sign in to comment
          </Button>
        </p>
      ) : (
        <form className={styles.fields} onSubmit={event => void handleSubmit(event)}>
          <label>
            Your comment
            <textarea name="text" rows={3} required maxLength={found?.limits.length ?? 2000} />
          </label>
          <p className={styles.note}>
            Plain text. Whoever can open the query sees it with your name. A query can have{' '}
            {found?.limits.ofQuery ?? 500} comments.
          </p>
          <div className={styles.buttons}>
            <Button small look="primary" type="submit" disabled={isBusy}>
              Add comment
            </Button>
          </div>
        </form>
      )}
      <Failure text={failure} />
    </PanelDialog>
  )
}
