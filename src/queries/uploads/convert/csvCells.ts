import { closeSync, openSync, readSync } from 'node:fs'
import { cellWords, UploadError } from '../uploadError.ts'
import type { CellWriter } from './cellWriter.ts'

const CHUNK_BYTES = 1 << 18
const SNIFFED_CHARACTERS = 1 << 16
/** Cells of one row. A list that grows without end in this thread ends the whole process, whatever the thread may hold. */
const MOST_CELLS = 10_000
const SEPARATORS = [',', ';', '\t', '|'] as const

type Row = (string | null)[]
type Sink = { row(cells: Row): void; readonly fileRows: number }

/** Reads a CSV or TSV file (RFC 4180) as UTF-8, or UTF-16 with a byte order mark. Throws UploadError with row and column. */
export function readCsv(path: string, writer: CellWriter, mostCharacters: number, separator?: string): void {
  const file = openSync(path, 'r')
  try {
    const texts = textsOf(file)
    let first = texts.next()
    let begin = ''
    while (!first.done && begin.length < SNIFFED_CHARACTERS) {
      begin += first.value.text
      if (first.value.isBroken) break
      first = texts.next()
    }
    const parser = createParser(separator ?? separatorOf(begin), writer, mostCharacters)
    const isBroken = first.done !== true && first.value.isBroken
    parser.write(begin, isBroken)
    if (!isBroken)
      for (; !first.done; first = texts.next()) parser.write(first.value.text, first.value.isBroken)
    parser.end()
  } finally {
    closeSync(file)
  }
}

/** The text of a file, piece by piece. `isBroken`: the piece holds bytes that are no text, written as U+FFFD. */
function* textsOf(file: number): Generator<{ text: string; isBroken: boolean }> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let decoder: TextDecoder | undefined
  let encoding = 'utf-8'
  for (;;) {
    const length = readSync(file, chunk)
    const bytes = chunk.subarray(0, length)
    if (decoder === undefined) {
      encoding =
        bytes[0] === 0xff && bytes[1] === 0xfe
          ? 'utf-16le'
          : bytes[0] === 0xfe && bytes[1] === 0xff
            ? 'utf-16be'
            : 'utf-8'
      decoder = new TextDecoder(encoding, { fatal: true })
    }
    let text: string
    try {
      text = decoder.decode(bytes, { stream: length > 0 })
    } catch {
      yield { text: new TextDecoder(encoding).decode(bytes), isBroken: true }
      return
    }
    if (text !== '') yield { text, isBroken: false }
    if (length === 0) return
  }
}

/** The separator that cuts the first rows into the most cells, all rows into equally many. */
function separatorOf(text: string): string {
  let best: { separator: string; cells: number } = { separator: ',', cells: 1 }
  for (const separator of SEPARATORS) {
    const rows: Row[] = []
    const sink = {
      row: (cells: Row) => void rows.push(cells),
      get fileRows() {
        return rows.length
      },
    }
    try {
      createParser(separator, sink, text.length + 1).write(text, false)
    } catch {
      continue
    }
    const [head, ...others] = rows.slice(0, 50)
    if (head === undefined) continue
    const isEven = others.every(cells => cells.length === head.length)
    if (isEven && head.length > best.cells) best = { separator, cells: head.length }
  }
  return best.separator
}

type State = 'start' | 'plain' | 'quoted' | 'closed'

function createParser(separator: string, sink: Sink, mostCharacters: number) {
  let state: State = 'start'
  let cells: Row = []
  let cell = ''
  let isAfterReturn = false
  const place = () => cellWords(sink.fileRows + 1, String(cells.length + 1))
  const facts = () => ({ row: sink.fileRows + 1, column: cells.length + 1 })
  const endCell = () => {
    if (cells.length >= MOST_CELLS)
      throw new UploadError(
        'uploads.too_many_columns',
        `${cellWords(sink.fileRows + 1)} has more than ${MOST_CELLS.toLocaleString('en-US')} cells.`,
        { hint: 'Check the separator of the file.', facts: { row: sink.fileRows + 1 } },
      )
    // Nothing at all is an empty cell, and two quotes are an empty text.
    cells.push(state === 'start' ? null : cell)
    cell = ''
    state = 'start'
  }
  const endRow = () => {
    const isBlank = cells.length === 0 && state === 'start'
    endCell()
    const row = cells
    cells = []
    // A blank line is an empty cell of a file with one column, and nothing in any other.
    if (!isBlank || (sink.fileRows > 0 && width === 1)) {
      width ??= row.length
      sink.row(row)
    }
  }
  let width: number | undefined
  const add = (text: string) => {
    cell += text
    if (cell.length > mostCharacters)
      throw new UploadError(
        'uploads.cell_too_long',
        `${place()} is longer than ${mostCharacters.toLocaleString('en-US')} characters.`,
        {
          hint: state === 'quoted' ? 'A quote may not be closed.' : undefined,
          facts: facts(),
        },
      )
  }
  return {
    write(text: string, isBroken: boolean): void {
      let at = 0
      while (at < text.length) {
        const sign = text[at] as string
        if (isAfterReturn && sign === '\n') {
          isAfterReturn = false
          at++
          continue
        }
        isAfterReturn = false
        if (state === 'quoted') {
          const quote = text.indexOf('"', at)
          const end = quote < 0 ? text.length : quote
          if (end > at) {
            const part = text.slice(at, end)
            if (isBroken) refuseBroken(part)
            add(part)
          }
          at = end
          if (quote >= 0) {
            state = 'closed'
            at++
          }
          continue
        }
        if (sign === '"' && state === 'closed') {
          add('"')
          state = 'quoted'
          at++
        } else if (sign === '"' && state === 'start') {
          state = 'quoted'
          at++
        } else if (sign === separator) {
          endCell()
          at++
        } else if (sign === '\n' || sign === '\r') {
          isAfterReturn = sign === '\r'
          endRow()
          at++
        } else if (state === 'closed') {
          throw new UploadError('uploads.quotes', `${place()} has text after its closing quote.`, {
            hint: 'Write a quote inside a quoted cell twice.',
            facts: facts(),
          })
        } else {
          state = 'plain'
          let end = at + 1
          while (end < text.length) {
            const next = text[end]
            if (next === separator || next === '\n' || next === '\r') break
            end++
          }
          const part = text.slice(at, end)
          if (isBroken) refuseBroken(part)
          add(part)
          at = end
        }
      }
      if (isBroken) refuseBroken('\ufffd')
    },
    end(): void {
      if (state === 'quoted')
        throw new UploadError('uploads.quotes', `${place()} begins with a quote that is not closed.`, {
          hint: 'Close the quote, or write quotes inside a quoted cell twice.',
          facts: facts(),
        })
      if (cells.length > 0 || state !== 'start') endRow()
    },
  }

  function refuseBroken(part: string): void {
    if (!part.includes('\ufffd')) return
    throw new UploadError('uploads.encoding', `${place()} is not UTF-8 text.`, {
      hint: 'Save the file as UTF-8, for example as “CSV UTF-8” in Excel.',
      facts: facts(),
    })
  }
}
