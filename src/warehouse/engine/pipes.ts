import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** A named pipe through which the engine reads the rows of one insert. */
export type Pipe = {
  readonly path: string
  /**
   * Sends the rows to the statement `reading`, which reads the pipe; returns when both are over, and never throws. When
   * the rows break off, `cancel` is awaited before the end of file shows, so a part never passes for the whole.
   */
  feed(rows: Readable, reading: Promise<unknown>, cancel: () => Promise<void>): Promise<void>
}

export type Pipes = {
  use<T>(task: (pipe: Pipe) => Promise<T>): Promise<T>
}

/** Takes the pipes at these paths; each serves one insert at a time. */
export function takePipes(paths: readonly string[]): Pipes {
  const free = paths.map(path => ({ path, feed: feedOf(path) }))
  return {
    async use(task) {
      const pipe = free.pop()
      if (pipe === undefined) throw new Error('more inserts than pipes')
      try {
        return await task(pipe)
      } finally {
        free.push(pipe)
      }
    },
  }
}

const feedOf =
  (path: string): Pipe['feed'] =>
  async (rows, reading, cancel) => {
    // Opening for writing waits for a reader. If the statement fails before it reads, a reader of our own ends the wait.
    const opening = open(path, constants.O_WRONLY)
    const over = reading
      .catch(() => {})
      .then(async () => {
        const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
        await opening
        await reader.close()
      })
    const file = await opening
    try {
      await copy(rows, file)
    } catch {
      // Either the engine stopped reading, and says why itself, or the rows broke off.
      if (rows.destroyed) await cancel()
      else rows.resume()
    } finally {
      await file.close()
      await over
    }
  }

/** Not `pipeline`: it would destroy the request, and with it the answer, when the engine refuses the rows. */
async function copy(rows: Readable, file: FileHandle): Promise<void> {
  for await (const chunk of rows.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
  }
}

/** Named pipes that stream responses while their statements run. */
export type AnswerPipes = {
  /**
   * Yields the output of the statement that `write` starts, then throws its error, if any. Calls `cancel` if the reader stops
   * early. Undefined if no pipe is free.
   */
  read(
    write: (path: string) => Promise<unknown>,
    cancel: () => Promise<unknown>,
  ): AsyncGenerator<Buffer> | undefined
}

/** Manages the pipes at these paths. Each serves one response at a time. */
export function takeAnswerPipes(paths: readonly string[]): AnswerPipes {
  const free = [...paths]
  return {
    read(write, cancel) {
      const path = free.pop()
      if (path === undefined) return undefined
      const ends = openEnds(path)
      if (ends !== undefined) return readPipe(path, ends, { write, cancel, onEmpty: () => free.push(path) })
      free.push(path)
      return undefined
    },
  }
}

type Written = {
  write(path: string): Promise<unknown>
  cancel(): Promise<unknown>
  /** Called once the pipe is empty and has no writer. */
  onEmpty(): void
}

const CANCEL_MS = 50
const EMPTY_MS = 2_000

type Ends = { readonly reader: number; readonly writer: number }

/** Opens both ends of a pipe. Undefined if no more files can be opened. */
function openEnds(path: string): Ends | undefined {
  let reader: number | undefined
  try {
    reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return { reader, writer: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) }
  } catch {
    if (reader !== undefined) closeSync(reader)
    return undefined
  }
}

/** Keeps the writer open until the statement ends, because the engine may open the pipe late or never. */
async function* readPipe(
  path: string,
  { reader, writer }: Ends,
  { write, cancel, onEmpty }: Written,
): AsyncGenerator<Buffer> {
  const socket = new Socket({ fd: reader, readable: true, writable: false })
  const ended = once(socket, 'end')
  ended.catch(() => {})
  let isOver = false
  const writing = write(path).finally(() => {
    isOver = true
    closeSync(writer)
  })
  const over = writing.catch(() => {})
  try {
    yield* socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    await writing
  } finally {
    // Drain the pipe, or the engine would block forever.
    socket.resume()
    while (!isOver) {
      await cancel().catch(() => {})
      await Promise.race([over, delay(CANCEL_MS)])
    }
    // A pipe that does not end may still contain rows, so it must not be reused.
    const isEmpty =
      socket.readableEnded || (await Promise.race([ended.then(() => true), delay(EMPTY_MS, false)]))
    if (isEmpty) onEmpty()
    socket.destroy()
  }
}
