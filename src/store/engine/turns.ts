import { stateOf, text, whole } from './messages.ts'

/** Who sends a group of messages; one connection, by identity. */
type Asker = object

export type Turns = {
  /** The answer to a group of messages, once it was its turn. */
  run(asker: Asker, group: readonly Uint8Array[]): Promise<Uint8Array>
  /** Forgets what this asker waits for and takes back a transaction that it has left open. */
  leave(asker: Asker): void
  /** Runs when nobody is in the middle of a transaction. */
  alone(work: () => Promise<void>): Promise<void>
}

type Waiting = {
  readonly asker: Asker
  readonly work: () => Promise<Uint8Array>
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (cause: unknown) => void
}

/** One session for many: whoever has begun a transaction has it to its end, the others wait in their order. */
export function createTurns(execute: (message: Uint8Array) => Promise<Uint8Array>): Turns {
  const waiting: Waiting[] = []
  const gone = new WeakSet<Asker>()
  let owner: Asker | undefined
  let isRunning = false

  async function pump(): Promise<void> {
    if (isRunning) return
    isRunning = true
    for (let next = take(); next !== undefined; next = take()) {
      try {
        const answer = await next.work()
        owner = ['T', 'E'].includes(stateOf(answer) ?? 'I') ? next.asker : undefined
        next.resolve(answer)
      } catch (cause) {
        next.reject(cause)
      }
      if (owner !== undefined && gone.has(owner)) await takeBack()
    }
    isRunning = false
  }

  function take(): Waiting | undefined {
    const at = owner === undefined ? 0 : waiting.findIndex(({ asker }) => asker === owner)
    return at < 0 ? undefined : waiting.splice(at, 1)[0]
  }

  async function takeBack(): Promise<void> {
    owner = undefined
    await execute(whole('Q', text('ROLLBACK'))).catch(() => {})
  }

  function enqueue(asker: Asker, work: () => Promise<Uint8Array>): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      waiting.push({ asker, work, resolve, reject })
      void pump()
    })
  }

  return {
    run: (asker, group) =>
      enqueue(asker, async () => {
        const parts: Uint8Array[] = []
        for (const message of group) parts.push(await execute(message))
        return Buffer.concat(parts)
      }),
    leave(asker) {
      gone.add(asker)
      for (let i = waiting.length - 1; i >= 0; i--)
        if (waiting[i]?.asker === asker) waiting.splice(i, 1)[0]?.reject(new Error('the connection ended'))
      if (owner === asker && !isRunning) {
        isRunning = true
        void takeBack().then(() => {
          isRunning = false
          return pump()
        })
      }
    },
    async alone(work) {
      await enqueue({}, async () => {
        await work()
        return new Uint8Array(0)
      })
    },
  }
}
