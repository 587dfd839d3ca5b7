import type { SqlColumn } from '#http/contract.ts'
import { ApiRefusal } from '../../../../api.ts'
import { copyToClipboard } from '../../../../ui/copyToClipboard.ts'
import type { ReadPage } from '../rowSource.ts'
import { tsvHead, tsvRows } from './cells.ts'
import type { Row } from './pageCache.ts'
import type { Range } from './selection.ts'

/** Rows per request while copying, the maximum of the API. Wide rows are read in smaller pages. */
const PIECE = 10_000
/** Up to this many rows are copied from memory if all are loaded. */
const IN_MEMORY = 5000

/** Longer lists of columns would not fit in a URL. */
const MOST_COLUMNS = 500

const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiRefusal && error.problem.code === 'sql.result_page'

export type Copying = {
  range: Range
  columns: readonly SqlColumn[]
  hasHead: boolean
  row: (index: number) => Row | undefined
  readPage: ReadPage
  signal: AbortSignal
  onProgress: (rows: number) => void
}

/** The text of a range, in pieces. Rows that are not in memory are read from the server and dropped again. */
export async function textOfRange(copying: Copying): Promise<string[]> {
  const { range, columns, hasHead, row, readPage, signal, onProgress } = copying
  const parts = hasHead ? [tsvHead(columns, range)] : []
  const count = range.toRow - range.fromRow + 1
  const indices = count > IN_MEMORY ? [] : Array.from({ length: count }, (_, at) => range.fromRow + at)
  const inMemory = indices.map(row)
  if (count <= IN_MEMORY && inMemory.every(found => found !== undefined)) {
    parts.push(tsvRows(inMemory, range))
  } else {
    const { fromColumn, toColumn } = range
    const width = toColumn - fromColumn + 1
    const isPart = width < columns.length && width <= MOST_COLUMNS
    const read = isPart ? Array.from({ length: width }, (_, at) => fromColumn + at) : undefined
    const own = isPart ? { ...range, fromColumn: 0, toColumn: width - 1 } : range
    let piece = PIECE
    for (let from = range.fromRow; from <= range.toRow; ) {
      const limit = Math.min(piece, range.toRow - from + 1)
      try {
        const { rows } = await readPage(from, limit, signal, read)
        if (rows.length === 0) throw new Error('Rows are missing from the result.')
        parts.push(tsvRows(rows, own))
        from += rows.length
      } catch (error) {
        // The page was too large, so try again with fewer rows.
        if (!isTooLarge(error) || limit === 1) throw error
        piece = Math.ceil(limit / 2)
      }
      onProgress(from - range.fromRow)
    }
  }
  // The last line ends where the range ends: a single cell is copied without a line break.
  parts.push((parts.pop() ?? '').replace(/\n$/, ''))
  return parts
}

/** Puts text on the clipboard that is still being read. The browser is asked at once, while it still counts as the reader's press. */
export async function copyText(text: Promise<string[]>): Promise<void> {
  if (typeof ClipboardItem === 'undefined' || !navigator.clipboard?.write)
    return copyToClipboard((await text).join(''))
  const blob = text.then(parts => new Blob(parts, { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
