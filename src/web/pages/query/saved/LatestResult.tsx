import { useEffect, useState } from 'react'
import type { QuerySchedule, ResultPage } from '#http/contract.ts'
import { counted } from '../../../format/counted.ts'
import { agoText, timeText } from '../../../format/day.ts'
import { grouped } from '../../../format/figure.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { resultAddress } from '../cited/cited.ts'
import type { QueryClient } from '../queryClient.ts'
import styles from './Saved.module.css'

type Props = {
  latest: NonNullable<QuerySchedule['latest']>
  /** Name of the query. */
  name: string
  client: QueryClient
}

/** Rows that are shown of a result. */
const SHOWN = 20

/** What the latest scheduled run gave, and how old it is. */
export function LatestResult({ latest: { endedAt, result, resultAt, problem }, name, client }: Props) {
  const [page, setPage] = useState<ResultPage>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    if (result !== null) client.resultRows(result, SHOWN).then(setPage, error => setFailure(wordsOf(error)))
  }, [client, result])
  return (
    <section aria-label="Latest result" className={styles.fields}>
      {problem && (
        <p className={styles.failure} role="alert">
          The run of {timeText(endedAt)} failed. {problem.detail}
        </p>
      )}
      {resultAt !== null && (
        <p>
          Latest result: {timeText(resultAt)} ({agoText(resultAt, new Date().toISOString())})
          {page &&
            `, ${page.result.isTruncated ? `first ${grouped(String(page.result.rowCount))} rows` : counted(page.result.rowCount, 'row')}`}{' '}
          {/* A full page load, which opens the result in an editor tab. */}
          {result !== null && (
            <a className={styles.open} href={resultAddress(result, name)}>
              Open in the grid
            </a>
          )}
        </p>
      )}
      {page?.result.isTruncated && (
        <p className={styles.note}>
          Truncated at the limit of {counted(page.result.rowLimit, 'row')}. To get the rest, aggregate or
          filter the query, or page through it with ORDER BY, LIMIT and OFFSET.
        </p>
      )}
      {failure !== undefined && <p role="alert">{failure}</p>}
      {page && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
        <section className={styles.rows} tabIndex={0} aria-label="Rows of the latest result">
          <table>
            <thead>
              <tr>
                {page.result.columns.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {page.rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a stored result never move
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={page.result.columns[column]?.name}>{cell === null ? '∅' : String(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {page.result.rowCount > SHOWN && (
            <p className={styles.note}>The first {SHOWN} rows. Open the result in the grid to see all.</p>
          )}
        </section>
      )}
    </section>
  )
}
