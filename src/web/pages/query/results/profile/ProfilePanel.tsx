import { useEffect, useId, useState } from 'react'
import type { ColumnProfile, QueryResult, ResultFilter } from '#http/contract.ts'
import { barPath, WIDTH } from '../../../../blocks/chart/shape.ts'
import { grouped, percentText } from '../../../../format/figure.ts'
import { askPerson, wordsOf } from '../../../../people/askPerson.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { filterFor } from '../filters.ts'
import { isDayType, isTimeType, shownText, typeWords } from '../grid/cells.ts'
import type { Cell } from '../grid/pageCache.ts'
import { type Headers, resultPath } from '../rowSource.ts'
import styles from './ProfilePanel.module.css'

type Props = {
  result: QueryResult
  headers: Headers
  column: number
  filters: readonly ResultFilter[]
  onColumn: (column: number) => void
  onFilter: (filter: ResultFilter) => void
  onClose: () => void
}

type State = { key: string } & ({ profile: ColumnProfile } | { problem: string })

/** What values one column holds: how many, which, and how they are spread. */
export function ProfilePanel({ result, headers, column, filters, onColumn, onFilter, onClose }: Props) {
  const id = useId()
  const [attempt, setAttempt] = useState(0)
  const path = resultPath(
    `${result.hash}/profile`,
    new URLSearchParams({
      column: String(column),
      ...(filters.length > 0 && { filter: JSON.stringify(filters) }),
    }),
  )
  const key = `${path}/${attempt}`
  const [state, setState] = useState<State>()
  useEffect(() => {
    const abort = new AbortController()
    askPerson({ headers }, path, { signal: abort.signal }).then(
      // The contract holds both sides to this shape; the server's tests check it.
      found => setState({ key, profile: found as ColumnProfile }),
      error => abort.signal.aborted || setState({ key, problem: wordsOf(error) }),
    )
    return () => abort.abort()
  }, [headers, path, key])
  const own = state?.key === key ? state : undefined
  return (
    <section className={styles.panel} aria-label="Column profile" aria-busy={own === undefined}>
      <header className={styles.head}>
        <label htmlFor={id}>Column profile</label>
        <IconButton icon="close" label="Close profile" onClick={onClose} />
        <select id={id} value={column} onChange={event => onColumn(Number(event.target.value))}>
          {result.columns.map(({ name }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a result may have the same name
            <option key={at} value={at}>
              {name}
            </option>
          ))}
        </select>
        <small>
          {typeWords(result.columns[column]?.type ?? '')}
          {filters.length > 0 && '. Matching rows only'}
        </small>
      </header>
      {own === undefined && <p className={styles.note}>Loading…</p>}
      {own && 'problem' in own && (
        <p className={styles.note} role="alert">
          Couldn’t load the profile. {own.problem}{' '}
          <Button small onClick={() => setAttempt(attempt + 1)}>
            Retry
          </Button>
        </p>
      )}
      {own && 'profile' in own && <Profile profile={own.profile} column={column} onFilter={onFilter} />}
    </section>
  )
}

function Profile({
  profile,
  column,
  onFilter,
}: {
  profile: ColumnProfile
  column: number
  onFilter: (filter: ResultFilter) => void
}) {
  const { rows, nulls, distinct, min, max, mean, median, top, histogram } = profile
  const { type } = profile.column
  const cellText = (cell: Cell) => (cell === '' ? 'empty' : shownText(cell, type, false))
  const share = (count: number) => percentText(rows === 0 ? 0 : count / rows)
  const largest = Math.max(1, ...top.map(each => each.rows))
  const facts: readonly (readonly [string, string])[] = [
    ['Rows', grouped(String(rows))],
    ['NULL', `${grouped(String(nulls))} (${share(nulls)})`],
    ['Distinct', grouped(String(distinct))],
    ['Min', min === null ? '–' : cellText(min)],
    ['Max', max === null ? '–' : cellText(max)],
    ...(mean === null ? [] : ([['Mean', shownText(Number(mean.toPrecision(8)), type, false)]] as const)),
    ...(median === null ? [] : ([['Median', shownText(median, type, false)]] as const)),
  ]
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={text}>{text}</dd>
          </div>
        ))}
      </dl>
      {histogram.length > 0 && <Histogram profile={profile} />}
      {top.length > 0 && (
        <>
          <p className={styles.title}>Top values</p>
          <ul className={styles.top} aria-label="Top values">
            {top.map(({ value, rows: count }) => (
              <li key={String(value)}>
                <button
                  type="button"
                  title={`${String(value)}: show only these rows`}
                  onClick={() => onFilter(filterFor(column, value))}
                >
                  <span data-void={value === null || value === '' || undefined}>{cellText(value)}</span>
                  <b>
                    {grouped(String(count))} <small>{share(count)}</small>
                  </b>
                  <i style={{ inlineSize: `${(count / largest) * 100}%` }} />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const HEIGHT = 96

/** How often values of each size come. */
function Histogram({ profile: { histogram, column } }: { profile: ColumnProfile }) {
  const most = Math.max(1, ...histogram.map(({ rows }) => rows))
  const text = (value: number) =>
    isTimeType(column.type)
      ? new Date(value * 1000)
          .toISOString()
          .slice(0, isDayType(column.type) ? 10 : 16)
          .replace('T', ' ')
      : grouped(String(Number(value.toPrecision(6))))
  const bars = barPath(
    histogram.map(() => 0),
    histogram.map(({ rows }) => rows),
    value => HEIGHT - (value / most) * HEIGHT,
    () => true,
  )
  return (
    <figure className={styles.histogram}>
      <figcaption className={styles.title}>Distribution</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars} />
      </svg>
      <p aria-hidden="true">
        <span>{text(histogram[0]?.from ?? 0)}</span>
        <span>{text(histogram.at(-1)?.to ?? 0)}</span>
      </p>
      <table className="visually-hidden">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Rows</th>
          </tr>
        </thead>
        <tbody>
          {histogram.map(({ from, to, rows }) => (
            <tr key={from}>
              <td>{text(from)}</td>
              <td>{text(to)}</td>
              <td>{grouped(String(rows))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
