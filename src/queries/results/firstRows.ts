import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { DataFormat } from '@clickhouse/client'
import type { Cell } from '#kernel/sqlCells.ts'
import { type FileReader, sqlString } from '#warehouse/index.ts'
import { type AnswerColumn, decodeRows, ROWS_FORMAT } from '../decodeRows.ts'
import type { GrowingDraft } from './resultFiles.ts'

/** Preview of a running query. It is not the result. */
export type FirstRows = { readonly columns: readonly AnswerColumn[]; readonly rows: readonly Cell[][] }

/** The first rows of an unfinished draft. Undefined if its first block is incomplete or the rows cannot be shown. */
export type ReadFirstRows = (path: string, signal: AbortSignal) => Promise<FirstRows | undefined>

const MOST_ROWS = 200
/** Maximum size as JSON, which is parsed in the process that renders pages. */
const MOST_BYTES = 256 * 1024
const MOST_AT_ONCE = 4
const SECONDS = 2
/** Interval at which the size of a draft is checked. Queries that end before the first check are not read. */
const LOOK_MS = 20
/** A draft is read again after it grows by this factor, up to a maximum number of reads. */
const GROWTH = 1.2
const MOST_READS = 12

export function createFirstRows(reader: Pick<FileReader, 'client'>): ReadFirstRows {
  let reading = 0
  return async (path, signal) => {
    if (reading >= MOST_AT_ONCE) return undefined
    reading++
    try {
      const client = await reader.client()
      const { stream } = await client.exec({
        query: `SELECT * FROM file(${sqlString(path)}, 'Native') LIMIT ${MOST_ROWS}`,
        clickhouse_settings: {
          default_format: ROWS_FORMAT as DataFormat,
          max_execution_time: SECONDS,
          // With more, the engine reads ahead into a block that is still being written.
          max_threads: 1,
        },
        abort_signal: signal,
      })
      const { columns, rows } = await decodeRows(await wholeLines(stream as Readable), MOST_ROWS)
      return rows.length === 0 ? undefined : { columns, rows }
    } catch {
      // The block is incomplete or the query has ended. The run itself reports all other errors.
      return undefined
    } finally {
      reading--
    }
  }
}

/** As many complete lines of the stream as fit. */
async function wholeLines(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= MOST_BYTES) continue
    const head = Buffer.concat(chunks).subarray(0, MOST_BYTES)
    return head.subarray(0, head.lastIndexOf('\n') + 1)
  }
  return Buffer.concat(chunks)
}

/** Watches a growing draft until it has all first rows or the signal aborts. */
export async function watchFirstRows(
  draft: GrowingDraft,
  read: ReadFirstRows,
  onRows: (rows: FirstRows) => void,
  signal: AbortSignal,
  wait = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {}),
): Promise<void> {
  let bytes = 0
  let count = 0
  for (let reads = 0; reads < MOST_READS; ) {
    await wait(LOOK_MS)
    if (signal.aborted) return
    const written = draft.written()
    if (written === 0 || written < bytes * GROWTH) continue
    bytes = written
    reads++
    const found = await read(draft.path, signal)
    if (signal.aborted) return
    if (found === undefined || found.rows.length <= count) continue
    count = found.rows.length
    onRows(found)
    if (count >= MOST_ROWS) return
  }
}
