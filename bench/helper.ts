import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'

/** A helper process of the bench that answers messages one by one. */
export type Helper<Request, Answer> = Disposable & { ask(request: Request): Promise<Answer> }

/** Starts a module as a process of its own; it has to answer each message with one. */
export function openHelper<Request extends object, Answer>(
  path: string,
  args: readonly string[] = [],
): Helper<Request, Answer> {
  const child: ChildProcess = fork(path, args)
  return {
    async ask(request) {
      const answered = new AbortController()
      const { signal } = answered
      child.send(request)
      try {
        const [answer] = await Promise.race([
          once(child, 'message', { signal }),
          once(child, 'exit', { signal }).then(([status]) => {
            throw new Error(`${basename(path)} ${args[0] ?? ''} ended with ${status}`)
          }),
        ])
        return answer as Answer
      } finally {
        answered.abort()
      }
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}
