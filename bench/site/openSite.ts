import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#kernel/freePort.testing.ts'

export type Site = AsyncDisposable & {
  readonly origin: string
  /** From the command to the first answer of `/bitcoin`, when the recorded data may still be on its way. */
  readonly answeredInMs: number
  /** From the command to the moment at which the app calls itself healthy: all recorded data is there. */
  readonly loadedInMs: number
}

const START_LIMIT_MS = 300_000
const STOP_LIMIT_MS = 20_000
/**
 * Answers are kept by data version, which is looked at once a second, and after a change the histories of metrics are
 * read ahead, about 25 seconds long: so long after the last change all is at rest.
 */
export const REST_MS = 40_000

/** The app as it stands, built by whoever started the bench; or `npm start`, which installs and builds first. */
export const COMMANDS = { app: ['src', 'assay.ts'], npmStart: ['scripts', 'bootstrap.mjs'] } as const

/** Starts the real app from the project at `root`, and waits until it has all its data. */
export async function openSite(options: {
  readonly root: string
  readonly home: string
  readonly command: keyof typeof COMMANDS
}): Promise<Site> {
  const { root, home, command } = options
  await mkdir(home, { recursive: true })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const logPath = join(home, 'start.log')
  const log = openSync(logPath, 'a')
  const start = performance.now()
  const child = spawn(process.execPath, [join(root, ...COMMANDS[command]), 'start'], {
    cwd: root,
    // Figures are of this machine alone: nothing is followed.
    env: {
      ...process.env,
      PORT: String(port),
      ASSAY_HOME: home,
      NODE_ENV: 'production',
      STACKS_API_URL: 'off',
      SOURCES: 'off',
    },
    stdio: ['ignore', log, log],
    detached: true,
  })
  const exited = once(child, 'exit')
  const killGroup = (): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
  }
  process.once('exit', killGroup)
  const stop = async (): Promise<void> => {
    process.off('exit', killGroup)
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await Promise.race([exited, wait(STOP_LIMIT_MS, undefined, { ref: false })])
    killGroup()
  }
  const msUntil = async (path: string): Promise<number> => {
    while (!(await answers(origin + path))) {
      const isLate = performance.now() - start > START_LIMIT_MS
      if (child.exitCode !== null || isLate) {
        await stop()
        const why = isLate
          ? `did not answer ${path} within ${START_LIMIT_MS / 1000} s`
          : `ended with ${child.exitCode}`
        throw new Error(`the app ${why}; its last words:\n${(await readFile(logPath, 'utf8')).slice(-2000)}`)
      }
      await wait(25)
    }
    return performance.now() - start
  }
  const answeredInMs = await msUntil('/bitcoin')
  const loadedInMs = await msUntil('/healthz')
  if (command === 'app') await wait(REST_MS)
  return { origin, answeredInMs, loadedInMs, [Symbol.asyncDispose]: stop }
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
