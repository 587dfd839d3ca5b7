import { setImmediate as turn } from 'node:timers/promises'
import { parseError } from '@clickhouse/client'
import type { Cell } from '#kernel/sqlCells.ts'
import { cellReader, Digits, isHexType, isWide } from './cells.ts'
import { textOf } from './engineText.ts'

export type AnswerColumn = {
  name: string
  /** The engine's type. */
  type: string
  /** `hex`: the column holds bytes of a fixed length; every cell is lower-case hex. */
  shownAs: 'value' | 'hex'
}

export type DecodedRows = {
  columns: AnswerColumn[]
  rows: Cell[][]
  isTruncated: boolean
  readRows: number
  readBytes: number
}

/** The engine's format that `decodeRows` reads: it keeps bytes as they are, and tells what was read. */
export const ROWS_FORMAT = 'JSONCompactEachRowWithProgress'

/** One line of it. Lines of other kinds are of no use here. */
type Line = {
  meta?: { name: string; type: string }[]
  row?: unknown[]
  progress?: { read_rows?: string; read_bytes?: string }
  exception?: string
}

/** Yields to other requests after this many ms. */
const SLICE_MS = 10

/** Decodes the engine's answer, at most `maxRows` of it. Throws where the engine broke off. */
export async function decodeRows(bytes: Buffer, maxRows: number): Promise<DecodedRows> {
  let since = performance.now()
  const breathe = async (): Promise<void> => {
    if (performance.now() - since < SLICE_MS) return
    await turn()
    since = performance.now()
  }
  // Bytes that are no text would be lost to a UTF-8 decoder: each character here is one byte of the answer.
  const lines = bytes.toString('latin1').split('\n')
  let meta: NonNullable<Line['meta']> = []
  let read: NonNullable<Line['progress']> = {}
  let hasWide = false
  const raw: unknown[][] = []
  for (const line of lines) {
    if (line === '') continue
    const parsed = parseLine(line, hasWide)
    if (parsed.exception !== undefined) throw parseError(parsed.exception)
    if (parsed.meta !== undefined) {
      meta = parsed.meta
      hasWide = meta.some(({ type }) => isWide(type))
    }
    if (parsed.row !== undefined) raw.push(parsed.row)
    if (parsed.progress !== undefined) read = parsed.progress
    await breathe()
  }
  const readers = meta.map(({ type }) => cellReader(type))
  const rows: Cell[][] = []
  for (const row of raw.slice(0, maxRows)) {
    rows.push(row.map((value, column) => readers[column]!(value)))
    await breathe()
  }
  return {
    columns: meta.map(({ name, type }) => ({
      name: textOf(name),
      type: textOf(type),
      shownAs: isHexType(type) ? 'hex' : 'value',
    })),
    rows,
    isTruncated: raw.length > maxRows,
    readRows: Number(read.read_rows ?? 0),
    readBytes: Number(read.read_bytes ?? 0),
  }
}

function parseLine(line: string, hasWide: boolean): Line {
  // What the engine writes in this format has this shape.
  if (!hasWide) return JSON.parse(line) as Line
  return JSON.parse(line, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? new Digits(source)
      : value,
  ) as Line
}
