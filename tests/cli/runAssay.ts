import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { inPhase } from '#kernel/phases.testing.ts'
import { freshHome } from '#warehouse/testing.ts'

const entry = fileURLToPath(new URL('../../src/assay.ts', import.meta.url))

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** Starts the real command line with an environment of its own; its answer goes to a pipe or to `output`. */
export function spawnAssay(
  args: readonly string[],
  env: Record<string, string> = {},
  output?: number,
  input = '',
) {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [entry, ...args], {
    // No test reaches outside unless it says so.
    env: { PATH, HOME, NODE_COMPILE_CACHE, SOURCES: 'off', READ_AHEAD: 'off', ...env },
    stdio: ['pipe', output ?? 'pipe', 'pipe'],
  })
  child.stdin?.on('error', () => {}).end(input)
  // With pipes as asked for above, the streams are there; with `output` the caller reads no answer.
  return child as ChildProcessByStdio<Writable, Readable, Readable>
}

/** Runs it to its end, with `input` on standard input. */
export function runAssay(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  return inPhase('commands', () => ended(spawnAssay(args, env, undefined, input)))
}

function ended(child: ReturnType<typeof spawnAssay>): Promise<Ended> {
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, out, err }))
  })
}

/** A folder for ASSAY_HOME that is gone after the test. */
export async function temporaryHome(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await freshHome()
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
