import { useState } from 'react'
import { ButtonLink } from '../../../ui/Button.tsx'
import rail from '../DataRail.module.css'
import { PUBLIC_PAGE, type QueryClient } from '../queryClient.ts'
import type { SavedLists, SavedSummary } from '../useCatalog.ts'
import styles from './Saved.module.css'
import { SearchedList } from './SearchedList.tsx'
import { useSearchedPages } from './useSearchedPages.ts'

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

/** Public queries, searchable and loaded page by page. */
function PublicQueries({
  first,
  own,
  client,
  onOpen,
}: Pick<Props, 'client' | 'onOpen'> & { first: readonly SavedSummary[]; own: ReadonlySet<string> }) {
  const pages = useSearchedPages<SavedSummary>(
    (search, known) => client.publicQueries(search, known.length),
    { pageSize: PUBLIC_PAGE, first },
  )
  if (first.length === 0) return null
  const queries = (pages.items ?? []).filter(({ id }) => !own.has(id))
  return (
    <SearchedList
      pages={pages}
      label="Search public queries"
      more="Load more public queries"
      empty="No matching public queries."
    >
      <Group title="Public" queries={queries} onOpen={onOpen} />
    </SearchedList>
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
