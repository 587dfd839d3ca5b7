import type { DataFormat } from '@clickhouse/client'
import type { Cell } from '#kernel/sqlCells.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { type FileFormat, fileSettings } from '#warehouse/index.ts'
import { collect } from './collect.ts'
import { type AnswerColumn, decodeRows, ROWS_FORMAT } from './decodeRows.ts'
import { QueryError } from './errors.ts'
import type { Executor, QueryRequest, QueryRole } from './execute.ts'

const ANSWER_BYTES = 64 * 1024 * 1024

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
  return {
    async rows(request, caller, signal, role = 'guest', isCounted = true) {
      const start = performance.now()
      const { rows: most } = SQL_LIMITS[role]
      // One row more than the limit tells an answer that was cut from one that just fits.
      const answer = await executor.run(request, {
        caller,
        role,
        signal,
        settings: { default_format: ROWS_FORMAT as DataFormat },
        maxRows: most + 1,
        isCounted,
        overflow: 'throw',
        take: async (stream, ended) => decodeRows(await collect(stream, ANSWER_BYTES, tooLarge, ended), most),
      })
      return {
        ...answer,
        rowCount: answer.rows.length,
        elapsedMs: Math.round((performance.now() - start) * 10) / 10,
      }
    },
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
          take: async (stream, ended) => ({ bytes: await collect(stream, ANSWER_BYTES, tooLarge, ended) }),
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

const tooLarge = (): QueryError =>
  new QueryError('sql.too_large', `The answer is larger than ${ANSWER_BYTES} bytes.`, {
    hint: 'Add a LIMIT, or select fewer columns.',
  })
