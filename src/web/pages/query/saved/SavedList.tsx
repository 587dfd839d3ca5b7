import { useEffect, useState } from 'react'
import { wordsOf } from '../../../people/askPerson.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import rail from '../DataRail.module.css'
import { PUBLIC_PAGE, type QueryClient } from '../queryClient.ts'
import type { SavedLists, SavedSummary } from '../useCatalog.ts'
import styles from './Saved.module.css'

type Props = {
  client: QueryClient
  lists: SavedLists | undefined
  maySave: boolean
  onOpen: (id: string) => void
}

/** A reader’s own queries by folder, starred ones, and the public ones. */
export function SavedList({ client, lists, maySave, onOpen }: Props) {
  if (lists === undefined)
    return (
      <p className={rail.count} role="status">
        Loading…
      </p>
    )
  const folders = [...Map.groupBy(lists.own, ({ folder }) => folder)].sort(([a], [b]) => (a < b ? -1 : 1))
  const own = new Set(lists.own.map(({ id }) => id))
  return (
    <>
      {!maySave && (
        <div className={styles.upgrade}>
          <p>Saved queries and history are part of Premium.</p>
          <ButtonLink to="/pricing" small>
            See plans
          </ButtonLink>
        </div>
      )}
      {maySave && lists.own.length === 0 && (
        <p className={rail.count}>No saved queries yet. Write one and choose Save.</p>
      )}
      {folders.map(([folder, queries]) => (
        <Group key={folder} title={folder === '' ? 'Yours' : folder} queries={queries} onOpen={onOpen} />
      ))}
      {[...Map.groupBy(lists.team, ({ team }) => team?.id)].map(([id, queries]) => (
        <Group key={id} title={`Team ${queries[0]?.team?.name}`} queries={queries} onOpen={onOpen} />
      ))}
      <Group title="Starred" queries={lists.starred.filter(({ id }) => !own.has(id))} onOpen={onOpen} />
      <PublicQueries first={lists.public} own={own} client={client} onOpen={onOpen} />
    </>
  )
}

/** Waits until the user pauses typing before it searches. */
const TYPING_MS = 200
const LONGEST_SEARCH = 200

/** Public queries, searchable and loaded page by page. */
function PublicQueries({
  first,
  own,
  client,
  onOpen,
}: Pick<Props, 'client' | 'onOpen'> & { first: readonly SavedSummary[]; own: ReadonlySet<string> }) {
  const [text, setText] = useState('')
  const search = text.trim().slice(0, LONGEST_SEARCH)
  const [found, setFound] = useState<{ search: string; queries: readonly SavedSummary[]; isWhole: boolean }>()
  const [failure, setFailure] = useState<string>()
  const shown = found ?? { search: '', queries: first, isWhole: first.length < PUBLIC_PAGE }
  const read = async (known: readonly SavedSummary[], isWanted = () => true) => {
    try {
      const next = await client.publicQueries(search, known.length)
      if (!isWanted()) return
      setFailure(undefined)
      setFound({ search, queries: [...known, ...next], isWhole: next.length < PUBLIC_PAGE })
    } catch (error) {
      if (isWanted()) setFailure(wordsOf(error))
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => {
    if (search === '') {
      setFound(undefined)
      setFailure(undefined)
      return
    }
    let isWanted = true
    const timer = setTimeout(() => void read([], () => isWanted), TYPING_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [search])
  if (first.length === 0) return null
  return (
    <>
      <input
        type="search"
        className={styles.find}
        value={text}
        placeholder="Search public queries"
        aria-label="Search public queries"
        onChange={event => setText(event.target.value)}
      />
      {failure !== undefined && (
        <p className={rail.count} role="alert">
          {failure}
        </p>
      )}
      {shown.queries.length === 0 && <p className={rail.count}>No matching public queries.</p>}
      <Group title="Public" queries={shown.queries.filter(({ id }) => !own.has(id))} onOpen={onOpen} />
      {!shown.isWhole && (
        <button type="button" className={styles.more} onClick={() => void read(shown.queries)}>
          Load more public queries
        </button>
      )}
    </>
  )
}

const AT_FIRST = 30
const MARK = { active: 'scheduled', failing: 'schedule failing', paused: 'schedule paused' } as const

function Group({
  title,
  queries,
  onOpen,
}: {
  title: string
  queries: readonly SavedSummary[]
  onOpen: (id: string) => void
}) {
  const [isWhole, setWhole] = useState(false)
  if (queries.length === 0) return null
  const shown = isWhole ? queries : queries.slice(0, AT_FIRST)
  return (
    <section>
      <h2 className={rail.topic}>{title}</h2>
      <ul className={rail.list}>
        {shown.map(({ id, name, about, isStarred, visibility, schedule }) => (
          <li key={id}>
            <button type="button" className={rail.choice} title={about} onClick={() => onOpen(id)}>
              <span>
                {isStarred && '★ '}
                {name} {visibility !== 'private' && <small>{visibility}</small>}{' '}
                {schedule !== null && (
                  <small className={styles.mark} data-mark={schedule}>
                    {MARK[schedule]}
                  </small>
                )}
              </span>
              {about !== '' && <span className={rail.comment}>{about}</span>}
            </button>
          </li>
        ))}
      </ul>
      {shown.length < queries.length && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          Show all {queries.length}
        </button>
      )}
    </section>
  )
}
