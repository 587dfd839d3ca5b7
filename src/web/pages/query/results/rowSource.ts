import type { ResultFilter, ResultPage } from '#http/contract.ts'
import { ApiRefusal } from '../../../api.ts'
import { askPerson, wordsOf } from '../../../people/askPerson.ts'
import { createPageCache, PAGE_ROWS, pagesAround, type Row } from './grid/pageCache.ts'

export type Headers = () => Promise<Record<string, string>>

/** Order of rows: a column from 0, ascending unless `isDescending`. */
export type Sort = { column: number; isDescending: boolean }
export type RowView = { sort?: Sort | undefined; filters: readonly ResultFilter[] }

/** The `sort` and `filter` of the API for a view. */
export function viewQuery({ sort, filters }: RowView): URLSearchParams {
  const query = new URLSearchParams()
  if (sort) query.set('sort', `${sort.isDescending ? '-' : ''}${sort.column + 1}`)
  if (filters.length > 0) query.set('filter', JSON.stringify(filters))
  return query
}

/** Address of a result. */
export const resultPath = (hash: string, query?: URLSearchParams): string =>
  `/api/v1/queries/results/${hash}${query && query.size > 0 ? `?${query}` : ''}`

/** Reads a page of rows with all columns, or those at the given positions. Throws `ApiRefusal`. */
export type ReadPage = (
  offset: number,
  limit: number,
  signal: AbortSignal,
  columns?: readonly number[],
) => Promise<ResultPage>

export const pageReader =
  (headers: Headers, hash: string, view: RowView): ReadPage =>
  async (offset, limit, signal, columns) => {
    const query = viewQuery(view)
    if (columns) query.set('columns', columns.join(','))
    query.set('offset', String(offset))
    query.set('limit', String(limit))
    // The contract holds both sides to this shape; the server's tests check it.
    return (await askPerson({ headers }, resultPath(hash, query), { signal })) as ResultPage
  }

/** Pages in memory: 4,000 rows. */
const CAPACITY = 20
const CONCURRENT = 3
/** A thumb that is dragged passes pages by: what it stops at is loaded. */
const SETTLE_MS = 60

export type RowSource = {
  subscribe(listener: () => void): () => void
  /** Changes whenever rows, count or problem change. */
  version(): number
  row(index: number): Row | undefined
  /** Rows that match the filters; undefined before the first page. */
  matchingRows(): number | undefined
  /** Why rows are missing; undefined while all is well. */
  problem(): { text: string; code: string } | undefined
  /** Loads rows around a view, and stops what another view wanted. */
  want(view: { from: number; to: number; isUpward: boolean }): void
  retry(): void
  /** Begins to load, or begins again after `close`. */
  open(): void
  close(): void
}

/** Rows of a result in one order under one filter, a few pages at a time. */
export function createRowSource(readPage: ReadPage): RowSource {
  const cache = createPageCache(CAPACITY)
  const listeners = new Set<() => void>()
  const running = new Map<number, AbortController>()
  let wanted: readonly number[] = [0]
  let version = 0
  let matchingRows: number | undefined
  let problem: { text: string; code: string } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = true

  const tell = () => {
    version += 1
    for (const listener of listeners) listener()
  }
  const load = async (page: number) => {
    const abort = new AbortController()
    running.set(page, abort)
    try {
      const found = await readPage(page * PAGE_ROWS, PAGE_ROWS, abort.signal)
      if (abort.signal.aborted) return
      matchingRows = found.matchingRows
      problem = undefined
      cache.put(page, found.rows)
      cache.touch(wanted)
      tell()
    } catch (error) {
      if (abort.signal.aborted) return
      problem = {
        text: wordsOf(error),
        code: error instanceof ApiRefusal ? error.problem.code : 'web.offline',
      }
      tell()
    } finally {
      if (running.get(page) === abort) running.delete(page)
      pump()
    }
  }
  const pump = () => {
    if (isClosed || problem !== undefined) return
    for (const page of wanted) {
      if (running.size >= CONCURRENT) return
      if (!cache.has(page) && !running.has(page)) void load(page)
    }
  }
  const start = () => {
    timer = undefined
    for (const [page, abort] of running) {
      if (wanted.includes(page)) continue
      abort.abort()
      running.delete(page)
    }
    pump()
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
    row: index => cache.row(index),
    matchingRows: () => matchingRows,
    problem: () => problem,
    want(view) {
      if (isClosed) return
      const next = matchingRows === undefined ? [0] : pagesAround(view, matchingRows)
      const isNear = next.some(page => wanted.includes(page))
      wanted = next
      cache.touch(wanted)
      if (timer !== undefined) clearTimeout(timer)
      if (isNear) start()
      else timer = setTimeout(start, SETTLE_MS)
    },
    retry() {
      problem = undefined
      tell()
      pump()
    },
    open() {
      isClosed = false
      pump()
    },
    close() {
      isClosed = true
      if (timer !== undefined) clearTimeout(timer)
      for (const abort of running.values()) abort.abort()
      running.clear()
    },
  }
}
