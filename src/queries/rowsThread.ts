import { parentPort, workerData } from 'node:worker_threads'
import { ClickHouseError } from '@clickhouse/client'
import { type RowsText, rowsText, type TextForm } from './rowsText.ts'

export type RowsTask = { readonly bytes: Uint8Array; readonly maxRows: number; readonly form: TextForm }

export type RowsMessage =
  | { readonly done: RowsText }
  /** What the engine reported at the end of its answer. */
  | {
      readonly failure: { readonly code: string; readonly type?: string; readonly message: string }
    }

if (parentPort !== null) {
  const { bytes, maxRows, form } = workerData as RowsTask
  parentPort.postMessage(await messageOf(bytes, maxRows, form))
}

async function messageOf(bytes: Uint8Array, maxRows: number, form: TextForm): Promise<RowsMessage> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return { done: await rowsText(buffer, maxRows, form) }
  } catch (thrown) {
    if (!(thrown instanceof ClickHouseError)) throw thrown
    const { code, type, message } = thrown
    return { failure: { code, message, ...(type !== undefined && { type }) } }
  }
}
