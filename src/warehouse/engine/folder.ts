import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

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
  chmodSync(folder, 0o700)
  for (const path of [dataOf(folder), pipesOf(folder)]) mkdirSync(path, { recursive: true, mode: 0o700 })
  const noFiles = noFilesOf(folder)
  mkdirSync(noFiles, { recursive: true, mode: 0o500 })
  for (const name of readdirSync(noFiles)) rmSync(join(noFiles, name), { recursive: true, force: true })
  makePipes(pipePathsOf(folder, pipeCount))
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
