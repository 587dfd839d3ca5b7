import type { ResultPage } from '#http/contract.ts'

export type Row = ResultPage['rows'][number]
export type Cell = Row[number]

/** Rows of one page, as the API serves them by default. */
export const PAGE_ROWS = 200

/** The most recently used pages of a result. */
export type PageCache = {
  has(page: number): boolean
  /** A row by its position; undefined while its page is not loaded. */
  row(index: number): Row | undefined
  put(page: number, rows: readonly Row[]): void
  /** Protects pages from eviction for as long as others are older. */
  touch(pages: readonly number[]): void
  rowCount(): number
}

/** @param capacity most pages in memory; the least recently used one is evicted first */
export function createPageCache(capacity: number): PageCache {
  // A map keeps the order of insertion: the first page is the one unused for longest.
  const pages = new Map<number, readonly Row[]>()
  const touch = (page: number) => {
    const rows = pages.get(page)
    if (rows === undefined) return
    pages.delete(page)
    pages.set(page, rows)
  }
  return {
    has: page => pages.has(page),
    row: index => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS],
    put(page, rows) {
      pages.delete(page)
      pages.set(page, rows)
      for (const oldest of pages.keys()) {
        if (pages.size <= capacity) break
        pages.delete(oldest)
      }
    },
    touch: wanted => {
      for (const page of wanted) touch(page)
    },
    rowCount: () => [...pages.values()].reduce((sum, rows) => sum + rows.length, 0),
  }
}

/** Pages to load for rows `from` to `to`: those in view, then the next ones in the direction of scrolling, then the other side. */
export function pagesAround(
  { from, to, isUpward }: { from: number; to: number; isUpward: boolean },
  rowCount: number,
  ahead = 2,
): number[] {
  if (rowCount === 0) return []
  const last = Math.floor((rowCount - 1) / PAGE_ROWS)
  const first = Math.min(last, Math.max(0, Math.floor(from / PAGE_ROWS)))
  const end = Math.min(last, Math.max(first, Math.floor((to - 1) / PAGE_ROWS)))
  const inView = Array.from({ length: end - first + 1 }, (_, at) => first + at)
  const after = Array.from({ length: ahead }, (_, at) => end + 1 + at)
  const before = Array.from({ length: ahead }, (_, at) => first - 1 - at)
  const around = isUpward ? [...before, ...after.slice(0, 1)] : [...after, ...before.slice(0, 1)]
  return [...inView, ...around.filter(page => page >= 0 && page <= last)]
}
