import { useEffect, useState } from 'react'
import type { QueryResult, ResultPage } from '#http/contract.ts'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import styles from './Editor.module.css'
import { QUERIES } from './queryClient.ts'

type Props = {
  result: QueryResult
  headers: () => Promise<Readonly<Record<string, string>>>
  mayExport: boolean
}

export function ResultRows({ result, headers }: Props) {
  const [page, setPage] = useState<ResultPage>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    askPerson({ headers }, `${QUERIES}/results/${result.hash}?limit=200`).then(
      answer => setPage(answer as ResultPage),
      error => setFailure(wordsOf(error)),
    )
  }, [result, headers])
  if (failure !== undefined) return <p role="alert">{failure}</p>
  return (
    <section className={styles.rows} aria-label="Result">
      <table>
        <thead>
          <tr>
            {result.columns.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {page?.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity beyond their place
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={result.columns[column]?.name}>{String(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
