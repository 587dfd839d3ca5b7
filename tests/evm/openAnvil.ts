import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { freePort } from '#kernel/freePort.testing.ts'
import { until } from '#kernel/until.testing.ts'

/** A real EVM node (Foundry's anvil) in a process of its own. */
export type Anvil = AsyncDisposable & {
  readonly url: string
  readonly chainId: number
  /** The first account that it holds the key of. */
  readonly account: string
  /** Asks it directly; throws its error message. */
  send(method: string, ...params: unknown[]): Promise<unknown>
  /** Puts a transaction into the next block, without waiting. */
  transact(tx: Record<string, unknown>): Promise<string>
  mine(blocks?: number): Promise<void>
}

const PLATFORMS: Record<string, string> = { linux: 'linux', darwin: 'darwin', win32: 'win32' }
const MACHINES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/** The node's program, where its package was installed for this machine. */
function program(): string | undefined {
  const require = createRequire(import.meta.url)
  const name = `@foundry-rs/anvil-${PLATFORMS[process.platform]}-${MACHINES[process.arch]}`
  try {
    const path = join(dirname(require.resolve(`${name}/package.json`)), 'bin', 'anvil')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** Spread into a test's options: skips with the reason where there is no node for this machine. */
export const skipWithoutAnvil: { skip: string | false } = {
  skip: program() === undefined ? 'no anvil is installed for this machine' : false,
}

export type AnvilOptions = { readonly chainId?: number; readonly args?: readonly string[] }

/** Starts a node that mines when told to. */
export async function openAnvil({ chainId = 31_337, args = [] }: AnvilOptions = {}): Promise<Anvil> {
  const port = await freePort()
  const child = spawn(
    program()!,
    [
      '--port',
      String(port),
      '--chain-id',
      String(chainId),
      '--no-mining',
      '--steps-tracing',
      '--silent',
      ...args,
    ],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}`
  let id = 0

  async function send(method: string, ...params: unknown[]): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    })
    const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(error.message)
    return result
  }

  await answering(child, () => send('eth_chainId'))
  const [account] = (await send('eth_accounts')) as string[]
  return {
    url,
    chainId,
    account: account!,
    send,
    transact: tx => send('eth_sendTransaction', { from: account, gas: '0x7a120', ...tx }) as Promise<string>,
    mine: async (blocks = 1) => {
      await send('anvil_mine', `0x${blocks.toString(16)}`)
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

const answering = (child: ChildProcess, ask: () => Promise<unknown>): Promise<boolean> =>
  until('anvil answers', () => {
    if (child.exitCode !== null) throw new Error(`anvil ended with ${child.exitCode}`)
    return ask().then(
      () => true,
      () => false,
    )
  })
