import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type ClientRequest, get, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Log } from '#kernel/log.ts'
import { WarehouseError } from '../errors.ts'
import type { Endpoint, EngineStart } from './start.ts'

export type EngineConfig = {
  readonly folder: string
  readonly memoryBytes: number
  readonly readers: number
  readonly graceMs: number
  /** How long to wait for a holder that neither shares nor ends. */
  readonly startTimeoutMs?: number
  /** How long a running engine may leave a ping without an answer before it is ended and started again. */
  readonly silenceMs?: number
  readonly log: Log
}

/** The engine process as its users see it: always the one that runs now. */
export type Engine = AsyncDisposable & {
  readonly folder: string
  /** What every request carries as its password; kept in the folder, readable by its owner only. */
  readonly token: string
  /** The running process; waits while it is being started again. Throws `warehouse.engine_gone` after a crash loop. */
  endpoint(): Promise<Endpoint>
  /** The same, once it answers: for those whose connection has just been lost. */
  alive(): Promise<Endpoint>
}

const MAX_DEATHS = 5
/** Who lives longer has recovered; a slow machine may need most of a minute for a start alone. */
const SHORT_LIFE_MS = 60_000
const START_TIMEOUT_MS = 30_000
/** Longer than a machine with too much to do lets it wait. */
const SILENCE_MS = 30_000

/**
 * Joins the engine process of the folder, or starts it: whoever comes first. It serves all processes that hold a lease
 * and ends with the last of them. When it dies it is started again, by whoever notices first; after
 * five deaths, each within a minute of its start, it stays down, with a sentence. One that lives but says nothing is ended.
 */
export async function openEngine(config: EngineConfig): Promise<Engine> {
  await mkdir(config.folder, { recursive: true, mode: 0o700 })
  const token = await tokenOf(config.folder)
  let deaths = 0
  let nextDeath = Promise.withResolvers<void>()
  let isClosed = false
  let lease: ClientRequest | undefined

  const enter = () =>
    joinOrStart(config, token, held => {
      lease = held.request
      const bornAt = Date.now()
      held.onEnd(() => {
        if (!isClosed) mourn(Date.now() - bornAt)
      })
    })
  const mourn = (lifeMs: number) => {
    deaths = lifeMs < SHORT_LIFE_MS ? deaths + 1 : 1
    config.log.warn('the warehouse engine ended unexpectedly', { deathsInARow: deaths })
    current = deaths < MAX_DEATHS ? enter() : Promise.reject(engineGone(config.folder))
    // Whoever asks next gets the error; the process must not end because nobody asked.
    current.catch(() => {})
    nextDeath.resolve()
    nextDeath = Promise.withResolvers()
  }

  let current = enter()
  await current
  const closing = new AbortController()
  void endSilent(() => current, config, closing.signal)
  return {
    folder: config.folder,
    token,
    endpoint: () => current,
    async alive() {
      for (;;) {
        const death = nextDeath.promise
        const endpoint = await current
        if (await answers(endpoint)) return endpoint
        await death
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      closing.abort()
      const endpoint = await current.catch(() => undefined)
      // Who leaves last sees it end, so that the folder may go or be opened anew.
      const isLast = endpoint !== undefined && config.graceMs === 0 && (await leasesOf(endpoint, token)) <= 1
      lease?.destroy()
      if (isLast) await ended(endpoint.pid)
    },
  }
}

/**
 * Ends a running engine that leaves pings without an answer, until aborted: a process that hangs takes its askers with it, one that is dead is
 * started again and what was lost is asked again.
 */
async function endSilent(
  current: () => Promise<Endpoint>,
  { silenceMs = SILENCE_MS, log }: EngineConfig,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(silenceMs / 3, undefined, { ref: false, signal }).catch(() => {})
    const endpoint = await current().catch(() => undefined)
    if (signal.aborted || endpoint === undefined || !(await isSilent(endpoint, silenceMs, signal))) continue
    log.warn('the warehouse engine does not answer and is ended', { pid: endpoint.pid })
    if (isAlive(endpoint.pid)) process.kill(endpoint.pid, 'SIGKILL')
  }
}

/** Whether a ping stays without an answer for so long; a process that is gone is not silent. */
function isSilent({ port }: Endpoint, ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const ping = get(
      { host: '127.0.0.1', port, path: '/ping', agent: false, timeout: ms, signal },
      response => {
        response.resume()
        resolve(false)
      },
    )
    ping.on('timeout', () => {
      resolve(true)
      ping.destroy()
    })
    ping.on('error', () => resolve(false))
  })
}

/** The folder's token, made by whoever comes first. */
async function tokenOf(folder: string): Promise<string> {
  const file = join(folder, 'token')
  const fresh = randomBytes(24).toString('base64url')
  const draft = `${file}.${fresh.slice(0, 8)}`
  await writeFile(draft, fresh, { mode: 0o600 })
  // A link is made whole or not at all, so nobody reads half a token.
  await link(draft, file).catch(() => {})
  await rm(draft)
  return await readFile(file, 'utf8')
}

type Held = { request: ClientRequest; onEnd(listener: () => void): void }

async function joinOrStart(
  config: EngineConfig,
  token: string,
  hold: (held: Held) => void,
): Promise<Endpoint> {
  const deadline = Date.now() + (config.startTimeoutMs ?? START_TIMEOUT_MS)
  for (let refusals = 0; ; ) {
    const known = await readEndpoint(config.folder)
    const held = known === undefined ? undefined : await takeLease(known, token)
    if (known !== undefined && held !== undefined) {
      hold(held)
      return known
    }
    const started = await start(config, token)
    if ('port' in started) continue
    const holder = await lockHolder(config.folder)
    // Another process may be starting it, or ending it, at this very moment.
    const isHopeless = holder === undefined ? ++refusals === 3 : Date.now() >= deadline
    if (isHopeless) throw openFailure(config.folder, started.refusal, holder)
    await delay(50)
  }
}

async function start(config: EngineConfig, token: string): Promise<Endpoint | { refusal: string }> {
  mkdirSync(config.folder, { recursive: true, mode: 0o700 })
  const log = openSync(logFile(config.folder), 'a', 0o600)
  try {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
      // A group of its own: an interrupt at the terminal reaches those who use it, and they decide.
      detached: true,
      stdio: ['pipe', 'pipe', log] as const,
      env: { ...process.env, TZ: 'UTC', UV_THREADPOOL_SIZE: '24', NODE_OPTIONS: '' },
    })
    const { stdin, stdout } = child
    if (stdin === null || stdout === null) throw new Error('spawn was asked for pipes')
    const { folder, memoryBytes, readers, graceMs } = config
    stdin.end(JSON.stringify({ folder, token, memoryBytes, readers, graceMs } satisfies EngineStart))
    const said = await Promise.race([
      once(stdout, 'data').then(([line]) => JSON.parse(String(line)) as Endpoint),
      once(child, 'exit').then(([code, signal]) => ({ refusal: `ended with ${code ?? signal}` })),
    ])
    stdout.destroy()
    child.unref()
    return said
  } finally {
    closeSync(log)
  }
}

/** Undefined if nobody answers, or someone else does. */
function takeLease({ port }: Endpoint, token: string): Promise<Held | undefined> {
  return new Promise(resolve => {
    const lease = request({
      host: '127.0.0.1',
      port,
      path: '/lease',
      agent: false,
      headers: authorization(token),
    })
    lease.on('error', () => resolve(undefined))
    lease.on('response', response => {
      if (response.statusCode !== 200) {
        lease.destroy()
        resolve(undefined)
        return
      }
      response.resume()
      response.on('error', () => {})
      response.socket.unref()
      resolve({ request: lease, onEnd: listener => response.on('close', listener) })
    })
    lease.end()
  })
}

async function readEndpoint(folder: string): Promise<Endpoint | undefined> {
  const found = await readFile(join(folder, 'endpoint.json'), 'utf8').catch(() => undefined)
  return found === undefined ? undefined : (JSON.parse(found) as Endpoint)
}

/** The process that holds the data, by the engine's own lock file, if it lives. */
async function lockHolder(folder: string): Promise<number | undefined> {
  const status = await readFile(join(folder, 'data', 'status'), 'utf8').catch(() => '')
  const pid = Number(/^PID: (\d+)/m.exec(status)?.[1] ?? 0)
  return pid > 0 && isAlive(pid) ? pid : undefined
}

/** Whether somebody listens there; the lease tells whether it is ours. */
function answers({ port }: Endpoint): Promise<boolean> {
  return new Promise(resolve => {
    get({ host: '127.0.0.1', port, path: '/ping', agent: false }, response => {
      response.resume()
      resolve(response.statusCode === 200)
    }).on('error', () => resolve(false))
  })
}

function leasesOf({ port }: Endpoint, token: string): Promise<number> {
  return new Promise(resolve => {
    get(
      { host: '127.0.0.1', port, path: '/leases', agent: false, headers: authorization(token) },
      response => {
        text(response).then(
          count => resolve(Number(count)),
          () => resolve(0),
        )
      },
    ).on('error', () => resolve(0))
  })
}

const authorization = (token: string) => ({
  authorization: `Basic ${Buffer.from(`writer:${token}`).toString('base64')}`,
})

async function ended(pid: number): Promise<void> {
  for (let waitedMs = 0; isAlive(pid) && waitedMs < 10_000; waitedMs += 10) await delay(10)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function openFailure(folder: string, refusal: string, holder: number | undefined): WarehouseError {
  if (holder !== undefined)
    return new WarehouseError(
      'warehouse.locked',
      `The warehouse at ${folder} is held by process ${holder}, which does not share it.`,
      { facts: { pid: holder }, hint: 'End that process, or choose another ASSAY_HOME.' },
    )
  return new WarehouseError('warehouse.engine_start', `The warehouse engine did not start: it ${refusal}.`, {
    hint: `Its last words are in ${logFile(folder)}.`,
  })
}

const engineGone = (folder: string): WarehouseError =>
  new WarehouseError(
    'warehouse.engine_gone',
    `The warehouse engine ended ${MAX_DEATHS} times, each time within a minute of its start, and is not started again.`,
    { hint: `Read ${logFile(folder)} for its last words, then start again.` },
  )

const logFile = (folder: string): string => join(folder, 'engine.log')
