import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ClickHouseError } from '@clickhouse/client'
import { type FileReader, sqlString } from '#warehouse/index.ts'
import { bareType, quotedName } from '../results/resultSql.ts'
import type { ColumnChoice } from './columnTypes.ts'
import { type Converted, HEADER_CHARACTERS } from './convert/cellWriter.ts'
import { UploadError } from './uploadError.ts'
import type { UploadLimits } from './uploadLimits.ts'

const SECONDS = 120
const MEMORY_BYTES = 400 * 2 ** 20

/** A Parquet file as cells, with what the file says of its columns. */
export type ReadParquet = Converted & { readonly choices: readonly ColumnChoice[] }

/**
 * Has the confined engine write the cells of a Parquet file as texts. Values keep all their digits; times keep microseconds. Columns with
 * bytes that are no text are written as hex. Throws UploadError.
 */
export async function readParquet(
  reader: FileReader,
  { from, to }: { from: string; to: string },
  limits: UploadLimits,
  signal: AbortSignal,
): Promise<ReadParquet> {
  const source = `file(${sqlString(from)}, 'Parquet')`
  const settings = {
    max_execution_time: SECONDS,
    max_memory_usage: String(MEMORY_BYTES),
    max_query_size: String(16 * 2 ** 20),
    max_threads: 1,
    output_format_json_quote_64bit_integers: 0,
  } as const
  try {
    const client = await reader.client()
    const ask = async <T>(query: string): Promise<T[]> => {
      const result = await client.query({
        query,
        format: 'JSONEachRow',
        clickhouse_settings: settings,
        abort_signal: signal,
      })
      return result.json<T>()
    }
    const columns = await ask<{ name: string; type: string }>(`DESCRIBE TABLE ${source}`)
    if (columns.length > limits.columns)
      throw new UploadError('uploads.too_many_columns', `The file has more than ${limits.columns} columns.`)
    const [counted] = await ask<{ rows: number }>(`SELECT count() AS rows FROM ${source}`)
    const rowCount = counted?.rows ?? 0
    if (rowCount === 0 || columns.length === 0)
      throw new UploadError('uploads.empty', 'The file has no rows.')
    if (rowCount > limits.rows)
      throw new UploadError(
        'uploads.too_many_rows',
        `The file has more than ${limits.rows.toLocaleString('en-US')} rows.`,
      )
    const texts = columns.map(({ name, type }) => ({
      column: quotedName(name),
      isText: /String/.test(bareType(type)),
      isTime: bareType(type).startsWith('DateTime'),
    }))
    const [binary] = await ask<{ found: number[] }>(
      `SELECT [${texts.map(({ column, isText }) => (isText ? `countIf(NOT isValidUTF8(ifNull(toString(${column}), '')))` : '0')).join(', ')}] AS found FROM ${source}`,
    )
    const cells = texts.map(({ column, isTime }, at) =>
      (binary?.found[at] ?? 0) > 0
        ? `lower(hex(${column}))`
        : `toString(${isTime ? `toTimeZone(${column}, 'UTC')` : column})`,
    )
    const { stream } = await client.exec({
      query: `SELECT rowNumberInAllBlocks() + 1, ${cells.join(', ')} FROM ${source} FORMAT TabSeparated`,
      clickhouse_settings: settings,
      abort_signal: signal,
    })
    await write(stream as Readable, to, limits, signal)
    return {
      headers: columns.map(({ name }) => name.slice(0, HEADER_CHARACTERS)),
      rowCount,
      choices: columns.map(({ type }) => ({ type: uploadType(bareType(type)), format: 'plain' })),
    }
  } catch (cause) {
    if (!(cause instanceof ClickHouseError)) throw cause
    throw new UploadError('uploads.unreadable', 'The Parquet file is damaged or too large to read.', {
      hint: 'Write it again with fewer rows in a group, or upload CSV.',
      cause,
    })
  }
}

async function write(
  rows: Readable,
  to: string,
  { unpackedBytes }: UploadLimits,
  signal: AbortSignal,
): Promise<void> {
  let bytes = 0
  await pipeline(
    rows,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > unpackedBytes)
          throw new UploadError(
            'uploads.too_large',
            `The file unpacks to more than ${unpackedBytes / 2 ** 20} MiB.`,
            {
              hint: 'Upload fewer rows or columns.',
            },
          )
        yield chunk
      }
    },
    createWriteStream(to),
    { signal },
  )
}

/** The type of an upload for one of the engine. What has none is a text. */
function uploadType(type: string): string {
  if (/^(?:U?Int(?:8|16|32)|Int64)$/.test(type)) return 'Int64'
  if (/^(?:UInt64|Int128|Int256)$/.test(type)) return 'Int256'
  if (/^UInt(?:128|256)$/.test(type)) return 'UInt256'
  if (/^Float|^BFloat/.test(type)) return 'Float64'
  if (/^Date(?:32)?$/.test(type)) return 'Date'
  if (/^DateTime/.test(type)) return 'DateTime'
  if (type === 'Bool') return 'Bool'
  const [, precision, scale] = /^Decimal\((\d+), ?(\d+)\)$/.exec(type) ?? []
  return precision === undefined ? 'String' : `Decimal(${Number(precision) <= 38 ? 38 : 76}, ${scale})`
}
