import { spawnSync } from 'node:child_process'
import { closeSync, constants, fchownSync, fstatSync, lstatSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

// Locks of the kernel (`flock`), which end with the process that has them, also in another container. Node cannot lock files, but
// a lock belongs to the open file: the program `flock` takes it on a descriptor that this process shares with it.

/** Why this machine cannot lock files and find those of other owners; undefined if it can. */
export function refusalToLock(): string | undefined {
  const isMissing = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error
  if (isMissing('flock')) return 'The program flock (util-linux) is missing.'
  return isMissing('find') && 'The program find (findutils) is missing.'
}

/** Runs `task` while this process has the file locked; `held` without running it if somebody else has. Makes the file. */
export async function whileLocked<T>(file: string, task: () => Promise<T>): Promise<T | 'held'> {
  for (;;) {
    const descriptor = openLock(file)
    if (descriptor === undefined) continue
    try {
      if (!tryLock(descriptor)) return 'held'
      // An engine that ends removes its file: another one may be there by now.
      if (!isFile(file, descriptor)) continue
      return await task()
    } finally {
      closeSync(descriptor)
    }
  }
}

/** Undefined if the file was removed meanwhile. Follows no link, since it may lie where an engine writes. */
function openLock(file: string): number | undefined {
  // For writing, although nothing is written: NFS locks no other.
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants
  const made = openUnless('EEXIST', file, O_RDWR | O_CREAT | O_EXCL)
  if (made === undefined) return openUnless('ENOENT', file, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
  const { uid, gid } = statSync(dirname(file))
  if (fstatSync(made).uid !== uid) fchownSync(made, uid, gid)
  return made
}

function openUnless(code: string, file: string, flags: number): number | undefined {
  try {
    return openSync(file, flags, 0o600)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === code) return undefined
    throw cause
  }
}

/** `flock` ends with 1 where another process holds the lock. */
function tryLock(descriptor: number): boolean {
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
  })
  if (status === 0 || status === 1) return status === 0
  throw error ?? new Error(stderr.trim())
}

function isFile(path: string, descriptor: number): boolean {
  const now = lstatSync(path, { throwIfNoEntry: false })
  const { ino, dev } = fstatSync(descriptor)
  return now?.ino === ino && now.dev === dev
}
