import { execFileSync } from 'node:child_process'
import {
  closeSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { WarehouseError } from '../errors.ts'
import { whileOpened } from './opened.ts'

// What lies in the folder of an engine. The process itself may be confined to `data`, `pipes` and `no-files`, and these as
// they are when it starts: they are emptied or written over, never made anew under it.

/** The engine's own data, temporary files included. */
export const dataOf = (folder: string): string => join(folder, 'data')
/** Locked by the engine while it runs, whichever release it is of; its process number as text. */
export const statusOf = (folder: string): string => join(dataOf(folder), 'status')
/** Locked by a process that gives the data to an engine and starts that one. */
export const startLockOf = (folder: string): string => join(folder, 'start.lock')
/** Named pipes through which the engine reads rows. */
export const pipesOf = (folder: string): string => join(folder, 'pipes')
/** An empty folder: where relative paths of file functions lead. */
export const noFilesOf = (folder: string): string => join(folder, 'no-files')
/** Where the running engine is found. Written by whoever starts it, never by the engine; an engine that has ended leaves it. */
export const endpointOf = (folder: string): string => join(folder, 'endpoint.json')
/** The password of the engine. The engine gets it on its standard input, and may not open this file. */
export const tokenOf = (folder: string): string => join(folder, 'token')
export const logOf = (folder: string): string => join(folder, 'engine.log')

/** Permissions of a folder: while the engine runs as the user of the server, and while it runs as another one. */
export type Modes = { readonly own: number; readonly shared: number }

export const MODES = {
  /** The engine's group may pass through it, but not list it. */
  folder: { own: 0o700, shared: 0o710 },
  data: { own: 0o700, shared: 0o700 },
  pipes: { own: 0o700, shared: 0o750 },
  noFiles: { own: 0o500, shared: 0o550 },
  /** New files in it get the engine's group. */
  input: { own: 0o700, shared: 0o2750 },
} as const satisfies Record<string, Modes>

/**
 * Makes what an engine needs in its folder and is not there, and closes what an older release left open to other users. A running
 * engine is not disturbed by it.
 */
export function prepareFolder(
  folder: string,
  pipeCount: number,
  inputs: readonly string[],
  answerPipeCount = 0,
): void {
  refuseLinks(folder, inputs)
  makeFolder(folder, MODES.folder)
  makeFolder(dataOf(folder), MODES.data)
  makeFolder(pipesOf(folder), MODES.pipes)
  const noFiles = noFilesOf(folder)
  makeFolder(noFiles, MODES.noFiles)
  for (const path of inputs) makeFolder(path, MODES.input)
  whileOpened(noFiles, ({ path }) => {
    for (const name of readdirSync(path)) rmSync(`${path}/${name}`, { recursive: true, force: true })
  })
  makePipes([...pipePathsOf(folder, pipeCount), ...answerPipePathsOf(folder, answerPipeCount)])
  closeSync(openSync(logOf(folder), 'a', 0o600))
}

/**
 * Root changes rights and owners of what lies here: a link that another user has put there could lead it to any file.
 * Throws `warehouse.engine_start`.
 */
function refuseLinks(folder: string, inputs: readonly string[]): void {
  if (process.geteuid?.() !== 0) return
  // The links on the way to the folder.
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) whileOpened(folder, () => {})
  const paths = [dataOf, pipesOf, noFilesOf, endpointOf, tokenOf, logOf, startLockOf].map(of => of(folder))
  for (const path of [...paths, ...inputs]) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink() && found.uid !== 0)
      throw new WarehouseError(
        'warehouse.engine_start',
        `${path} is a link of user ${found.uid}, which root does not follow.`,
        { hint: 'Start as that user, or put the file itself in place of the link.' },
      )
  }
}

function makeFolder(path: string, { own, shared }: Modes): void {
  mkdirSync(path, { recursive: true, mode: own })
  const isRight = ({ mode }: Stats) => [own, shared & 0o777].includes(mode & 0o777)
  if (isRight(statSync(path))) return
  whileOpened(path, ({ descriptor, stats }) => {
    if (!isRight(stats)) fchmodSync(descriptor, own)
  })
}

/** Whether the folder is set up for an engine that runs as another user. */
export const isSharedFolder = (folder: string): boolean =>
  (statSync(folder).mode & 0o777) === MODES.folder.shared

export const pipePathsOf = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => join(pipesOf(folder), `insert-${i}`))

/** Pipes that stream responses to user queries. */
export const answerPipePathsOf = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => join(pipesOf(folder), `answer-${i}`))

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
