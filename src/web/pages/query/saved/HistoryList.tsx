import { counted } from '../../../format/counted.ts'
import { timeText } from '../../../format/day.ts'
import { grouped } from '../../../format/figure.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import rail from '../DataRail.module.css'
import { HISTORY_PAGE, type HistoryRun, type QueryClient } from '../queryClient.ts'
import styles from './Saved.module.css'
import { SearchedList } from './SearchedList.tsx'
import { useSearchedPages } from './useSearchedPages.ts'

type Props = {
  client: QueryClient
  mayRead: boolean
  onOpen: (run: HistoryRun) => void
}

const STATE = {
  queued: 'queued',
  running: 'running',
  succeeded: '',
  failed: 'failed',
  cancelled: 'canceled',
} as const

/** Every query that the reader ran, the latest first. */
export function HistoryList({ client, mayRead, onOpen }: Props) {
  const pages = useSearchedPages<HistoryRun>(
    (search, known) => client.history(search, known.at(-1)?.createdAt),
    { pageSize: HISTORY_PAGE, isOff: !mayRead },
  )
  if (!mayRead)
    return (
      <div className={styles.upgrade}>
        <p>A history of all your runs is part of Premium.</p>
        <ButtonLink to="/pricing" small>
          See plans
        </ButtonLink>
      </div>
    )
  if (pages.items === undefined && pages.failure === undefined)
    return (
      <p className={rail.count} role="status">
        Loading…
      </p>
    )
  return (
    <SearchedList
      pages={pages}
      label="Search history"
      more="Load older runs"
      empty={pages.search === '' ? 'No queries run yet.' : 'No matches in your history.'}
    >
      <ul className={rail.list}>
        {pages.items?.map(run => (
          <li key={run.id}>
            <button
              type="button"
              className={rail.column}
              title={run.sql.slice(0, 600)}
              onClick={() => onOpen(run)}
            >
              <span className={styles.sql}>{run.sql}</span>
              <span className={rail.comment}>
                {timeText(run.createdAt)}
                {run.result
                  ? ` · ${run.result.isTruncated ? `First ${grouped(String(run.result.rowCount))} rows` : counted(run.result.rowCount, 'row')}`
                  : STATE[run.state] !== '' && ` · ${STATE[run.state]}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </SearchedList>
  )
}
