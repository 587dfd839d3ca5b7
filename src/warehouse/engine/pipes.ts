import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'

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
