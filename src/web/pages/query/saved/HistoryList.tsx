import { useCallback, useEffect, useState } from 'react'
import { counted } from '../../../format/counted.ts'
import { timeText } from '../../../format/day.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import rail from '../DataRail.module.css'
import { HISTORY_PAGE, type HistoryRun, type QueryClient } from '../queryClient.ts'
import styles from './Saved.module.css'

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
  const read = useCallback(
    (before?: string) => {
      client.history(before).then(
        found => {
          setRuns(known => [...(before === undefined ? [] : (known ?? [])), ...found])
          setWhole(found.length < HISTORY_PAGE)
        },
        error => setFailure(wordsOf(error)),
      )
    },
    [client],
  )
  useEffect(() => {
    if (mayRead) read()
  }, [mayRead, read])
  if (!mayRead)
    return (
      <div className={styles.upgrade}>
        <p>A history of all your runs is part of Premium.</p>
        <ButtonLink to="/pricing" small>
          See plans
        </ButtonLink>
      </div>
    )
  if (failure !== undefined)
    return (
      <p className={rail.count} role="alert">
        {failure}
      </p>
    )
  if (runs === undefined)
    return (
      <p className={rail.count} role="status">
        Loading…
      </p>
    )
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = runs.filter(({ sql }) => words.every(word => sql.toLowerCase().includes(word)))
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
      {shown.length === 0 && (
        <p className={rail.count}>{runs.length === 0 ? 'No queries run yet.' : 'No match in these runs.'}</p>
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
                  ? ` · ${run.result.isTruncated ? 'First ' : ''}${counted(run.result.rowCount, 'row')}${run.result.isTruncated ? ' of more' : ''}`
                  : STATE[run.state] !== '' && ` · ${STATE[run.state]}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!isWhole && runs.length > 0 && (
        <button type="button" className={styles.more} onClick={() => read(runs.at(-1)?.createdAt)}>
          Load older runs
        </button>
      )}
    </>
  )
}
