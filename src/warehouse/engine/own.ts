import { execFile } from 'node:child_process'
import { fchmodSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
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
import { giveFolder, giveWithin, type OpenedFolder, whileOpened, whileOpenedLong } from './opened.ts'
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

async function setOwners(folder: string, own: EngineUser, { inputs, user }: OwnOptions): Promise<undefined> {
  const owner = user ?? own
  const readers = { uid: own.uid, gid: owner.gid }
  const mode = user === undefined ? 'own' : 'shared'
  closePassage(folder, user)
  whileOpened(folder, opened => {
    for (const path of [tokenOf(folder), logOf(folder), startLockOf(folder)])
      giveWithin(opened, basename(path), own)
    giveFolder(opened, readers)
    // Shared before anything else, and no longer shared after all else: an interrupted change is continued by the next start.
    if (user !== undefined) fchmodSync(opened.descriptor, MODES.folder.shared)
  })
  whileOpened(pipesOf(folder), opened => {
    giveFolder(opened, readers)
    fchmodSync(opened.descriptor, MODES.pipes[mode])
    for (const name of readdirSync(opened.path)) giveWithin(opened, name, owner)
  })
  whileOpened(noFilesOf(folder), opened => {
    giveFolder(opened, readers)
    fchmodSync(opened.descriptor, MODES.noFiles[mode])
  })
  for (const path of inputs) {
    await whileOpenedLong(path, async opened => {
      await giveAll(opened, path, readers)
      fchmodSync(opened.descriptor, MODES.input[mode])
    })
  }
  await whileOpenedLong(dataOf(folder), opened => giveAll(opened, dataOf(folder), owner))
  if (user !== undefined) openPassage(folder, user)
  else whileOpened(folder, ({ descriptor }) => fchmodSync(descriptor, MODES.folder.own))
}

/**
 * Every file, at every start: a backup that was restored in part leaves files of another owner anywhere below. 100,000 files take
 * 0.5 s, or 2 s if the disk has to be read. Both programs begin in the opened folder and follow no link below it.
 */
async function giveAll(opened: OpenedFolder, name: string, { uid, gid }: EngineUser): Promise<void> {
  const run = (program: string, args: readonly string[]) => runIn(opened, name, program, args)
  const others = ['(', '!', '-user', `${uid}`, '-o', '!', '-group', `${gid}`, ')', '-print', '-quit']
  // Another process may delete what was just listed.
  const find = () => run('find', ['.', ...others])
  if ((await find().catch(find)) === '') return
  await run('chown', ['-R', '-h', '-P', `${uid}:${gid}`, '.'])
}

/** What a program prints that runs in a folder; throws with the first line of its complaint. `name` is the folder's in it. */
async function runIn(
  { path }: OpenedFolder,
  name: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd: path })).stdout
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string }
    const [complaint = ''] = stderr.split('\n', 1)
    throw new Error(complaint.replace(/(?<!\S|\w)(['‘]?)\.(?=\/|['’]|:)/, `$1${name}`) || sentenceOf(cause), {
      cause,
    })
  }
}
