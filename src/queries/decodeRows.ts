import { parseError } from '@clickhouse/client'

/** A value as it is answered: integers beyond 2^53 − 1 as decimal strings, arrays and the like as JSON text. */
export type Cell = string | number | boolean | null

export type AnswerColumn = {
  name: string
  /** The engine's type. */
  type: string
  /** `hex`: the column holds bytes that are not text; they are shown as lower-case hex. */
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

/** Decodes the engine's answer, at most `maxRows` of it. Throws where the engine broke off. */
export function decodeRows(bytes: Buffer, maxRows: number): DecodedRows {
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
      hasWide = meta.some(({ type }) => /Int(?:64|128|256)|Decimal/.test(type))
    }
    if (parsed.row !== undefined) raw.push(parsed.row)
    if (parsed.progress !== undefined) read = parsed.progress
  }
  const shown = raw.slice(0, maxRows)
  const isBinary = meta.map((_, column) => shown.some(row => isBytes(row[column])))
  return {
    columns: meta.map(({ name, type }, column) => ({
      name: textOf(name),
      type: textOf(type),
      shownAs: isBinary[column] ? 'hex' : 'value',
    })),
    rows: shown.map(row => row.map((value, column) => cellOf(value, isBinary[column] === true))),
    isTruncated: raw.length > maxRows,
    readRows: Number(read.read_rows ?? 0),
    readBytes: Number(read.read_bytes ?? 0),
  }
}

function parseLine(line: string, hasWide: boolean): Line {
  // What the engine writes in this format has this shape.
  if (!hasWide) return JSON.parse(line) as Line
  return JSON.parse(line, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined && !isExact(value, source) ? source : value,
  ) as Line
}

/** Integers within ±(2^53 − 1) and fractions of at most 15 digits survive as numbers. */
function isExact(value: number, source: string): boolean {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value)
  return /e/i.test(source) || source.replace(/^-?0*\.?0*|\./g, '').length <= 17
}

function cellOf(value: unknown, isBinary: boolean): Cell {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return isBinary ? bytesOf(value).toString('hex') : textOf(value)
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'string') return inner
    return isBytes(inner) ? bytesOf(inner).toString('hex') : textOf(inner)
  })
}

const ASCII = /^[\t\n\r\x20-\x7e]*$/
const HAS_CONTROL = /[^\P{Cc}\t\n\r]/u
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function isBytes(value: unknown): boolean {
  if (typeof value !== 'string' || ASCII.test(value)) return false
  try {
    return HAS_CONTROL.test(strictUtf8.decode(bytesOf(value)))
  } catch {
    return true
  }
}

const textOf = (value: string): string => (ASCII.test(value) ? value : bytesOf(value).toString('utf8'))

/** The engine writes these two line separators as escapes, which `JSON.parse` has already turned into characters. */
function bytesOf(value: string): Buffer {
  const asBytes = value.replace(/[\u2028\u2029]/g, separator => Buffer.from(separator).toString('latin1'))
  return Buffer.from(asBytes, 'latin1')
}
