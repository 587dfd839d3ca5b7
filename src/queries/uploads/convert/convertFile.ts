import { Worker } from 'node:worker_threads'
import type { Facts } from '#kernel/errors.ts'
import { UploadError } from '../uploadError.ts'
import type { Converted } from './cellWriter.ts'
import type { ConvertTask } from './worker.ts'

/** How long a file may take to read, and what its thread may hold. */
const MOST_MS = 120_000
const MOST_MIB = 512

type Message =
  | { readonly converted: Converted }
  | { readonly failure: { code: string; message: string; hint?: string; facts?: Facts } }

/** Reads a file in a thread of its own. Throws UploadError. */
export async function convertFile(task: ConvertTask, signal: AbortSignal): Promise<Converted> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MIB },
    env: {},
  })
  const ended = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])
  try {
    const message = await new Promise<Message>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The thread ended.')))
      ended.addEventListener('abort', () => reject(ended.reason), { once: true })
      if (ended.aborted) reject(ended.reason)
    })
    if ('converted' in message) return message.converted
    const { code, message: words, ...more } = message.failure
    if (code.startsWith('uploads.')) throw new UploadError(code as `uploads.${string}`, words, more)
    if (code === 'ENOSPC' || code === 'EDQUOT') throw diskFull(message)
    throw new UploadError('uploads.unreadable', 'The file could not be read.', { cause: new Error(words) })
  } catch (cause) {
    if (cause instanceof UploadError) throw cause
    throw new UploadError('uploads.unreadable', 'The file takes too much time or memory to read.', {
      hint: 'Upload a smaller file, or CSV.',
      cause,
    })
  } finally {
    await worker.terminate()
  }
}

export const diskFull = (cause: unknown): UploadError =>
  new UploadError('uploads.disk_full', 'The disk for uploads is full. Nothing was kept.', {
    hint: 'Upload a smaller file, or try again later.',
    cause,
  })
