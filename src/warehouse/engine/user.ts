import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { sentenceOf } from '#kernel/errors.ts'
import { WarehouseError } from '../errors.ts'
import { dataOf } from './folder.ts'
import { refusalToLock } from './lock.ts'
import { AUTO_USER, type EngineUser, otherOwner, PASS, permits, READ } from './osUser.ts'
import { mayOpenPassage } from './passage.ts'

/** `auto`: another user where that is possible. A user: that one, or no start at all. */
export type UserChoice = 'auto' | 'off' | EngineUser

export type UserDecision = { readonly user: EngineUser } | { readonly reason: string }

/** What the engine, as another user, has to reach. */
export type Reach = {
  /** Its folder. The engine's group is let through the one in which it lies, where that is closed to all but its owner. */
  readonly folder: string
  /** What it reads elsewhere: the program, its packages. */
  readonly readable: readonly string[]
}

/**
 * Whom the engine runs as. Nothing that the engine can write has a say in it, so that neither a crash nor broken data leads to a
 * start without a user of its own. Throws `warehouse.engine_start` if the file system of the data fails.
 */
export function decideUser(choice: UserChoice, { folder, readable }: Reach): UserDecision {
  if (choice === 'off') return { reason: SWITCHED_OFF }
  // Root takes nothing from another user.
  const owner = otherOwner(folder)
  const wanted = choice === 'auto' ? (owner ?? AUTO_USER) : choice
  const reason =
    reasonOfProcess(wanted) ??
    (owner && owner.uid !== wanted.uid ? `${folder} belongs to user ${owner.uid}.` : undefined) ??
    refusalToLock() ??
    refusalToGive(dataOf(folder), wanted) ??
    refusalToPass(dirname(folder), wanted) ??
    (mayOpenPassage(folder, wanted) ? undefined : closed(dirname(folder))) ??
    firstOf(readable, path => refusalToPass(path, wanted) ?? refusalToRead(path, wanted))
  return reason === undefined ? { user: wanted } : { reason }
}

const SWITCHED_OFF = 'It is switched off.'

/** Whether an engine runs as somebody else than this setting asks for: a process that joins it has no say in it. */
export function isOtherUser(choice: UserChoice, running: UserDecision, folder: string): boolean {
  if ('reason' in running) return choice === 'auto' ? running.reason === SWITCHED_OFF : choice !== 'off'
  if (choice === 'off') return true
  const { uid, gid } = running.user
  if (choice !== 'auto') return uid !== choice.uid || gid !== choice.gid
  return uid !== AUTO_USER.uid && uid !== statSync(folder).uid
}

/** Capabilities of Linux that root needs to start a process as another user, give it files, and kill it later. */
const CAPABILITIES = { CHOWN: 0, DAC_OVERRIDE: 1, FOWNER: 3, KILL: 5, SETGID: 6, SETUID: 7 } as const

function reasonOfProcess({ uid, gid }: EngineUser): string | undefined {
  if (process.platform !== 'linux') return 'It works on Linux only.'
  if (process.geteuid?.() !== 0) return 'Only root can start the engine as another user.'
  const status = readFileSync('/proc/self/status', 'utf8')
  const missing = missingCapabilities(/^CapEff:\s*(\w+)$/m.exec(status)?.[1] ?? '0')
  if (missing.length > 0) return `Root lacks the capabilities ${missing.join(', ')}.`
  for (const [name, id] of [
    ['uid', uid],
    ['gid', gid],
  ] as const)
    if (!isMapped(id, readFileSync(`/proc/self/${name}_map`, 'utf8')))
      return `This container has no ${name} ${id}.`
  return undefined
}

/** Names of those that a mask, in hex, leaves out. */
export const missingCapabilities = (mask: string): string[] =>
  Object.entries(CAPABILITIES)
    .filter(([, bit]) => ((BigInt(`0x${mask}`) >> BigInt(bit)) & 1n) === 0n)
    .map(([name]) => name)

/** Whether a user namespace has this id; `map` as in `/proc/self/uid_map`: first id inside, first outside, count. */
export const isMapped = (id: number, map: string): boolean =>
  map.split('\n').some(line => {
    const [first, , count] = line.trim().split(/\s+/).map(Number)
    return first !== undefined && count !== undefined && id >= first && id < first + count
  })

/** What `chown` answers where the file system has no owners, or keeps root from giving files away. */
const NO_OWNERS = new Set(['EPERM', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP'])

/** Tried in the data itself, since it may be a file system of its own. */
function refusalToGive(data: string, { uid, gid }: EngineUser): string | undefined {
  const now = statSync(data)
  if (now.uid === uid && now.gid === gid) return undefined
  const file = join(data, `owner-${randomBytes(8).toString('hex')}`)
  try {
    // Follows no link: this may have been the folder of an engine.
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      return givesTo(descriptor, uid, gid) ? undefined : `The file system of ${data} has no owners of files.`
    } finally {
      closeSync(descriptor)
      rmSync(file, { force: true })
    }
  } catch (cause) {
    throw new WarehouseError(
      'warehouse.engine_start',
      `The warehouse engine cannot be started as another user. ${sentenceOf(cause)}`,
      { hint: `Make ${data} writable, then start again.`, cause },
    )
  }
}

function givesTo(descriptor: number, uid: number, gid: number): boolean {
  try {
    fchownSync(descriptor, uid, gid)
  } catch (cause) {
    if (NO_OWNERS.has((cause as NodeJS.ErrnoException).code ?? '')) return false
    throw cause
  }
  const given = fstatSync(descriptor)
  return given.uid === uid && given.gid === gid
}

/** Why the user does not get to the folder in which `path` lies. */
function refusalToPass(path: string, user: EngineUser): string | undefined {
  for (const way of new Set([resolve(path), realpathSync(path)]))
    for (let folder = dirname(way); ; folder = dirname(folder)) {
      if (!permits(statSync(folder), user, PASS)) return closed(folder)
      if (folder === dirname(folder)) break
    }
  return undefined
}

function refusalToRead(path: string, user: EngineUser): string | undefined {
  const stats = statSync(path)
  const right = stats.isDirectory() ? READ | PASS : READ
  return permits(stats, user, right) ? undefined : closed(path)
}

const closed = (path: string): string => `${path} is closed to other users.`

function firstOf<T, Result>(items: readonly T[], find: (item: T) => Result | undefined): Result | undefined {
  for (const item of items) {
    const result = find(item)
    if (result !== undefined) return result
  }
  return undefined
}

/** For the log and for `assay status`. */
export const userSentence = (decision: UserDecision): string =>
  'user' in decision
    ? `runs as user ${decision.user.uid}`
    : `runs as the user of the server. ${decision.reason}`
