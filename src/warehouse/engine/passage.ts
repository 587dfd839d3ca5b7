import { fchmodSync, fchownSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSharedFolder } from './folder.ts'
import { whileOpened } from './opened.ts'
import { AUTO_USER, type EngineUser, PASS, permits } from './osUser.ts'

// The data folder, in which the folder of the engine lies, often belongs to its owner alone. The engine's group gets the right to
// pass through it, not to list it.

const GROUP = 0o070
const PASS_OF_GROUP = 0o010

/** Whether `openPassage` lets the user through to `folder`: a group that somebody else has chosen keeps its rights. */
export function mayOpenPassage(folder: string, user: EngineUser): boolean {
  const stats = statSync(dirname(folder))
  return permits(stats, user, PASS) || (stats.mode & GROUP) === 0 || isPassage(stats, folder)
}

/** Lets the user through to `folder`. Do it last, so that `closePassage` recognizes an earlier one by the group of `folder`. */
export function openPassage(folder: string, user: EngineUser): void {
  whileOpened(dirname(folder), ({ descriptor, stats }) => {
    if (permits(stats, user, PASS)) return
    fchownSync(descriptor, stats.uid, user.gid)
    fchmodSync(descriptor, (stats.mode & 0o7777) | PASS_OF_GROUP)
  })
}

/** Takes back what `openPassage` gave to anybody but `user`. Do it first. */
export function closePassage(folder: string, user: EngineUser | undefined): void {
  whileOpened(dirname(folder), ({ descriptor, stats }) => {
    if (isPassage(stats, folder) && stats.gid !== user?.gid) fchmodSync(descriptor, stats.mode & 0o7707)
  })
}

/** Whether `openPassage` has opened it, for the user of the configuration of that time. */
function isPassage({ mode, gid }: Stats, folder: string): boolean {
  const isOfEngine = gid === AUTO_USER.gid || (isSharedFolder(folder) && gid === statSync(folder).gid)
  return (mode & GROUP) === PASS_OF_GROUP && isOfEngine
}
