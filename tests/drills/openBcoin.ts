import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '#kernel/freePort.testing.ts'

export type BcoinNode = AsyncDisposable & {
  readonly url: string
  readonly password: string
  /** Mines on the tip, with spends; returns the height. */
  mine(count: number): Promise<number>
  /** Replaces the last `depth` blocks by one more. */
  reorg(depth: number): Promise<number>
}

type Answer = { readonly id: number; readonly height?: number; readonly failure?: string }

/** Starts a bcoin full node on regtest; what it mines is up to the seed, but for keys and nonces. */
export async function openBcoin(seed: number): Promise<BcoinNode> {
  const port = await freePort()
  const password = 'drill'
  const child = fork(
    fileURLToPath(new URL('./bcoinNode.ts', import.meta.url)),
    [String(port), password, String(seed)],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const waiting = new Map<number, { resolve: (height: number) => void; reject: (error: Error) => void }>()
  let nextId = 1
  child.on('message', ({ id, height, failure }: Answer) => {
    if (failure === undefined) waiting.get(id)?.resolve(height ?? 0)
    else waiting.get(id)?.reject(new Error(failure))
    waiting.delete(id)
  })
  child.on('exit', code => {
    for (const { reject } of waiting.values()) reject(new Error(`the node ended with ${code}`))
  })
  const ask = (call: string, count: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject })
      child.send({ id, call, count })
    })
  await new Promise<number>((resolve, reject) => waiting.set(0, { resolve, reject }))
  return {
    url: `http://127.0.0.1:${port}`,
    password,
    mine: count => ask('mine', count),
    reorg: depth => ask('reorg', depth),
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
