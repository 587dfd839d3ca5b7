import { useEffect, useState } from 'react'
import type { QuerySchedule, ResultPage } from '#http/contract.ts'
import { counted } from '../../../format/counted.ts'
import { agoText, timeText } from '../../../format/day.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import type { QueryClient } from '../queryClient.ts'
import styles from './Saved.module.css'

type Props = { latest: NonNullable<QuerySchedule['latest']>; client: QueryClient }

/** Rows that are shown of a result. */
const SHOWN = 20

/** What the latest scheduled run gave, and how old it is. */
export function LatestResult({ latest: { endedAt, result, resultAt, problem }, client }: Props) {
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
          {page && `, ${counted(page.result.rowCount, 'row')}`}
          {page?.result.isTruncated && ', the rest was cut by the row limit'}
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
            <p className={styles.note}>The first {SHOWN} rows. Run the query to see all.</p>
          )}
        </section>
      )}
    </section>
  )
}
