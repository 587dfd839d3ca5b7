import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { ClickHouseError, type ClickHouseSettings, type DataFormat } from '@clickhouse/client'
import type { Cell } from '#kernel/sqlCells.ts'
import { type FileReader, sqlString } from '#warehouse/index.ts'
import { isHexType } from '../cells.ts'
import { collect } from '../collect.ts'
import { type AnswerColumn, decodeRows, ROWS_FORMAT } from '../decodeRows.ts'
import { QueryError } from '../errors.ts'
import { readNativeHead } from '../nativeShapes.ts'
import { NO_ROWS_HASH, rowsHashSql } from '../provenance/rowsHash.ts'
import { createTurns } from '../turns.ts'
import { type ChartGroups, type ChartRequest, chartGroups, tooManyGroups } from './chartGroups.ts'
import { type ColumnProfile, columnProfile, emptyProfile } from './columnProfile.ts'
import { emptyNative } from './emptyNative.ts'
import { headOf } from './headOf.ts'
import { exceptionTagOf, type ResultFiles, requireWhole, type StoredResult } from './resultFiles.ts'
import {
  columnAt,
  columnsOf,
  csvSql,
  jsonSql,
  type ResultFilter,
  type ResultSource,
  type ResultView,
  viewSql,
} from './resultSql.ts'

export type ResultRows = { readonly rows: Cell[][]; readonly matchingRows: number }

/** Formats of files, by the name that readers know them by. */
export const RESULT_FILES = {
  csv: { format: 'CSVWithNames', media: 'text/csv; charset=utf-8', extension: 'csv' },
  'json-array': { format: 'JSONEachRow', media: 'application/json', extension: 'json' },
  jsonl: { format: 'JSONEachRow', media: 'application/x-ndjson; charset=utf-8', extension: 'jsonl' },
  arrow: { format: 'Arrow', media: 'application/vnd.apache.arrow.file', extension: 'arrow' },
  parquet: { format: 'Parquet', media: 'application/vnd.apache.parquet', extension: 'parquet' },
  xlsx: {
    format: 'RawBLOB',
    media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
  },
  native: { format: 'Native', media: 'application/octet-stream', extension: 'native' },
} as const
export type ResultFileFormat = keyof typeof RESULT_FILES

/** A file to send. Its size is unknown if it is written while it is sent. */
export type ResultFile = { readonly stream: Readable; readonly bytes: number | undefined }

/** The file of a stored result, for byte ranges. Close it unless it was read. */
export type StoredFile = {
  readonly bytes: number
  /** Changes whenever the bytes of the file might change. */
  readonly tag: string
  /** Reads bytes `first` to `last`, both inclusive. */
  read(first: number, last: number): Promise<Readable>
  close(): Promise<void>
}

/** Who reads: limits count by `caller`. */
/** `owner` is who reads results of their own uploads. */
export type ResultReader = {
  readonly caller: string
  /** Of guests if absent. */
  readonly isMember?: boolean
  readonly owner?: string | undefined
  readonly signal: AbortSignal
}

/**
 * Reads stored results by their address. Throws `sql.result_expired` for one that is not stored any more, and
 * `sql.result_private` for one that rests on uploads of somebody else.
 */
export type Results = {
  info(hash: string, owner?: string): Promise<StoredResult>
  find(hash: string): Promise<StoredResult | undefined>
  /**
   * Pins a result that is cited, shared or saved with a version of a query. Returns false if the budget is used up, and for results
   * of guests. `by` is a `personKey`.
   */
  pin(hash: string, by: string): Promise<boolean>
  /** A page of the rows that the view keeps, in its order. */
  page(
    hash: string,
    view: ResultView,
    window: { offset: number; limit: number },
    reader: ResultReader,
  ): Promise<ResultRows>
  /** All rows of the view as a file, written whole before it is sent: a slow reader holds no slot of the engine. */
  file(hash: string, view: ResultView, format: ResultFileFormat, reader: ResultReader): Promise<ResultFile>
  /** Throws the same errors as `file`, without reading rows. */
  checkFile(hash: string, view: ResultView, format: ResultFileFormat, owner?: string): Promise<void>
  /**
   * The stored rows in ClickHouse's Native format. Undefined for empty results, and for truncated ones, whose file has one row too
   * many.
   */
  storedFile(hash: string, reader: ResultReader): Promise<StoredFile | undefined>
  /** Hashes of all rows, for provenance files. */
  rowsHash(hash: string, reader: ResultReader): Promise<{ hash: string; roundedHash: string }>
  /** Profiles a column over the rows that match the filters. `column` counts from 0. */
  profile(
    hash: string,
    column: number,
    filters: readonly ResultFilter[] | undefined,
    reader: ResultReader,
  ): Promise<ColumnProfile>
  /** All rows that match the filters, grouped for a chart. */
  chart(hash: string, request: ChartRequest, reader: ResultReader): Promise<ChartGroups>
  /** Columns and number of rows of a draft that has any. */
  inspect(
    path: string,
    bytes: number,
    signal: AbortSignal,
  ): Promise<{ columns: AnswerColumn[]; rows: number }>
  /** Keywords of the engine's SQL. */
  keywords(): Promise<string[]>
  /** The columns that a draft of a DESCRIBE statement lists. */
  described(path: string, signal: AbortSignal): Promise<AnswerColumn[]>
}

/** Smaller results are measured here: another request to the engine would take longer. */
const READ_HERE_BYTES = 2 ** 18
/** How long one read of a result may take, seconds. */
const READ_SECONDS = 30
const FILE_SECONDS = 300
/** What a page may weigh as JSON, bytes: it is parsed in the process that draws pages. */
const PAGE_BYTES = 8 * 2 ** 20
const EXPORT_BYTES = { guest: 256 * 2 ** 20, member: 4 * 2 ** 30 } as const
/** Smaller files are sent from memory. At most 24 are sent at once. */
const IN_MEMORY_BYTES = 2 ** 18
/** A file is sent within this, milliseconds. */
const SEND_MS = 15 * 60_000
/** SQL of ours names every column of a result. */
const SQL_BYTES = 64 * 2 ** 20
const READS = { perAsker: 6, inAll: 24, ofMembers: 0, sharedFrom: 24, waitMs: 10_000 } as const
const EXPORTS = { perAsker: 1, inAll: 4, ofMembers: 1, sharedFrom: 4, waitMs: 10_000 } as const
/** Files being written or sent. Each takes up disk space until it has been read. */
const SENDS = { perAsker: 2, inAll: 24, ofMembers: 12, sharedFrom: 12, waitMs: 10_000 } as const
/** Downloads of stored files do not use the engine, and download managers read several ranges at once. */
const DOWNLOADS = { perAsker: 8, inAll: 256, ofMembers: 192, sharedFrom: 128, waitMs: 10_000 } as const

export function createResults(reader: FileReader, files: ResultFiles): Results {
  const reads = createTurns(READS)
  const exports = createTurns(EXPORTS)
  const sends = createTurns(SENDS)
  const downloads = createTurns(DOWNLOADS)
  const run = async (query: string, signal: AbortSignal, settings: ClickHouseSettings = {}) => {
    const client = await reader.client()
    try {
      const { stream, response_headers: headers } = await client.exec({
        query,
        clickhouse_settings: {
          max_execution_time: READ_SECONDS,
          max_query_size: String(SQL_BYTES),
          max_ast_elements: '1000000',
          max_expanded_ast_elements: '1000000',
          output_format_arrow_compression_method: 'none',
          output_format_parquet_compression_method: 'snappy',
          ...settings,
        },
        abort_signal: signal,
      })
      return { stream: stream as Readable, exceptionTag: exceptionTagOf(headers) }
    } catch (cause) {
      throw toResultError(cause)
    }
  }
  const rowsOf = async (query: string, signal: AbortSignal) => {
    const { stream } = await run(query, signal, { default_format: ROWS_FORMAT as DataFormat })
    try {
      return await decodeRows(await collect(stream, PAGE_BYTES, pageTooLarge), Number.POSITIVE_INFINITY)
    } catch (cause) {
      throw toResultError(cause)
    }
  }
  const first = async (query: string, signal: AbortSignal): Promise<Cell[]> =>
    (await rowsOf(query, signal)).rows[0] ?? []
  /** More reads of one caller wait; other callers go first. */
  const reading = async <T>({ caller, signal }: ResultReader, read: () => Promise<T>): Promise<T> => {
    const release = await reads.take(caller, { signal, queue: { most: 100, onChange: () => {} } })
    try {
      return await read()
    } finally {
      release()
    }
  }

  /** Slots for a file. The engine slot is released once it is written, the other once it is sent. */
  const fileSlots = async ({ caller, isMember = false, signal }: ResultReader) => {
    const sent = await sends.take(caller, { isMember, signal }).catch(cause => {
      throw cause instanceof QueryError && cause.code === 'sql.too_many_at_once' ? tooManyFiles(cause) : cause
    })
    try {
      // One at a time is written for a caller: others wait for it.
      const queue = { most: SENDS.perAsker, onChange: () => {} }
      return { sent, written: await exports.take(caller, { isMember, signal, queue }) }
    } catch (cause) {
      sent()
      throw cause
    }
  }

  /** A file that was written whole: a small one in memory, a large one on the disk. */
  const keptFile = async (
    written: Readable,
    {
      maxBytes,
      exceptionTag,
      signal,
    }: { maxBytes: number; exceptionTag: string | undefined; signal: AbortSignal },
  ) => {
    const head = await headOf(written, IN_MEMORY_BYTES)
    if ('all' in head) {
      requireWhole(head.all, exceptionTag)
      return {
        bytes: head.all.length,
        open: (ended: AbortSignal) => Readable.from([head.all], { objectMode: false, signal: ended }),
        discard: async () => {},
      }
    }
    const { path, bytes } = await files.draft(head.stream, signal, { maxBytes, exceptionTag })
    return {
      bytes,
      open: (ended: AbortSignal) => createReadStream(path, { signal: ended }),
      discard: () => files.discard(path),
    }
  }

  const find = (hash: string) => files.find(hash)
  const info = async (hash: string, owner?: string): Promise<StoredResult> => {
    const found = await find(hash)
    if (found?.owner !== undefined && found.owner !== owner)
      throw new QueryError(
        'sql.result_private',
        'The result rests on an upload, which only its owner can read.',
        {
          hint: 'Sign in as its owner. An API key needs the scope read:own.',
        },
      )
    if (found !== undefined) return found
    throw await expired(hash, owner)
  }
  const expired = async (hash: string, owner?: string): Promise<QueryError> => {
    const gone = await files.expired(hash)
    const isReadable = gone !== undefined && (gone.owner === undefined || gone.owner === owner)
    return new QueryError('sql.result_expired', 'The result is no longer stored.', {
      hint: isReadable ? 'Run its query again, which is in `query`.' : 'Run the query again.',
      ...(isReadable && {
        query: { sql: gone.sql, parameters: gone.parameters, dataVersion: gone.dataVersion },
      }),
    })
  }
  const sourceOf = ({ hash, columns, rowCount }: StoredResult): ResultSource => ({
    path: files.rowsOf(hash),
    columns,
    rowCount,
  })

  /** SQL that writes the file. Throws if the request is invalid. */
  const prepare = async (hash: string, view: ResultView, format: ResultFileFormat, owner?: string) => {
    const result = await info(hash, owner)
    const source = sourceOf(result)
    if (result.columns.length === 0)
      throw new QueryError('sql.result_empty', 'The result has no columns, so it cannot be exported.')
    const xlsx = format === 'xlsx' ? await import('./xlsx/index.ts') : undefined
    xlsx?.requireFits(result, view)
    const rows = { csv: csvSql, 'json-array': jsonSql, jsonl: jsonSql, xlsx: xlsx?.xlsxSql }
    const sql = ((format in rows && rows[format as keyof typeof rows]) || viewSql)(source, view)
    return { result, source, sql, xlsx }
  }

  return {
    info,
    find,
    pin: files.pin,
    async page(hash, view, window, reader) {
      const result = await info(hash, reader.owner)
      const source = sourceOf(result)
      if (result.rowCount === 0) return { rows: [], matchingRows: 0 }
      const isFiltered = (view.filters ?? []).length > 0
      return reading(reader, async () => {
        const [page, [matching]] = await Promise.all([
          rowsOf(viewSql(source, { ...view, window }), reader.signal),
          isFiltered
            ? first(`SELECT count() FROM (\n${viewSql(source, { filters: view.filters })}\n)`, reader.signal)
            : [result.rowCount],
        ])
        return { rows: page.rows, matchingRows: Number(matching) }
      })
    },
    async checkFile(hash, view, format, owner) {
      await prepare(hash, view, format, owner)
    },
    async file(hash, view, format, reader) {
      const { result, source, sql, xlsx } = await prepare(hash, view, format, reader.owner)
      const { isMember = false, signal } = reader
      const { sent, written } = await fileSlots(reader)
      try {
        const { stream, exceptionTag } = await run(`${sql}\nFORMAT ${RESULT_FILES[format].format}`, signal, {
          max_execution_time: FILE_SECONDS,
          format_csv_null_representation: '',
          output_format_csv_crlf_end_of_line: 1,
          // Of numbers and texts in one column.
          use_variant_as_common_type: 1,
          output_format_json_array_of_rows: format === 'json-array' ? 1 : 0,
          output_format_json_quote_64bit_integers: 1,
          output_format_json_quote_decimals: 1,
          output_format_json_validate_utf8: 1,
        })
        const { bytes, open, discard } = await keptFile(stream, {
          maxBytes: EXPORT_BYTES[isMember ? 'member' : 'guest'],
          exceptionTag,
          signal,
        })
        written()
        const ended = AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)])
        const close = () => void discard().finally(sent)
        if (format === 'native' && bytes === 0) {
          close()
          const head = emptyNative(columnsOf(source, view))
          return { stream: Readable.from([head], { objectMode: false }), bytes: head.length }
        }
        const read = open(ended)
        const file =
          xlsx === undefined
            ? read
            : Readable.from(xlsx.workbookOf(result, view, read), { objectMode: false, signal: ended })
        file.once('close', close)
        return { stream: file, bytes: xlsx === undefined ? bytes : undefined }
      } catch (cause) {
        written()
        sent()
        throw cause
      }
    },
    async storedFile(hash, { caller, isMember = false, owner, signal }) {
      const { isTruncated, rowCount } = await info(hash, owner)
      if (isTruncated || rowCount === 0) return undefined
      const file = await open(files.rowsOf(hash)).catch(async cause => {
        // Removed to free space since its metadata was read.
        throw (cause as NodeJS.ErrnoException).code === 'ENOENT' ? await expired(hash, owner) : cause
      })
      try {
        // From the open file, because a result that was removed and run again may have its rows in another order.
        const { size, mtimeNs, ino } = await file.stat({ bigint: true })
        const tag = createHash('sha256').update(`${hash} ${ino} ${mtimeNs} ${size}`).digest('base64url')
        return {
          bytes: Number(size),
          tag,
          async read(first, last) {
            const release = await downloads.take(caller, { isMember, signal })
            const ended = AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)])
            const stream = file.createReadStream({ start: first, end: last, signal: ended })
            stream.once('close', release)
            return stream
          },
          close: () => file.close(),
        }
      } catch (cause) {
        await file.close()
        throw cause
      }
    },
    async rowsHash(hash, reader) {
      const result = await info(hash, reader.owner)
      if (result.rowCount === 0) return { hash: NO_ROWS_HASH, roundedHash: NO_ROWS_HASH }
      return reading(reader, async () => {
        const relation = `(${viewSql(sourceOf(result), {})})`
        const [exact, rounded] = await first(rowsHashSql(result.columns, relation), reader.signal)
        return { hash: String(exact), roundedHash: String(rounded) }
      })
    },
    async chart(hash, request, reader) {
      const result = await info(hash, reader.owner)
      return reading(reader, () =>
        chartGroups(sourceOf(result), request, { rowsOf: query => rowsOf(query, reader.signal) }),
      )
    },
    async profile(hash, position, filters, reader) {
      const source = sourceOf(await info(hash, reader.owner))
      const column = columnAt(source, position)
      if (source.rowCount === 0) return emptyProfile(column)
      return reading(reader, () =>
        columnProfile(source, { column, filters }, { rowsOf: query => rowsOf(query, reader.signal) }),
      )
    },
    async inspect(path, bytes, signal) {
      const known = bytes <= READ_HERE_BYTES ? readNativeHead(await readFile(path)) : undefined
      if (known !== undefined) {
        checkNames(known.columns)
        return { columns: known.columns.map(({ name, type }) => columnOf([name, type])), rows: known.rows }
      }
      const source = `file(${sqlString(path)}, 'Native')`
      // The count as the first column, so that one request gives both.
      const { columns, rows } = await rowsOf(
        `SELECT (SELECT count() FROM ${source}), * FROM ${source} LIMIT 1`,
        signal,
      )
      return { columns: columns.slice(1), rows: Number(rows[0]?.[0] ?? 0) }
    },
    keywords: async () =>
      (
        await rowsOf(
          'SELECT keyword FROM system.keywords ORDER BY keyword',
          AbortSignal.timeout(READ_SECONDS * 1000),
        )
      ).rows.map(([word]) => String(word)),
    described: async (path, signal) =>
      (await rowsOf(`SELECT name, type FROM file(${sqlString(path)}, 'Native')`, signal)).rows.map(columnOf),
  }
}

const columnOf = ([name, type]: readonly Cell[]): AnswerColumn => ({
  name: String(name),
  type: String(type),
  shownAs: isHexType(String(type)) ? 'hex' : 'value',
})

function checkNames(columns: readonly { name: string }[]): void {
  if (new Set(columns.map(({ name }) => name)).size < columns.length) throw duplicateColumn()
}

const duplicateColumn = (cause?: unknown): QueryError =>
  new QueryError('sql.duplicate_column', 'Two columns of the result have the same name.', {
    hint: 'Give each column its own name with AS.',
    cause,
  })

const tooManyFiles = (cause: QueryError): QueryError =>
  new QueryError('sql.too_many_at_once', 'Too many result downloads at once.', {
    hint: 'Wait for one of your downloads to finish, then retry.',
    facts: { retryAfterSeconds: 2 },
    cause,
  })

const pageTooLarge = (): QueryError =>
  new QueryError('sql.result_page', `This page of the result is larger than ${PAGE_BYTES / 2 ** 20} MiB.`, {
    hint: 'Ask for fewer rows, select fewer columns, or export the result as a file.',
  })

/** The engine's refusals that a reader can do something about. */
function toResultError(cause: unknown): unknown {
  if (cause instanceof Error && cause.name === 'AbortError')
    return new QueryError('sql.cancelled', 'Reading the result was canceled.', { cause })
  if (!(cause instanceof ClickHouseError)) return cause
  if (/already exists/.test(cause.message) && /Cannot add column/.test(cause.message))
    return duplicateColumn(cause)
  // Numbers of ClickHouse's ErrorCodes.cpp: values that do not parse as the column's type.
  if (['6', '27', '38', '41', '70', '72', '349', '376', '675', '676'].includes(cause.code))
    return new QueryError('sql.result_filter', 'A value of the filter does not fit the type of its column.', {
      hint: 'Write numbers with a decimal point and days as YYYY-MM-DD.',
      cause,
    })
  if (cause.code === '50')
    return new QueryError('sql.result_format', 'The format cannot hold a column of this result.', {
      hint: 'Choose CSV or JSON Lines, or convert the column with toString().',
      cause,
    })
  if (cause.code === '158') return tooManyGroups(cause)
  if (cause.code === '159' || cause.code === '160')
    return new QueryError('sql.too_long', 'Reading the result took too long and was stopped.', { cause })
  return new QueryError('sql.failed', 'The result could not be read.', { cause })
}
