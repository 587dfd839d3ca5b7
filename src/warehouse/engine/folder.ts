import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { EngineUser } from './user.ts'

// What lies in the folder of an engine. The process itself may be confined to `data`, `pipes` and `no-files`, and these as
// they are when it starts: they are emptied or written over, never made anew under it.

/** The engine's own data, temporary files included. */
export const dataOf = (folder: string): string => join(folder, 'data')
/** Named pipes through which the engine reads rows. */
export const pipesOf = (folder: string): string => join(folder, 'pipes')
/** An empty folder: where relative paths of file functions lead. */
export const noFilesOf = (folder: string): string => join(folder, 'no-files')
/** Where the running engine is found. Written by whoever starts it, never by the engine; an engine that has ended leaves it. */
export const endpointOf = (folder: string): string => join(folder, 'endpoint.json')
/** The password of the engine. The engine gets it on its standard input, and may not open this file. */
export const tokenOf = (folder: string): string => join(folder, 'token')
export const logOf = (folder: string): string => join(folder, 'engine.log')

/** Makes what an engine needs in its folder and is not there. A running engine is not disturbed by it. */
export function prepareFolder(folder: string, pipeCount: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const path of [dataOf(folder), pipesOf(folder)]) mkdirSync(path, { recursive: true, mode: 0o700 })
  const noFiles = noFilesOf(folder)
  mkdirSync(noFiles, { recursive: true, mode: 0o500 })
  for (const name of readdirSync(noFiles)) rmSync(join(noFiles, name), { recursive: true, force: true })
  makePipes(pipePathsOf(folder, pipeCount))
}

export type OwnOptions = {
  /** Folders outside from which the engine loads rows. */
  readonly inputs: readonly string[]
  /** Undefined: the engine runs as the user of this process. */
  readonly user: EngineUser | undefined
  /** Each file of the data, although its folder already has the right owner. */
  readonly isThorough: boolean
}

/**
 * Gives the data to the user of the engine and lets that user read what it has to. All else stays with the user of this process.
 * Only for when no engine of the folder runs.
 */
export async function ownFolder(folder: string, options: OwnOptions): Promise<void> {
  const { inputs, user } = options
  const isShared = user !== undefined
  const wasShared = (statSync(folder).mode & PASS_OF_GROUP) !== 0
  // A release that knows no other user closes the folder and leaves files of root below a folder of the right owner.
  const isThorough = options.isThorough || (isShared && !wasShared)
  if (isShared || wasShared) {
    const own = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
    const owner = user ?? own
    for (const path of [folder, pipesOf(folder), noFilesOf(folder)]) chownSync(path, own.uid, owner.gid)
    for (const name of readdirSync(pipesOf(folder)))
      chownSync(join(pipesOf(folder), name), owner.uid, owner.gid)
    for (const path of inputs) {
      await give(path, { uid: own.uid, gid: owner.gid }, isThorough)
      // What is made in it later belongs to the engine's group too.
      chmodSync(path, isShared ? 0o2750 : 0o700)
    }
    chmodSync(pipesOf(folder), isShared ? 0o750 : 0o700)
    chmodSync(noFilesOf(folder), isShared ? 0o550 : 0o500)
    if (isShared) chmodSync(folder, SHARED)
    await give(dataOf(folder), owner, isThorough)
  }
  // Last, since it tells that all this is to be undone.
  if (!isShared) chmodSync(folder, 0o700)
}

const PASS_OF_GROUP = 0o010
/** Through the folder, without a list of it. */
const SHARED = 0o710

/** The folder itself changes its owner last, so its owner tells whether all of it has been given. */
async function give(top: string, { uid, gid }: EngineUser, isThorough: boolean): Promise<void> {
  const now = statSync(top)
  if (now.uid === uid && now.gid === gid && !isThorough) return
  // Not in a loop of our own: this program follows no link, also not one that is put there meanwhile.
  await promisify(execFile)('chown', ['-R', '-h', '-P', `${uid}:${gid}`, realpathSync(top)])
}

export const pipePathsOf = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => join(pipesOf(folder), `insert-${i}`))

/** A pipe that is there stays: once nobody has it open, it is empty. */
function makePipes(paths: readonly string[]): void {
  const missing = paths.filter(path => !lstatSync(path, { throwIfNoEntry: false })?.isFIFO())
  if (missing.length === 0) return
  for (const path of missing) rmSync(path, { recursive: true, force: true })
  try {
    // Node has no call for it.
    execFileSync('mkfifo', ['-m', '600', ...missing], { stdio: 'pipe' })
  } catch (cause) {
    // Another process may have made them meanwhile.
    if (!missing.every(path => lstatSync(path, { throwIfNoEntry: false })?.isFIFO())) throw cause
  }
}
