import process from 'node:process'

export type Progress = {
  /** Shows where the work stands; on a terminal one line that rewrites itself, elsewhere a plain line now and then. */
  show(line: string): void
  /** Leaves the last line standing. */
  end(line?: string): void
}

const PLAIN_EVERY_MS = 5_000

/** Progress on standard error, so that what a command answers on standard output stays clean. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let shownAt = 0
  let isOpen = false
  const write = (line: string): void => {
    if (stream.isTTY) {
      stream.write(`\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}`)
      isOpen = true
    } else stream.write(`${line}\n`)
  }
  return {
    show(line) {
      const now = Date.now()
      if (now - shownAt < (stream.isTTY ? 100 : PLAIN_EVERY_MS)) return
      shownAt = now
      write(line)
    },
    end(line) {
      if (line !== undefined) write(line)
      if (isOpen) stream.write('\n')
      isOpen = false
    },
  }
}
