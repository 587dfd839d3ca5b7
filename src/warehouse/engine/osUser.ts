import { type Stats, statSync } from 'node:fs'
import process from 'node:process'

/** An OS user and group, by number: neither needs an entry in `/etc/passwd`. */
export type EngineUser = { readonly uid: number; readonly gid: number }

/**
 * The user of `auto`. In no range that Debian, Red Hat or systemd give out (60706 to 61183 is unused), and below 65536, so that
 * most containers have it.
 */
export const AUTO_USER: EngineUser = { uid: 61_100, gid: 61_100 }

/** Somebody else to whom a folder belongs in which root works; undefined if it is root's, or an engine's by mistake. */
export function otherOwner(folder: string): EngineUser | undefined {
  if (process.geteuid?.() !== 0) return undefined
  const { uid, gid } = statSync(folder)
  return uid === 0 || uid === AUTO_USER.uid ? undefined : { uid, gid }
}

export const READ = 0o4
export const PASS = 0o1

/** Whether the file's mode lets the user do that. Access control lists are not looked at. */
export function permits({ mode, uid, gid }: Stats, user: EngineUser, right: number): boolean {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & right) === right
}
