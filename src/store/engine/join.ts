import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { StoreError } from '../errors.ts'
import type { Endpoint, EngineStart } from './start.ts'

export type Joined = {
  readonly endpoint: Endpoint
  /** Told once where the process ends before it is left. */
  onEnd(listener: () => void): void
  /** Who leaves last sees the process end where it has no grace. */
  leave(): Promise<void>
}

type Lease = { readonly client: pg.Client; readonly socket: Socket }

const DEADLINE_MS = 120_000
const HELD_MS = 200

/**
 * Joins the process that holds the store of a folder, or starts it: whoever comes first. It serves every process that keeps
 * a connection and ends with the last of them.
 * @throws StoreError `store.start` where it does not come up.
 */
export async function joinEngine(start: EngineStart): Promise<Joined> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const endpoint = await endpointOf(start.folder)
    const lease = endpoint && (await leaseOf(endpoint))
    if (endpoint && lease) return joined(start, endpoint, lease)
    const said = await startEngine(start)
    // Held by a process that is starting or ending at this very moment.
    if ('isHeld' in said) await delay(HELD_MS)
    if ('refusal' in said || Date.now() > deadline)
      throw new StoreError(
        'store.start',
        `The embedded store in ${start.folder} did not start${'refusal' in said ? `: it ${said.refusal}` : ': it is held by a process that does not answer'}.`,
        { hint: `Its last words are in ${logFile(start.folder)}.` },
      )
  }
}

function joined({ graceMs }: EngineStart, endpoint: Endpoint, { client, socket }: Lease): Joined {
  let isLeft = false
  return {
    endpoint,
    onEnd: listener => void client.once('end', () => isLeft || listener()),
    async leave() {
      isLeft = true
      socket.ref()
      await client.end().catch(() => {})
      if (graceMs === 0) await ended(endpoint)
    },
  }
}

/** Waits for the end of a process that nobody needs any more; one that still takes connections has other users. */
async function ended({ port, pid }: Endpoint): Promise<void> {
  for (let looks = 0; looks < 3; looks++) {
    if (!(await listens(port))) break
    if (looks === 2) return
    await delay(30)
  }
  for (let ms = 0; ms < 10_000 && isAlive(pid); ms += 20) await delay(20)
}

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function endpointOf(folder: string): Promise<Endpoint | undefined> {
  const found = await readFile(join(folder, 'endpoint.json'), 'utf8').catch(() => undefined)
  return found === undefined ? undefined : (JSON.parse(found) as Endpoint) // written by the process alone
}

/** A connection that is held as long as the store is needed; undefined where nobody answers, or a stranger does. */
async function leaseOf({ port, token }: Endpoint): Promise<Lease | undefined> {
  const socket = new Socket()
  const client = new pg.Client({
    stream: () => socket,
    host: '127.0.0.1',
    port,
    user: 'assay',
    password: token,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch {
    return undefined
  }
  // It keeps the store, not this process.
  socket.unref()
  return { client, socket }
}

async function startEngine(
  start: EngineStart,
): Promise<Endpoint | { readonly isHeld: true } | { readonly refusal: string }> {
  mkdirSync(start.folder, { recursive: true, mode: 0o700 })
  const log = openSync(logFile(start.folder), 'a', 0o600)
  try {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
      // A group of its own: an interrupt at the terminal reaches those who use it, and they decide.
      detached: true,
      stdio: ['pipe', 'pipe', log] as const,
      env: { ...process.env, TZ: 'UTC', NODE_OPTIONS: '' },
    })
    const { stdin, stdout } = child
    if (stdin === null || stdout === null) throw new Error('spawn was asked for pipes')
    stdin.end(JSON.stringify(start))
    const said = await Promise.race([
      once(stdout, 'data').then(([line]) => JSON.parse(String(line)) as Endpoint | { isHeld: true }),
      once(child, 'exit').then(([code, signal]) => ({ refusal: `ended with ${code ?? signal}` })),
    ])
    stdout.destroy()
    child.unref()
    return said
  } finally {
    closeSync(log)
  }
}

const logFile = (folder: string): string => join(folder, 'store.log')
