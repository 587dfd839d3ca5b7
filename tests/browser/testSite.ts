import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { freePort } from '#kernel/freePort.testing.ts'
import { inPhase } from '#kernel/phases.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { copySnapshotHome } from '#metrics/testing.ts'
import { freshHome } from '#warehouse/testing.ts'

const entry = fileURLToPath(new URL('../../src/assay.ts', import.meta.url))
/** A machine that has much else to do loads the snapshot in minutes. */
const START_LIMIT_MS = 300_000

/** The real app with its bundled snapshot, in a home of its own on a free port. */
export type TestSite = AsyncDisposable & { readonly url: string; readonly home: string }

export type TestSiteOptions = {
  /** Variables of the configuration besides home and port. */
  readonly env?: Readonly<Record<string, string>>
  /** Puts into its home what no command brings in. */
  readonly fill?: (home: string) => Promise<void>
  /** What is done in its home before it starts, by commands of the program, after `fill`. */
  readonly before?: readonly (readonly string[])[]
  /** `serve` is the web server alone: nothing is loaded into its home. */
  readonly command?: 'start' | 'serve'
}

/** Starts it and waits until `/healthz` says that pages are worth asking for. Throws with what the app said if it does not come up. */
export const openTestSite = (options: TestSiteOptions = {}): Promise<TestSite> =>
  inPhase('start of a site', () => start(options))

async function start({ env = {}, fill, before = [], command = 'start' }: TestSiteOptions): Promise<TestSite> {
  // What `start` loads, it finds loaded where another test of this run has done so.
  const home = (command === 'start' && (await copySnapshotHome())?.home) || (await freshHome())
  const url = `http://localhost:${await freePort()}`
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  // Reading thousands of histories that no test asks for keeps a core busy for as long as a site runs.
  const quiet = { STACKS_API_URL: 'off', SOURCES: 'off', READ_AHEAD: 'off' }
  const own = { PATH, HOME, NODE_COMPILE_CACHE, ASSAY_HOME: home, ...quiet, ...env }
  await fill?.(home)
  for (const earlier of before) await run(earlier, own)
  const child = spawn(process.execPath, [entry, command], {
    env: { ...own, PORT: new URL(url).port },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  }
  const close = async () => {
    await ended(child)
    await rm(home, { recursive: true, force: true })
  }
  const isHealthy = (): Promise<boolean> => {
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) throw new Error(`it ended with ${ended}`)
    return fetch(`${url}/healthz`).then(
      response => response.ok,
      () => false,
    )
  }
  try {
    await until(`${url} is healthy`, isHealthy, { patienceMs: START_LIMIT_MS, betweenMs: 200 })
    return { url, home, [Symbol.asyncDispose]: close }
  } catch (cause) {
    await close()
    throw new Error(`the app did not come up at ${url}; it said:\n${said}`, { cause })
  }
}

/** Runs a command of the program to its end. Throws with what it said if it fails. */
async function run(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, [entry, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  const code = await new Promise<number | null>(resolve => child.once('exit', resolve))
  if (code !== 0) throw new Error(`assay ${command.join(' ')} ended with ${code}; it said:\n${said}`)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const over = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await over
}
