import type { Stats } from 'node:fs'

/** An OS user and group, by number: neither needs an entry in `/etc/passwd`. */
export type EngineUser = { readonly uid: number; readonly gid: number }

/**
 * The user of `auto`. In no range that Debian, Red Hat or systemd give out (60706 to 61183 is unused), and below 65536, so that
 * most containers have it.
 */
export const AUTO_USER: EngineUser = { uid: 61_100, gid: 61_100 }

export const READ = 0o4
export const PASS = 0o1

/** Whether the file's mode lets the user do that. Access control lists are not looked at. */
export function permits({ mode, uid, gid }: Stats, user: EngineUser, right: number): boolean {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & right) === right
}
