import {
  chmodSync,
  chownSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'

/** An OS user and group, by number: neither needs an entry in `/etc/passwd`. */
export type EngineUser = { readonly uid: number; readonly gid: number }

/** `auto`: another user where that is possible. A user: that one, or no start at all. */
export type UserChoice = 'auto' | 'off' | EngineUser

/**
 * The user of `auto`. In no range that Debian, Red Hat or systemd give out (60706 to 61183 is unused), and below 65536, so that
 * most containers have it.
 */
export const AUTO_USER: EngineUser = { uid: 61_100, gid: 61_100 }

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
 * start without a user of its own. Opens the data folder for the engine's group on the way.
 */
export function decideUser(choice: UserChoice, { folder, readable }: Reach): UserDecision {
  if (choice === 'off') return { reason: 'It is switched off.' }
  const user = choice === 'auto' ? AUTO_USER : choice
  const reason =
    reasonOfProcess(user) ??
    refusalToGive(folder, user) ??
    refusalToPass(dirname(folder), user) ??
    openForGroup(dirname(folder), user) ??
    firstOf(readable, path => refusalToPass(path, user) ?? refusalToRead(path, user))
  return reason === undefined ? { user } : { reason }
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

/** Not every file system knows users, and some keep root from giving files away. */
function refusalToGive(folder: string, { uid, gid }: EngineUser): string | undefined {
  const file = join(folder, `owner-${process.pid}`)
  try {
    writeFileSync(file, '', { mode: 0o600 })
    chownSync(file, uid, gid)
    if (statSync(file).uid === uid) return undefined
  } catch {
    // The sentence below says it.
  } finally {
    rmSync(file, { force: true })
  }
  return `The file system of ${folder} gives files to no other user.`
}

const READ = 0o4
const PASS = 0o1

/** Whether the file's mode lets the user do that. Access control lists are not looked at. */
function permits({ mode, uid, gid }: Stats, user: EngineUser, right: number): boolean {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & right) === right
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

/** Lets the engine's group through a folder that so far belongs to its owner alone: it may not list it. */
function openForGroup(folder: string, user: EngineUser): string | undefined {
  const stats = statSync(folder)
  if (permits(stats, user, PASS)) return undefined
  // A group of somebody else keeps its rights; one that we let through before makes way.
  const isOurs = (stats.mode & 0o070) === 0o010 && stats.gid === AUTO_USER.gid
  if ((stats.mode & 0o070) !== 0 && !isOurs) return closed(folder)
  chownSync(folder, stats.uid, user.gid)
  chmodSync(folder, (stats.mode & 0o7777) | 0o010)
  return undefined
}

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
