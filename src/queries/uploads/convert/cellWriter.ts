import { closeSync, openSync, writeSync } from 'node:fs'
import { cellWords, UploadError } from '../uploadError.ts'
import type { UploadLimits } from '../uploadLimits.ts'

/** Takes the rows of a file. The first row is the header, unless the file has none. `null` is an empty cell. */
export type CellWriter = {
  /** `number` is the row in the file, unless it is the next. */
  row(cells: readonly (string | null)[], number?: number): void
  /** Rows of the file so far, the header included. */
  readonly fileRows: number
  end(): Converted
}

export type Converted = { readonly headers: readonly string[]; readonly rowCount: number }

const FLUSH_CHARACTERS = 1 << 20
/** Headers stay in the memory of the server for as long as the draft does. */
export const HEADER_CHARACTERS = 200
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
}

/**
 * Writes cells as the engine's `TabSeparated`, with the number of the row in front, so that every format is inferred and read
 * the same way. Throws UploadError for rows of different lengths and beyond the limits.
 */
export function createCellWriter(path: string, limits: UploadLimits, hasHeader: boolean): CellWriter {
  const file = openSync(path, 'w')
  let headers: readonly string[] | undefined
  let fileRows = 0
  let rowCount = 0
  let bytes = 0
  let pending: string[] = []
  let pendingCharacters = 0
  const flush = () => {
    const chunk = Buffer.from(pending.join(''))
    bytes += chunk.length
    if (bytes > limits.unpackedBytes)
      throw new UploadError(
        'uploads.too_large',
        `The file unpacks to more than ${limits.unpackedBytes / 2 ** 20} MiB.`,
        {
          hint: 'Upload fewer rows or columns.',
        },
      )
    for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
    pending = []
    pendingCharacters = 0
  }
  const begin = (cells: readonly (string | null)[]) => {
    if (cells.length > limits.columns)
      throw new UploadError('uploads.too_many_columns', `The file has more than ${limits.columns} columns.`, {
        hint: 'Upload the columns that you need, or one row for each value.',
      })
    headers = hasHeader
      ? cells.map(cell => (cell ?? '').slice(0, HEADER_CHARACTERS))
      : cells.map((_, at) => `column ${at + 1}`)
  }
  return {
    get fileRows() {
      return fileRows
    },
    row(cells, number = fileRows + 1) {
      fileRows = number
      if (headers === undefined) {
        begin(cells)
        if (hasHeader) return
      }
      const width = headers?.length ?? 0
      if (cells.length !== width)
        throw new UploadError(
          'uploads.row_length',
          `${cellWords(fileRows)} has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the ${hasHeader ? 'header' : 'first row'} has ${width}.`,
          {
            hint: 'Quote cells that contain the separator, a quote or a line break.',
            facts: { row: fileRows },
          },
        )
      if (++rowCount > limits.rows)
        throw new UploadError(
          'uploads.too_many_rows',
          `The file has more than ${limits.rows.toLocaleString('en-US')} rows.`,
          {
            hint: 'Upload fewer rows.',
          },
        )
      let line = String(fileRows)
      for (let at = 0; at < cells.length; at++) {
        const cell = cells[at]
        if (cell === null || cell === undefined) line += '\t\\N'
        else {
          if (cell.length > limits.cellCharacters)
            throw new UploadError(
              'uploads.cell_too_long',
              `${cellWords(fileRows, headers?.[at]?.slice(0, 60))} is longer than ${limits.cellCharacters.toLocaleString('en-US')} characters.`,
              { facts: { row: fileRows } },
            )
          line += `\t${/[\\\t\n\r\0]/.test(cell) ? cell.replace(/[\\\t\n\r\0]/g, sign => ESCAPES[sign] ?? sign) : cell}`
        }
      }
      pending.push(line, '\n')
      pendingCharacters += line.length
      if (pendingCharacters > FLUSH_CHARACTERS) flush()
    },
    end() {
      flush()
      closeSync(file)
      if (headers === undefined || rowCount === 0)
        throw new UploadError('uploads.empty', 'The file has no rows below its header.', {
          hint: 'If the file has no header, say so.',
        })
      return { headers, rowCount }
    },
  }
}
