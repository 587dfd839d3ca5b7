import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { inPhase } from '#kernel/phases.testing.ts'
import { until } from '#kernel/until.testing.ts'

/** Folder of one run of all tests, where data folders that several files need are made once; unset when a file runs alone. */
const SHARED = 'ASSAY_TEST_HOMES'
const POLL_MS = 100
/** Loading the snapshot on a busy machine takes minutes. */
const MAKING_MS = 1_200_000

/**
 * A data folder of its own: a copy of the one called `name` that the first who asks makes by `make`, or undefined where
 * tests run alone and each makes its own. Another waits meanwhile, and makes it if the first fails.
 */
export async function copyMadeHome(
  name: string,
  make: (home: string) => Promise<void>,
): Promise<(AsyncDisposable & { readonly home: string }) | undefined> {
  const shared = process.env[SHARED]
  if (shared === undefined) return undefined
  const ready = join(shared, name)
  const making = join(shared, `${name}.making`)
  await until(
    `the data folder ${name} is made, here or by another process`,
    async () => {
      if (existsSync(ready)) return true
      if (!(await isOurs(making))) return false
      try {
        await make(making)
        await rename(making, ready)
      } finally {
        await rm(making, { recursive: true, force: true })
      }
      return true
    },
    { patienceMs: MAKING_MS, betweenMs: POLL_MS },
  )
  const home = await mkdtemp(join(tmpdir(), `assay-${name}-`))
  await inPhase('copies of data folders', () => copyFolder(ready, home))
  return { home, [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) }
}

/** By the system's own command where it has one: Node takes ten times as long for thousands of small files. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (process.platform !== 'win32') {
    await promisify(execFile)('cp', ['-a', `${from}/.`, to])
    return
  }
  await cp(from, to, { recursive: true, verbatimSymlinks: true })
}

/** Whether the folder was made by this call: of several processes one makes it. */
async function isOurs(folder: string): Promise<boolean> {
  try {
    // As `mkdtemp` makes them: a copy has the mode of what it is a copy of.
    await mkdir(folder, { mode: 0o700 })
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw cause
  }
}
