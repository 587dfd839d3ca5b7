import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Folder of one run of all tests, where a data folder with the bundled snapshot is made once; unset when a file runs alone. */
const SHARED = 'ASSAY_TEST_SNAPSHOT'
const POLL_MS = 200

/**
 * A data folder of its own that holds the bundled snapshot: a copy of the one that the first who asks makes by `load`, or
 * undefined where tests run alone and each loads for itself. Another waits meanwhile, and makes it if the first fails.
 */
export async function copySnapshotHome(
  load: (home: string) => Promise<void>,
): Promise<(AsyncDisposable & { readonly home: string }) | undefined> {
  const shared = process.env[SHARED]
  if (shared === undefined) return undefined
  const ready = join(shared, 'ready')
  const making = join(shared, 'making')
  while (!existsSync(ready)) {
    if (!(await isOurs(making))) {
      await setTimeout(POLL_MS)
      continue
    }
    try {
      await load(making)
      await rename(making, ready)
    } finally {
      await rm(making, { recursive: true, force: true })
    }
  }
  const home = await mkdtemp(join(tmpdir(), 'assay-snapshot-'))
  await cp(ready, home, {
    recursive: true,
    verbatimSymlinks: true,
    // The engine makes its pipes anew.
    filter: async path => !(await lstat(path)).isFIFO(),
  })
  return { home, [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) }
}

/** Whether the folder was made by this call: of several processes one makes it. */
async function isOurs(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw cause
  }
}
