import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, Socket } from 'node:net'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { endProcess, isAlive } from '#processes/processes.ts'
import { startProcess } from '#processes/startProcess.ts'
import { StoreError } from '../errors.ts'
import { SSL_REQUEST } from './messages.ts'
import { type Endpoint, type EngineStart, HOLDER_FILE } from './start.ts'

export type Joined = {
  readonly endpoint: Endpoint
  /** Told once where the process ends before it is left. */
  onEnd(listener: () => void): void
  /** Who leaves last sees the process end where it has no grace. */
  leave(): Promise<void>
}

type Lease = { readonly client: pg.Client; readonly socket: Socket }

/** Longest time for a start, also on a busy machine; who holds the folder for longer without answering hangs. */
const DEADLINE_MS = 180_000
const HELD_MS = 200
const LEASE_TIMEOUT_MS = 5_000
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
/** Longer than a machine with too much to do lets it wait. */
export const SILENCE_MS = 30_000

/**
 * Joins the process that holds the store of a folder, or starts it: whoever comes first. It serves every process that keeps
 * a connection and ends with the last of them. A holder that does not answer for `silenceMs`, or whose start hangs, is ended.
 * @throws StoreError `store.start` where it does not come up; the next attempt may succeed.
 */
export async function joinEngine(start: EngineStart, silenceMs: number = SILENCE_MS): Promise<Joined> {
  const deadline = Date.now() + DEADLINE_MS
  const leaseTimeoutMs = Math.min(LEASE_TIMEOUT_MS, silenceMs)
  let silentMs = 0
  for (;;) {
    const endpoint = await endpointOf(start.folder)
    const lease = endpoint ? await leaseOf(endpoint, leaseTimeoutMs) : 'refused'
    if (endpoint && typeof lease === 'object') return joined(start, endpoint, lease)
    const said = await startEngine(start)
    if ('refusal' in said) throw startFailure(start, `it ${said.refusal}`)
    if (!('isHeld' in said)) continue
    if (endpoint && lease === 'silent') {
      silentMs += leaseTimeoutMs
      if (silentMs < silenceMs) continue
      await endStore(endpoint.pid, start.folder)
      silentMs = 0
    }
    if (Date.now() > deadline) {
      await endHungHolder(start.folder)
      throw startFailure(start, 'it is held by a process that does not answer')
    }
    // Held by a process that is starting or ending at this very moment.
    await delay(HELD_MS)
  }
}

const startFailure = ({ folder }: EngineStart, reason: string): StoreError =>
  new StoreError('store.start', `The embedded store in ${folder} did not start: ${reason}.`, {
    hint: `Its last words are in ${logFile(folder)}.`,
  })

/** Whether the process of the store answers: its front does so by itself, however long a statement takes. */
export function answersAt({ port }: Endpoint, signal: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port, signal }, () => void socket.write(SSL_REQUEST))
    socket.unref()
    socket.once('data', () => {
      resolve(true)
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}

/** Ends the store of this folder if the process is that: the number comes from a file. */
export const endStore = (pid: number, folder: string): Promise<void> =>
  endProcess(pid, ['store/engine/main.ts', resolve(folder)])

async function endHungHolder(folder: string): Promise<void> {
  const pid = Number(await readFile(join(folder, HOLDER_FILE), 'utf8').catch(() => 0))
  await endStore(pid, folder)
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

async function endpointOf(folder: string): Promise<Endpoint | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as Endpoint
  } catch {
    // Not written yet, or cut off when the machine went down: the next process writes it anew.
    return undefined
  }
}

/**
 * A connection that stays open as long as the store is needed. `refused`: nobody answers, or a stranger does. `silent`: no answer
 * within `timeoutMs`.
 */
async function leaseOf({ port, token }: Endpoint, timeoutMs: number): Promise<Lease | 'refused' | 'silent'> {
  const socket = new Socket()
  const client = new pg.Client({
    stream: () => socket,
    host: '127.0.0.1',
    port,
    user: 'assay',
    password: token,
    database: 'postgres',
    connectionTimeoutMillis: timeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (cause) {
    return /timeout/.test(String(cause)) ? 'silent' : 'refused'
  }
  // It keeps the store, not this process.
  socket.unref()
  return { client, socket }
}

async function startEngine(
  start: EngineStart,
): Promise<Endpoint | { readonly isHeld: true } | { readonly refusal: string }> {
  mkdirSync(start.folder, { recursive: true, mode: 0o700 })
  const started = await startProcess({
    arguments: [MAIN, resolve(start.folder)],
    orders: start,
    environment: { ...process.env, TZ: 'UTC', NODE_OPTIONS: '' },
    log: logFile(start.folder),
    silenceMs: DEADLINE_MS,
  })
  return 'refusal' in started ? started : (JSON.parse(started.line) as Endpoint | { isHeld: true })
}

const logFile = (folder: string): string => join(folder, 'store.log')
