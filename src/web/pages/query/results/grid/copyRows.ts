import type { SqlColumn } from '#http/contract.ts'
import { copyToClipboard } from '../../../../ui/copyToClipboard.ts'
import type { ReadPage } from '../rowSource.ts'
import { tsvHead, tsvRows } from './cells.ts'
import type { Row } from './pageCache.ts'
import type { Range } from './selection.ts'

/** Rows of one request while copying: few requests, and no request that holds up the others. */
const PIECE = 5000

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
  const indices = Array.from(
    { length: Math.min(PIECE, range.toRow - range.fromRow + 1) },
    (_, at) => range.fromRow + at,
  )
  const inMemory = indices.map(row)
  if (range.toRow - range.fromRow < PIECE && inMemory.every(found => found !== undefined)) {
    parts.push(tsvRows(inMemory, range))
  } else {
    for (let from = range.fromRow; from <= range.toRow; from += PIECE) {
      const { rows } = await readPage(from, Math.min(PIECE, range.toRow - from + 1), signal)
      parts.push(tsvRows(rows, range))
      onProgress(from - range.fromRow + rows.length)
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
