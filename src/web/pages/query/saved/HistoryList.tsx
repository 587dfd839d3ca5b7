import { useCallback, useEffect, useRef, useState } from 'react'
import { counted } from '../../../format/counted.ts'
import { timeText } from '../../../format/day.ts'
import { grouped } from '../../../format/figure.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import rail from '../DataRail.module.css'
import { HISTORY_PAGE, type HistoryRun, type QueryClient } from '../queryClient.ts'
import styles from './Saved.module.css'

const LONGEST_SEARCH = 200
/** Waits until the user pauses typing before it searches. */
const TYPING_MS = 200

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
  const [runs, setRuns] = useState<readonly HistoryRun[]>()
  const [isWhole, setWhole] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [text, setText] = useState('')
  const search = text.trim().slice(0, LONGEST_SEARCH)
  const wanted = useRef(search)
  wanted.current = search
  const read = useCallback(
    (before?: string) => {
      client.history(search, before).then(
        found => {
          // The user has kept typing.
          if (wanted.current !== search) return
          setFailure(undefined)
          setRuns(known => [...(before === undefined ? [] : (known ?? [])), ...found])
          setWhole(found.length < HISTORY_PAGE)
        },
        error => {
          if (wanted.current === search) setFailure(wordsOf(error))
        },
      )
    },
    [client, search],
  )
  useEffect(() => {
    if (!mayRead) return
    const timer = setTimeout(read, search === '' ? 0 : TYPING_MS)
    return () => clearTimeout(timer)
  }, [mayRead, read, search])
  if (!mayRead)
    return (
      <div className={styles.upgrade}>
        <p>A history of all your runs is part of Premium.</p>
        <ButtonLink to="/pricing" small>
          See plans
        </ButtonLink>
      </div>
    )
  if (runs === undefined && failure === undefined)
    return (
      <p className={rail.count} role="status">
        Loading…
      </p>
    )
  const shown = runs ?? []
  return (
    <>
      <input
        type="search"
        className={styles.find}
        value={text}
        placeholder="Search history"
        aria-label="Search history"
        onChange={event => setText(event.target.value)}
      />
      {failure !== undefined && (
        <p className={rail.count} role="alert">
          {failure}
        </p>
      )}
      {failure === undefined && shown.length === 0 && (
        <p className={rail.count}>{search === '' ? 'No queries run yet.' : 'No matches in your history.'}</p>
      )}
      <ul className={rail.list}>
        {shown.map(run => (
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
      {!isWhole && shown.length > 0 && (
        <button type="button" className={styles.more} onClick={() => read(shown.at(-1)?.createdAt)}>
          Load older runs
        </button>
      )}
    </>
  )
}
