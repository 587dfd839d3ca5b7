import { useEffect, useState } from 'react'
import type { QueryResult, ResultChart } from '#http/contract.ts'
import { ApiRefusal } from '../../../../api.ts'
import { askPerson, wordsOf } from '../../../../people/askPerson.ts'
import { isNumberType, isTimeType } from '../grid/cells.ts'
import type { Row } from '../grid/pageCache.ts'
import { type Headers, pageReader, type RowView, resultPath } from '../rowSource.ts'
import { type ChartSettings, hasSeries, hasX } from './chartSettings.ts'

/** The browser groups up to this many rows. The server groups larger results. */
export const MOST_POINTS = 10_000
/** Cells in memory at most: wide results are drawn from fewer rows. */
const MOST_CELLS = 1_000_000
const PIECE = 2000

/** Errors after which the chart draws some of the rows instead and says which: too many groups, a response too large, a type that cannot be grouped, a timeout. */
const WITHOUT_GROUPS = new Set(['sql.chart_groups', 'sql.result_page', 'sql.failed', 'sql.too_long'])

export type ChartRows = {
  /** Rows of the result, or its groups (`ResultChart`). */
  rows: readonly Row[]
  isGrouped: boolean
  /** Rows that match the filters. */
  matching: number
  /** Which rows these are: the newest of a time, the lowest of a number, or the first of the result. */
  part: 'all' | 'newest' | 'lowest' | 'first'
}
export type ChartRowsState =
  | { state: 'loading'; loaded: number }
  | { state: 'failed'; text: string }
  | ({ state: 'ready' } & ChartRows)

type Asked = {
  result: QueryResult
  headers: Headers
  view: RowView
  settings: ChartSettings
  attempt: number
}

/** The request that groups all rows by the chart settings. Undefined for scatter plots, which are not grouped. */
function groupsQuery(
  { columns }: QueryResult,
  view: RowView,
  settings: ChartSettings,
): URLSearchParams | undefined {
  if (settings.kind === 'scatter') return undefined
  const at = (name: string) => String(columns.findIndex(column => column.name === name))
  const query = new URLSearchParams()
  if (hasX(settings) && settings.x !== null) query.set('x', at(settings.x))
  if (hasSeries(settings) && settings.series !== null) query.set('series', at(settings.series))
  if (settings.values.length > 0) query.set('values', settings.values.map(at).join(','))
  query.set('aggregation', settings.values.length === 0 ? 'count' : settings.aggregation)
  if (view.filters.length > 0) query.set('filter', JSON.stringify(view.filters))
  return query
}

/**
 * What a chart draws: all rows of a small result, or groups of all rows from the server. With too many groups, and for scatter
 * plots, the newest rows by time, the lowest by number, or the first.
 */
export function useChartRows({ result, headers, view, settings, attempt }: Asked): ChartRowsState {
  const { columns, hash } = result
  const most = Math.max(200, Math.min(MOST_POINTS, Math.floor(MOST_CELLS / Math.max(1, columns.length))))
  const xIndex = hasX(settings) ? columns.findIndex(({ name }) => name === settings.x) : -1
  const xType = columns[xIndex]?.type ?? ''
  const isLarge = result.rowCount > most
  // Only the server computes exact sums for counters.
  const groups =
    isLarge || settings.kind === 'counter' ? groupsQuery(result, view, settings)?.toString() : undefined
  // Where all rows are drawn, their order changes nothing: another x needs no other rows. Names by the alphabet would draw only the first.
  const order = isLarge && (isTimeType(xType) || isNumberType(xType)) ? xIndex : -1
  const filter = JSON.stringify(view.filters)
  const key = `${hash}/${groups ?? order}/${filter}/${attempt}`
  const [found, setFound] = useState<{ key: string } & ChartRowsState>()
  useEffect(() => {
    const abort = new AbortController()
    const isTime = isTimeType(columns[order]?.type ?? '')
    const readPage = pageReader(headers, hash, {
      filters: JSON.parse(filter) as RowView['filters'],
      sort: order < 0 ? undefined : { column: order, isDescending: isTime },
    })
    const loadGroups = async (): Promise<boolean> => {
      if (groups === undefined) return false
      try {
        const path = resultPath(`${hash}/chart`, new URLSearchParams(groups))
        // The contract holds both sides to this shape; the server's tests check it.
        const chart = (await askPerson({ headers }, path, { signal: abort.signal })) as ResultChart
        const { groups: rows, matchingRows: matching } = chart
        setFound({ key, state: 'ready', rows, isGrouped: true, matching, part: 'all' })
        return true
      } catch (error) {
        if (error instanceof ApiRefusal && WITHOUT_GROUPS.has(error.problem.code)) return false
        throw error
      }
    }
    const load = async () => {
      if (await loadGroups()) return
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
      setFound({
        key,
        state: 'ready',
        rows: isTime ? rows.toReversed() : rows,
        isGrouped: false,
        matching,
        part,
      })
    }
    load().catch((error: unknown) => {
      if (!abort.signal.aborted) setFound({ key, state: 'failed', text: wordsOf(error) })
    })
    return () => abort.abort()
  }, [headers, hash, columns, order, groups, filter, key, most])
  return found?.key === key ? found : { state: 'loading', loaded: 0 }
}
