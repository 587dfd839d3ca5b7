import { execFile } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { sentenceOf } from '#kernel/errors.ts'
import { WarehouseError } from '../errors.ts'
import {
  dataOf,
  isSharedFolder,
  logOf,
  MODES,
  noFilesOf,
  pipesOf,
  startLockOf,
  statusOf,
  tokenOf,
} from './folder.ts'
import { refusalToLock, whileLocked } from './lock.ts'
import { type EngineUser, otherOwner } from './osUser.ts'
import { closePassage, openPassage } from './passage.ts'

export type OwnOptions = {
  /** Folders outside from which the engine loads rows. */
  readonly inputs: readonly string[]
  /** Undefined: the engine runs as the user of this process. */
  readonly user: EngineUser | undefined
}

/**
 * Gives the data to the user of the engine, lets that user read what it has to, and starts the engine by `start`. All else stays
 * with the owner of the folder. Returns `held` while an engine has the data open, or another process starts one: nothing changes
 * then. Throws `warehouse.engine_start` if files cannot change their owner.
 */
export async function startAsOwner<T>(
  folder: string,
  options: OwnOptions,
  start: () => Promise<T>,
): Promise<T | 'held'> {
  if (options.user === undefined && !isSharedFolder(folder)) return start()
  const refusal = refusalToLock()
  if (refusal !== undefined)
    throw new WarehouseError(
      'warehouse.engine_start',
      `${folder} is shared with an engine of another user, and cannot be taken back safely. ${refusal}`,
      { hint: `Install it, or run \`chmod 700 ${folder}\` while no process uses the folder.` },
    )
  // The lock of the engine ends before the engine takes it. This one keeps others from giving the data to somebody else meanwhile.
  return await whileLocked(startLockOf(folder), async () => {
    const owned = await ownFolder(folder, options)
    return owned === 'held' ? owned : start()
  })
}

async function ownFolder(folder: string, options: OwnOptions): Promise<undefined | 'held'> {
  const own = ownerOf(folder)
  const { uid, gid } = options.user ?? own
  try {
    return await whileLocked(statusOf(folder), () => setOwners(folder, own, options))
  } catch (cause) {
    throw new WarehouseError(
      'warehouse.engine_start',
      `The data of the warehouse cannot be given to user ${uid}. ${sentenceOf(cause)}`,
      { hint: `Run \`chown -R ${uid}:${gid} ${dataOf(folder)}\` as root, then start again.`, cause },
    )
  }
}

/** Who owns all but the data: the user of this process. Root leaves the folder of another user to that one. */
function ownerOf(folder: string): EngineUser {
  const { geteuid, getegid } = process
  return otherOwner(folder) ?? { uid: geteuid?.() ?? 0, gid: getegid?.() ?? 0 }
}

/** Gives a file that root has made to the user to whom the folder belongs. */
export function giveToOwner(folder: string, path: string): void {
  const owner = otherOwner(folder)
  if (owner !== undefined) setOwner(path, owner)
}

async function setOwners(folder: string, own: EngineUser, { inputs, user }: OwnOptions): Promise<undefined> {
  const owner = user ?? own
  const readers = { uid: own.uid, gid: owner.gid }
  const mode = user === undefined ? 'own' : 'shared'
  closePassage(folder, user)
  for (const path of [tokenOf(folder), logOf(folder), startLockOf(folder)]) setOwner(path, own)
  // The folder may lie elsewhere, and a link to it has no rights of its own.
  setOwner(realpathSync(folder), readers)
  // Shared before anything else, and no longer shared after all else: an interrupted change is continued by the next start.
  if (user !== undefined) chmodSync(folder, MODES.folder.shared)
  for (const path of [pipesOf(folder), noFilesOf(folder)]) setOwner(path, readers)
  chmodSync(pipesOf(folder), MODES.pipes[mode])
  chmodSync(noFilesOf(folder), MODES.noFiles[mode])
  for (const name of readdirSync(pipesOf(folder))) setOwner(join(pipesOf(folder), name), owner)
  for (const path of inputs) {
    await giveAll(path, readers)
    chmodSync(path, MODES.input[mode])
  }
  await giveAll(dataOf(folder), owner)
  if (user === undefined) chmodSync(folder, MODES.folder.own)
  else openPassage(folder, user)
}

function setOwner(path: string, { uid, gid }: EngineUser): void {
  const now = lstatSync(path, { throwIfNoEntry: false })
  if (now !== undefined && (now.uid !== uid || now.gid !== gid)) lchownSync(path, uid, gid)
}

/**
 * Every file, at every start: a backup that was restored in part leaves files of another owner anywhere below. 100,000 files take
 * 0.5 s, or 2 s if the disk has to be read.
 */
async function giveAll(top: string, { uid, gid }: EngineUser): Promise<void> {
  const path = realpathSync(top)
  // Another process may delete what was just listed.
  const again = () => hasOthers(path, uid, gid)
  if (!(await again().catch(again))) return
  // Not in a loop of our own: this program follows no link, also not one that is put there meanwhile.
  await run('chown', ['-R', '-h', '-P', `${uid}:${gid}`, path])
}

/** Whether a file at or below the path belongs to somebody else. */
async function hasOthers(path: string, uid: number, gid: number): Promise<boolean> {
  const others = ['(', '!', '-user', `${uid}`, '-o', '!', '-group', `${gid}`, ')', '-print', '-quit']
  return (await run('find', [path, ...others])) !== ''
}

/** What a program prints; throws with the first line of its complaint. */
async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args)).stdout
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string }
    throw new Error(stderr.split('\n', 1)[0] || sentenceOf(cause), { cause })
  }
}
