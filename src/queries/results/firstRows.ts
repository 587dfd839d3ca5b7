import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { DataFormat } from '@clickhouse/client'
import type { Cell } from '#kernel/sqlCells.ts'
import { type FileReader, sqlString } from '#warehouse/index.ts'
import { type AnswerColumn, decodeRows, ROWS_FORMAT } from '../decodeRows.ts'
import type { GrowingDraft } from './resultFiles.ts'

/** Rows of a query that still runs. They are not its result. */
export type FirstRows = { readonly columns: readonly AnswerColumn[]; readonly rows: readonly Cell[][] }

/** The first rows of a draft that is being written; undefined while its first block is not whole, or if they cannot be shown. */
export type ReadFirstRows = (path: string, signal: AbortSignal) => Promise<FirstRows | undefined>

const MOST_ROWS = 200
/** What they may weigh as JSON: they are parsed in the process that draws pages. */
const MOST_BYTES = 256 * 1024
const MOST_AT_ONCE = 4
const SECONDS = 2
/** Pause between two looks at the size of a draft. A query that ends within the first is never read from. */
const LOOK_MS = 40
/** It is read again once it has grown by this much, so many times at most. */
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
      // The block is not whole yet, or the query has ended. Whatever else is wrong, the run itself reports it.
      return undefined
    } finally {
      reading--
    }
  }
}

/** Lines of the stream as far as they fit. */
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

/** Looks at a growing draft until its first rows are all there. Ends with the signal. */
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
