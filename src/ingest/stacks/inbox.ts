import { type FileHandle, mkdir, open, readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { readArchive } from '#chains/stacks/index.ts'
import type { RawMessage } from './reading/readMessage.ts'

/**
 * Messages that wait to be taken in, kept on disk before anybody is told so. The files are archives of events as the public
 * API writes them: one that is left over can be read by any tool that reads those.
 */
export type Inbox = AsyncDisposable & {
  /** Returns once the message would survive a loss of power. Throws what the file system says. */
  put(path: string, body: string): Promise<void>
  /** Bytes of messages that wait. */
  readonly waitingBytes: number
  /** The messages that wait, oldest first, up to so many bytes; waits for the first. Empty once `signal` is aborted. */
  next(mostBytes: number, signal: AbortSignal): Promise<RawMessage[]>
  /** The messages of the last `next` are in the warehouse. */
  done(): Promise<void>
}

type Waiting = RawMessage & { readonly sizeBytes: number }

const FILE_BYTES = 32 * 2 ** 20
const NAME = /^\d{12}\.tsv$/
const NEWLINE = 0x0a

/** Opens the inbox of a folder; what an earlier process left there waits first. */
export async function openInbox(folder: string, now: () => number): Promise<Inbox> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const old = (await readdir(folder)).filter(name => NAME.test(name)).sort()
  let waiting: Waiting[] = []
  for (const name of old) waiting.push(...(await readFile(join(folder, name))))
  let waitingBytes = waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  /** Files that can go once everything that waits now is done. */
  let finished = old.map(name => join(folder, name))
  let number = old.length === 0 ? 0 : Number(old.at(-1)!.slice(0, 12)) + 1
  let id = 1
  let file: { handle: FileHandle; path: string; sizeBytes: number } | undefined
  let taken = 0
  let pending: { line: Buffer; message: Waiting; settle: (fault?: unknown) => void }[] = []
  let writing: Promise<void> | undefined
  let wake: (() => void) | undefined

  async function current(): Promise<NonNullable<typeof file>> {
    if (file === undefined) {
      const path = join(folder, `${String(number++).padStart(12, '0')}.tsv`)
      file = { handle: await open(path, 'a'), path, sizeBytes: 0 }
      await syncFolder(folder)
    }
    return file
  }

  async function close(): Promise<void> {
    if (file === undefined) return
    const { handle, path } = file
    file = undefined
    finished.push(path)
    await handle.close()
  }

  /** Whatever has come together is written and synced at once: a node's messages come in bursts. */
  async function write(): Promise<void> {
    while (pending.length > 0) {
      const now = pending
      pending = []
      try {
        const to = await current()
        const bytes = Buffer.concat(now.map(({ line }) => line))
        try {
          await to.handle.write(bytes, 0, bytes.length, to.sizeBytes)
          await to.handle.datasync()
        } catch (thrown) {
          // Half a line must not stand before the next one.
          await to.handle.truncate(to.sizeBytes).catch(() => {})
          throw thrown
        }
        to.sizeBytes += bytes.length
        for (const { message } of now) {
          waiting.push(message)
          waitingBytes += message.sizeBytes
        }
        if (to.sizeBytes >= FILE_BYTES) await close()
        for (const { settle } of now) settle()
        wake?.()
      } catch (fault) {
        for (const { settle } of now) settle(fault)
      }
    }
    writing = undefined
  }

  return {
    get waitingBytes() {
      return waitingBytes
    },
    put(path, body) {
      const receivedAtMs = now()
      const json = oneLine(body)
      const line = Buffer.from(`${id++}\t${timestampOf(receivedAtMs)}\t${path}\t${json}\n`)
      return new Promise((resolve, reject) => {
        pending.push({
          line,
          message: { path, json, receivedAtMs, sizeBytes: line.length },
          settle: fault => (fault === undefined ? resolve() : reject(fault)),
        })
        writing ??= write()
      })
    },
    async next(mostBytes, signal) {
      while (waiting.length === 0 && !signal.aborted)
        await new Promise<void>(resolve => {
          wake = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      if (signal.aborted) return []
      taken = 0
      for (let bytes = 0; taken < waiting.length && (taken === 0 || bytes < mostBytes); taken++)
        bytes += waiting[taken]!.sizeBytes
      return waiting.slice(0, taken)
    },
    async done() {
      for (const { sizeBytes } of waiting.slice(0, taken)) waitingBytes -= sizeBytes
      waiting = waiting.slice(taken)
      taken = 0
      if (waiting.length > 0 || writing !== undefined) return
      await close()
      const gone = finished
      finished = []
      for (const path of gone) await rm(path, { force: true })
    },
    async [Symbol.asyncDispose]() {
      await writing
      await close()
    },
  }
}

/** What an earlier process kept. A last line without its end was never acknowledged. */
async function readFile(path: string): Promise<Waiting[]> {
  await cutTorn(path)
  const messages: Waiting[] = []
  for await (const { path: to, json, receivedAtMs, sizeBytes } of readArchive(path))
    messages.push({ path: to, json, receivedAtMs, sizeBytes })
  return messages
}

async function cutTorn(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  const { size } = await handle.stat()
  const tail = Buffer.alloc(1 << 16)
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - tail.length)
    const { bytesRead } = await handle.read(tail, 0, end - from, from)
    const last = tail.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    if (last >= 0) {
      if (from + last + 1 < size) await truncate(path, from + last + 1)
      return
    }
    end = from
  }
  if (size > 0) await truncate(path, 0)
}

/** A new file's name must survive as its bytes do. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** The message without line breaks and tabs; one that is no JSON as a JSON text, so that it is kept and refused later. */
function oneLine(body: string): string {
  if (!/[\n\r\t]/.test(body) && body.length > 0) return body
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return JSON.stringify(body)
  }
}

const timestampOf = (ms: number): string =>
  `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}+00`
