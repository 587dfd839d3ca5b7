import { Worker } from 'node:worker_threads'
import { ClickHouseError } from '@clickhouse/client'
import { type RowsText, rowsText, type TextForm } from './rowsText.ts'
import type { RowsMessage, RowsTask } from './rowsThread.ts'

/** Smaller answers are written here, because starting a thread takes longer. */
const HERE_BYTES = 2 ** 18
const THREAD_MIB = 1024

/**
 * Rows of the engine's answer as text, in a thread of their own unless there are few: the process that draws pages parses no large
 * answers. Throws what the engine reports at the end of its answer, and `tooLarge()` if the rows need too much memory.
 */
export async function writeRows(
  bytes: Buffer,
  {
    maxRows,
    form,
    ended,
    tooLarge,
  }: { maxRows: number; form: TextForm; ended: AbortSignal; tooLarge(): Error },
): Promise<RowsText> {
  if (bytes.length <= HERE_BYTES) return rowsText(bytes, maxRows, form)
  ended.throwIfAborted()
  const worker = new Worker(new URL('./rowsThread.ts', import.meta.url), {
    workerData: { bytes, maxRows, form } satisfies RowsTask,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MIB },
    env: {},
  })
  const leave = new AbortController()
  try {
    const message = await new Promise<RowsMessage>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The thread that writes rows ended.')))
      ended.addEventListener('abort', () => reject(ended.reason), { once: true, signal: leave.signal })
    })
    if ('done' in message) return message.done
    throw new ClickHouseError(message.failure)
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : cause
  } finally {
    leave.abort()
    await worker.terminate()
  }
}
