import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IngestError } from './errors.ts'

/**
 * The lease of a chain, one ingest of it at a time: a file that names the process that holds it. A file whose process is gone is taken
 * over; which of two that try has it is decided by the file system.
 * @throws IngestError `ingest.locked` while another process holds it.
 */
export async function acquireLock(home: string, chain: string): Promise<AsyncDisposable> {
  const path = join(home, `ingest-${chain}.lock`)
  const own = `${path}.${process.pid}`
  const holder: Holder = { pid: process.pid, startedAt: await startOf(process.pid) }
  await writeFile(own, JSON.stringify(holder))
  try {
    // Twice at most: a file that is left over is cleared away once.
    for (let attempt = 0; !(await tryLink(own, path)); attempt++) {
      const other = await holderOf(path)
      const isAlive = other !== undefined && (await startOf(other.pid)) === other.startedAt
      if (isAlive || attempt > 1) throw locked(home, chain, other?.pid)
      await clearAway(path, `${own}.old`, other)
    }
  } finally {
    await rm(own, { force: true })
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
}

/** Moves a left-over file aside. Another process may have been faster: a file that is not the left-over one goes back. */
async function clearAway(path: string, aside: string, leftOver: Holder | undefined): Promise<void> {
  await rename(path, aside).catch(ignoreMissing)
  const moved = await holderOf(aside)
  if (moved !== undefined && moved.pid !== leftOver?.pid) await link(aside, path)
  await rm(aside, { force: true })
}

type Holder = { readonly pid: number; readonly startedAt: string }

async function tryLink(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path)
    return true
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false
    throw thrown
  }
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder // written by this file alone
  } catch {
    return undefined
  }
}

/** When a process started, so that a reused number is no holder; '' for one that does not run. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie holds nothing.
    return fields[0] === 'Z' ? '' : (fields[19] ?? '')
  } catch {
    // Elsewhere than on Linux: whether it runs is all that can be told.
    return isRunning(pid) ? 'running' : ''
  }
}

function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function ignoreMissing(thrown: unknown): void {
  if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown
}

const locked = (home: string, chain: string, pid: number | undefined): IngestError =>
  new IngestError(
    'ingest.locked',
    `Another process (${pid ?? 'unknown'}) already takes blocks of ${chain} into ${home}.`,
    {
      hint: 'Stop it first, or use another ASSAY_HOME.',
      facts: { pid: pid ?? null, chain },
    },
  )
