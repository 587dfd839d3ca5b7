import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { freePort } from '#kernel/freePort.testing.ts'
import { processorSecondsOf } from '../memory/processes.ts'

const project = fileURLToPath(new URL('ponder', import.meta.url))
const packages = join(project, 'node_modules')

/** Why the peer cannot run here; undefined where it can. */
export const whyNoPonder = (): string | undefined =>
  existsSync(join(packages, 'ponder'))
    ? undefined
    : 'its peer is not installed: `npm install --ignore-scripts --prefix bench/evm/ponder`'

export type PonderAnswer = {
  readonly lines: readonly string[]
  readonly processorS: number
  readonly seconds: number
}

/** ponder on the same node and range, with its embedded Postgres, until it says that everything is indexed. */
export async function runPonder(
  folder: string,
  env: { rpc: string; token: string; end: number },
): Promise<PonderAnswer> {
  const root = join(folder, 'app')
  mkdirSync(root, { recursive: true })
  cpSync(project, root, { recursive: true, filter: path => !path.includes('node_modules') })
  symlinkSync(packages, join(root, 'node_modules'))
  const port = await freePort()
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [join(packages, 'ponder/dist/esm/bin/ponder.js'), 'start', '--port', String(port), '--schema', 'bench'],
    {
      cwd: root,
      stdio: 'ignore',
      env: {
        ...process.env,
        PONDER_TELEMETRY_DISABLED: '1',
        ASSAY_RPC: env.rpc,
        ASSAY_TOKEN: env.token,
        ASSAY_END: String(env.end),
        ASSAY_STORE: join(folder, 'pglite'),
      },
    },
  )
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`ponder ended with ${child.exitCode}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    const seconds = (performance.now() - began) / 1000
    const processorS = processorSecondsOf(child.pid!)
    const answer = await fetch(`http://127.0.0.1:${port}/lines`)
    return { lines: (await answer.json()) as string[], processorS, seconds }
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

const isReady = async (port: number): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.status === 200
