import { useEffect, useState } from 'react'
import type { QueryResult } from '#http/contract.ts'
import { wordsOf } from '../../../../people/askPerson.ts'
import { isNumberType, isTimeType } from '../grid/cells.ts'
import type { Row } from '../grid/pageCache.ts'
import { type Headers, pageReader, type RowView } from '../rowSource.ts'

/** Rows that a chart draws at most. */
export const MOST_POINTS = 10_000
/** Cells in memory at most: wide results are drawn from fewer rows. */
const MOST_CELLS = 1_000_000
const PIECE = 2000

export type ChartRows = {
  rows: readonly Row[]
  /** Rows that match the filters. */
  matching: number
  /** Which rows these are: the newest of a time, the lowest of a number, or the first of the result. */
  part: 'all' | 'newest' | 'lowest' | 'first'
}
export type ChartRowsState =
  | { state: 'loading'; loaded: number }
  | { state: 'failed'; text: string }
  | ({ state: 'ready' } & ChartRows)

type Asked = { result: QueryResult; headers: Headers; view: RowView; x: string | null; attempt: number }

/** Rows for a chart, in the order of its x: the newest of times, the first of everything else. */
export function useChartRows({ result, headers, view, x, attempt }: Asked): ChartRowsState {
  const { columns, hash } = result
  const most = Math.max(200, Math.min(MOST_POINTS, Math.floor(MOST_CELLS / Math.max(1, columns.length))))
  const xIndex = columns.findIndex(({ name }) => name === x)
  const xType = columns[xIndex]?.type ?? ''
  // Where all rows are drawn, their order changes nothing: another x needs no other rows. Names by the alphabet would draw only the first.
  const order = result.rowCount > most && (isTimeType(xType) || isNumberType(xType)) ? xIndex : -1
  const filter = JSON.stringify(view.filters)
  const key = `${hash}/${order}/${filter}/${attempt}`
  const [found, setFound] = useState<{ key: string } & ChartRowsState>()
  useEffect(() => {
    const abort = new AbortController()
    const isTime = isTimeType(columns[order]?.type ?? '')
    const readPage = pageReader(headers, hash, {
      filters: JSON.parse(filter) as RowView['filters'],
      sort: order < 0 ? undefined : { column: order, isDescending: isTime },
    })
    const load = async () => {
      const rows: Row[] = []
      let matching = 0
      do {
        const page = await readPage(rows.length, Math.min(PIECE, most - rows.length), abort.signal)
        matching = page.matchingRows
        if (page.rows.length === 0) break
        rows.push(...page.rows)
        setFound({ key, state: 'loading', loaded: rows.length })
      } while (rows.length < Math.min(most, matching))
      const part = rows.length >= matching ? 'all' : isTime ? 'newest' : order < 0 ? 'first' : 'lowest'
      setFound({ key, state: 'ready', rows: isTime ? rows.toReversed() : rows, matching, part })
    }
    load().catch((error: unknown) => {
      if (!abort.signal.aborted) setFound({ key, state: 'failed', text: wordsOf(error) })
    })
    return () => abort.abort()
  }, [headers, hash, columns, order, filter, key, most])
  return found?.key === key ? found : { state: 'loading', loaded: 0 }
}
