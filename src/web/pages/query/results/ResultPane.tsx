import { useCallback, useMemo, useState } from 'react'
import type { QueryResult } from '#http/contract.ts'
import { GridView } from './GridView.tsx'
import styles from './ResultPane.module.css'
import type { Headers, RowView } from './rowSource.ts'

type Props = {
  result: QueryResult
  /** Headers of a request that say who asks. */
  headers: Headers
  /** Whether the reader may export more than CSV and JSON lines of 10,000 rows. */
  mayExport: boolean
}

/** Rows of a result: a grid that scrolls, sorts, filters and copies. */
export function ResultPane({ result, headers, mayExport }: Props) {
  const [view, setView] = useState<RowView & { hash: string }>({ hash: result.hash, filters: [] })
  // Order and filters name columns by position: those of another result mean nothing here.
  const own = useMemo<RowView>(
    () => (view.hash === result.hash ? view : { filters: [] }),
    [view, result.hash],
  )
  const [, setCount] = useState(result.rowCount)
  const handleView = useCallback((next: RowView) => setView({ ...next, hash: result.hash }), [result.hash])
  return (
    <section className={styles.pane} aria-label="Result">
      <GridView
        key={result.hash}
        result={result}
        headers={headers}
        view={own}
        onView={handleView}
        mayExport={mayExport}
        onCount={setCount}
      />
    </section>
  )
}
