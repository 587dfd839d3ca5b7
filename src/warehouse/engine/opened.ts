import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs'
import { basename, resolve } from 'node:path'
import process from 'node:process'
import { WarehouseError } from '../errors.ts'
import type { EngineUser } from './osUser.ts'

// Root changes rights and owners in folders that may belong to another user, who can put a link in place of any name at any
// moment. So it opens a folder once, step by step from `/`, and then works on what it has opened, never again by the path.

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants
const OF_OTHERS = 0o022
const STICKY = 0o1000
/** As many links as Linux follows. */
const MAX_LINKS = 40

/** A folder that is open. `path` leads to it whatever its name leads to meanwhile, in this process and in its children. */
export type OpenedFolder = { readonly descriptor: number; readonly path: string; readonly stats: Stats }

/** Opens a folder for the time of `task`. Root follows links of root alone. Throws `warehouse.engine_start` at any other. */
export function whileOpened<T>(path: string, task: (folder: OpenedFolder) => T): T {
  const opened = open(path)
  try {
    return task(opened)
  } finally {
    closeSync(opened.descriptor)
  }
}

/** The same for a task that takes longer. */
export async function whileOpenedLong<T>(
  path: string,
  task: (folder: OpenedFolder) => Promise<T>,
): Promise<T> {
  const opened = open(path)
  try {
    return await task(opened)
  } finally {
    closeSync(opened.descriptor)
  }
}

function open(path: string): OpenedFolder {
  const descriptor = openFolder(path)
  return { descriptor, path: pathOf(descriptor) ?? path, stats: fstatSync(descriptor) }
}

/** Gives the folder itself to a user. */
export function giveFolder({ descriptor, stats }: OpenedFolder, { uid, gid }: EngineUser): void {
  if (stats.uid !== uid || stats.gid !== gid) fchownSync(descriptor, uid, gid)
}

/** Gives a file or a link in a folder to a user; a file that is not there is left out. */
export function giveWithin(folder: OpenedFolder, name: string, { uid, gid }: EngineUser): void {
  const path = `${folder.path}/${name}`
  const now = lstatSync(path, { throwIfNoEntry: false })
  if (now !== undefined && (now.uid !== uid || now.gid !== gid)) lchownSync(path, uid, gid)
}

/** Elsewhere the engine never runs as another user, and without root nobody has rights that a link could lead astray. */
const isStepwise = (): boolean => process.platform === 'linux' && process.geteuid?.() === 0

const pathOf = (descriptor: number): string | undefined =>
  isStepwise() ? `/proc/${process.pid}/fd/${descriptor}` : undefined

function openFolder(path: string): number {
  const flags = O_RDONLY | O_DIRECTORY
  if (!isStepwise()) return openSync(path, flags)
  const names = namesOf(resolve(path))
  let at = openSync('/', flags)
  let links = 0
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    try {
      const within = `${pathOf(at)}/${name}`
      const target = targetOf(at, within, path)
      if (target === undefined) at = movedTo(at, openSync(within, flags | O_NOFOLLOW))
      else {
        if (++links > MAX_LINKS) throw followed(path, within)
        names.unshift(...namesOf(target))
        if (target.startsWith('/')) at = movedTo(at, openSync('/', flags))
      }
    } catch (cause) {
      closeSync(at)
      throw cause
    }
  }
  return at
}

const namesOf = (path: string): string[] => path.split('/').filter(name => name !== '' && name !== '.')

function movedTo(from: number, to: number): number {
  closeSync(from)
  return to
}

/** Where a link leads that nobody but root can replace; undefined where there is none. */
function targetOf(folder: number, within: string, path: string): string | undefined {
  const found = lstatSync(within)
  if (!found.isSymbolicLink()) return undefined
  const { uid, mode } = fstatSync(folder)
  const isRoots = uid === 0 && found.uid === 0 && ((mode & OF_OTHERS) === 0 || (mode & STICKY) !== 0)
  if (!isRoots) throw followed(path, within)
  return readlinkSync(within)
}

const followed = (path: string, link: string): WarehouseError =>
  new WarehouseError(
    'warehouse.engine_start',
    `${path} leads through the link ${basename(link)} that another user can change, which root does not follow.`,
    { hint: 'Start as that user, or name the folder itself.' },
  )
