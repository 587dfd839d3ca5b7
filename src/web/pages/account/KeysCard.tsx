import { type FormEvent, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { type KeyView, timeText } from './accountView.ts'
import { useAction } from './useAction.ts'

type Props = { people: People; keys: readonly KeyView[]; onChange: () => Promise<void> }

const RUN = 'read:query'
const SCOPES = [
  {
    scope: RUN,
    label: 'Run queries',
    about: 'Run SQL with the limits of your plan and read the results. The ClickHouse port and MCP need it.',
  },
  {
    scope: 'read:own',
    label: 'Read your data',
    about: 'Read your saved queries, uploads and the history of your runs.',
  },
  {
    scope: 'write:own',
    label: 'Change your data',
    about: 'Save, change and delete your queries and uploads.',
  },
] as const
const labelOf = (scope: string): string => SCOPES.find(each => each.scope === scope)?.label ?? scope

const DAY_MS = 86_400_000
/** Days until a key expires. */
const TERMS = [30, 90, 365] as const
/** `MOST_KEY_QUERIES` of the server. */
const MOST_QUERIES = 50

type Named = { readonly id: string; readonly name: string }

/** API keys: made with scopes, shown once, revoked. */
export function KeysCard({ people, keys, onChange }: Props) {
  const [made, setMade] = useState<{ name: string; key: string }>()
  const [isLimited, setLimited] = useState(false)
  const isNamed = keys.some(({ queries }) => queries !== null)
  const saved = useSavedQueries(people, isLimited || isNamed)
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
          scopes: isLimited ? [RUN] : given.getAll('scope'),
          ...(isLimited && { queries: given.getAll('query') }),
          ...(days > 0 && { expires: new Date(Date.now() + days * DAY_MS).toISOString() }),
        },
      })
      setMade(answer as { name: string; key: string })
      form.reset()
      setLimited(false)
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
    <Card
      title="API keys"
      sub="A program sends a key as a bearer token and acts as you, within the key’s scopes."
    >
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
            {keys.map(({ id, name, start, scopes, queries, createdAt, usedAt, expiresAt }) => (
              <li key={id}>
                <span className={styles.what}>
                  <strong>{name}</strong>
                  <span>
                    {scopes.map(labelOf).join(', ')}
                    {queries !== null && `. Only ${namesOf(queries, saved.queries)}`}
                  </span>
                  <span className={styles.quiet}>
                    <code>{start}…</code> Created {timeText(createdAt)},{' '}
                    {usedAt ? `last used ${timeText(usedAt)}` : 'never used'}
                    {expiresAt && `, expires ${timeText(expiresAt)}`}
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
            Expires
            <select name="days" defaultValue="90">
              {TERMS.map(days => (
                <option key={days} value={days}>
                  after {days} days
                </option>
              ))}
              <option value="0">never</option>
            </select>
          </label>
          <label>
            Queries
            <select
              name="limit"
              value={isLimited ? 'named' : 'any'}
              onChange={event => setLimited(event.target.value === 'named')}
            >
              <option value="any">Any query</option>
              <option value="named">Only chosen saved queries</option>
            </select>
          </label>
          {isLimited ? <QueryChoices {...saved} /> : <ScopeChoices />}
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

function ScopeChoices() {
  return (
    <fieldset className={styles.choices}>
      <legend>Scopes</legend>
      {SCOPES.map(({ scope, label, about }) => (
        <label key={scope}>
          <input type="checkbox" name="scope" value={scope} defaultChecked={scope === RUN} />
          <span>
            <strong>{label}</strong> <code>{scope}</code>
            <span className={styles.quiet}>{about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function QueryChoices({ queries, failure }: Saved) {
  return (
    <fieldset className={styles.choices}>
      <legend>Saved queries that the key may run</legend>
      {failure !== undefined ? (
        <p role="alert">{failure}</p>
      ) : queries === undefined ? (
        <p role="status">Loading…</p>
      ) : queries.length === 0 ? (
        <p>
          You have no saved queries. Save one in <Link to="/Query">Run Queries</Link>.
        </p>
      ) : (
        <>
          <p className={styles.quiet}>
            The key runs these queries and reads their results, and nothing else. Choose up to {MOST_QUERIES}.
          </p>
          {queries.map(({ id, name }) => (
            <label key={id}>
              <input type="checkbox" name="query" value={id} />
              <span>{name}</span>
            </label>
          ))}
        </>
      )}
    </fieldset>
  )
}

type Saved = { readonly queries: readonly Named[] | undefined; readonly failure: string | undefined }

/** The user’s own saved queries, read once they are needed. */
function useSavedQueries(people: People, isNeeded: boolean): Saved {
  const [queries, setQueries] = useState<readonly Named[]>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    if (!isNeeded) return
    askPerson(people, '/api/v1/queries').then(
      found => setQueries((found as { own: Named[] }).own),
      error => setFailure(wordsOf(error)),
    )
  }, [people, isNeeded])
  return { queries, failure }
}

/** `Fees by day, Blocks and 1 deleted query`. */
function namesOf(ids: readonly string[], queries: readonly Named[] | undefined): string {
  const found = ids.flatMap(id => queries?.find(query => query.id === id)?.name ?? [])
  const gone = ids.length - found.length
  if (gone === 0) return found.join(', ')
  const kind = queries === undefined ? 'saved' : 'deleted'
  return [...found, `${gone} ${kind} ${gone === 1 ? 'query' : 'queries'}`].join(', ')
}
