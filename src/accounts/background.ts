import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'

/** Work that nobody waits for; a failure goes to the log. */
export type Background = {
  run(what: string, work: () => Promise<void>): void
  /** Resolves when all work begun so far is done. */
  idle(): Promise<void>
}

export function createBackground(log: Log): Background {
  const running = new Set<Promise<void>>()
  return {
    run(what, work) {
      const task: Promise<void> = work()
        .catch(cause => log.error(`${what} failed`, { cause: sentenceOf(cause) }))
        .finally(() => running.delete(task))
      running.add(task)
    },
    async idle() {
      await Promise.all(running)
    },
  }
}
