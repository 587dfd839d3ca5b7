import type { DataFormat } from '@clickhouse/client'
import type { Cell } from '#kernel/sqlCells.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { type FileFormat, fileSettings } from '#warehouse/index.ts'
import { collect } from './collect.ts'
import { type AnswerColumn, decodeRows, ROWS_FORMAT } from './decodeRows.ts'
import { QueryError } from './errors.ts'
import type { Executor, QueryRequest, QueryRole } from './execute.ts'
import type { TextForm } from './rowsText.ts'
import { writeRows } from './writeRows.ts'

const ANSWER_BYTES = 64 * 1024 * 1024
/** Limits of an answer that is parsed here: bytes, and values including those in lists. */
const ROWS_LIMITS = {
  guest: { bytes: 16 * 2 ** 20, values: 2_000_000 },
  member: { bytes: ANSWER_BYTES, values: 8_000_000 },
} as const satisfies Record<QueryRole, { bytes: number; values: number }>

export type RowsAnswer = {
  queryId: string
  columns: AnswerColumn[]
  rows: Cell[][]
  rowCount: number
  isTruncated: boolean
  elapsedMs: number
  readRows: number
  readBytes: number
}

/** The same with the rows as text. */
export type TextAnswer = Omit<RowsAnswer, 'rows'> & { readonly text: Uint8Array }

export type FileAnswer = { queryId: string; bytes: Buffer; isTruncated: boolean }

export type Queries = {
  /** Runs one reading statement with the limits of the role, `guest` unless given. Throws QueryError only. */
  rows(
    request: QueryRequest,
    caller: string,
    signal?: AbortSignal,
    role?: QueryRole,
    isCounted?: boolean,
  ): Promise<RowsAnswer>
  /** The same with the rows as text, which may be many more. */
  text(
    request: QueryRequest,
    form: TextForm,
    caller: string,
    signal?: AbortSignal,
    role?: QueryRole,
  ): Promise<TextAnswer>
  /** The same as a file that the engine writes. */
  file(
    request: QueryRequest,
    format: FileFormat,
    caller: string,
    signal?: AbortSignal,
    role?: QueryRole,
  ): Promise<FileAnswer>
  /** Stops a running query of the caller; false where none of that id runs. */
  cancel(queryId: string, caller: string): Promise<boolean>
}

/** User queries whose results are answered at once and stored nowhere. */
export function createQueries(executor: Executor): Queries {
  /** Runs a query whose rows `read` takes from the bytes of the engine's answer. */
  async function readRows<T extends object>(
    request: QueryRequest,
    {
      caller,
      signal,
      role,
      isCounted,
    }: { caller: string; signal: AbortSignal | undefined; role: QueryRole; isCounted: boolean },
    read: (bytes: Buffer, ended: AbortSignal) => Promise<T>,
  ): Promise<T & { queryId: string; elapsedMs: number }> {
    const start = performance.now()
    const { bytes, values } = ROWS_LIMITS[role]
    const answer = await executor.run(request, {
      caller,
      role,
      signal,
      settings: { default_format: ROWS_FORMAT as DataFormat },
      // One row more than the limit tells an answer that was cut from one that just fits.
      maxRows: SQL_LIMITS[role].rows + 1,
      isCounted,
      overflow: 'throw',
      async take(stream, ended) {
        const found = await collect(stream, bytes, () => tooLarge(bytes), ended)
        if (valuesIn(found) > values) throw tooManyValues(values)
        return read(found, ended)
      },
    })
    return { ...answer, elapsedMs: Math.round((performance.now() - start) * 10) / 10 }
  }

  return {
    async rows(request, caller, signal, role = 'guest', isCounted = true) {
      const answer = await readRows(request, { caller, signal, role, isCounted }, bytes =>
        decodeRows(bytes, SQL_LIMITS[role].rows),
      )
      return { ...answer, rowCount: answer.rows.length }
    },
    text: (request, form, caller, signal, role = 'guest') =>
      readRows(request, { caller, signal, role, isCounted: true }, (bytes, ended) =>
        writeRows(bytes, {
          maxRows: SQL_LIMITS[role].rows,
          form,
          ended,
          tooLarge: () => tooLarge(ROWS_LIMITS[role].bytes),
        }),
      ),
    async file(request, format, caller, signal, role = 'guest') {
      const { rows: most } = SQL_LIMITS[role]
      const ask = (maxRows: number) =>
        executor.run(request, {
          caller,
          role,
          signal,
          settings: { ...fileSettings(format), max_result_rows: String(most) },
          maxRows,
          overflow: 'throw',
          take: async (stream, ended) => ({
            bytes: await collect(stream, ANSWER_BYTES, () => tooLarge(ANSWER_BYTES), ended),
          }),
        })
      try {
        return { ...(await ask(most + 1)), isTruncated: false }
      } catch (cause) {
        // A file cannot be cut once it is written: it is written again, shorter.
        if (!(cause instanceof QueryError) || cause.code !== 'sql.too_large') throw cause
        return { ...(await ask(most)), isTruncated: true }
      }
    },
    cancel: executor.cancel,
  }
}

/** Upper bound of the values in a JSON response, including lists and their items. Commas and brackets inside strings count too. */
function valuesIn(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte === OPENING || byte === COMMA) count++
  return count
}
const [OPENING, COMMA] = [0x5b, 0x2c]

const HINT = 'Add a LIMIT or select fewer columns, or run it on /Query, where results can be larger.'

const tooLarge = (bytes: number): QueryError =>
  new QueryError('sql.too_large', `The response is larger than ${bytes / 2 ** 20} MiB.`, { hint: HINT })

const tooManyValues = (values: number): QueryError =>
  new QueryError(
    'sql.too_large',
    `The response has more than ${values.toLocaleString('en-US')} values, including those in lists.`,
    { hint: HINT },
  )
