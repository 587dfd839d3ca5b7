import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../shared/', import.meta.url))

/** Path of a recorded file beside the project, or undefined where this clone has none. */
export function sharedPath(relative: string): string | undefined {
  const path = `${root}${relative}`
  return existsSync(path) ? path : undefined
}

/** Spread into a test's options: skips with the reason where the recorded data is not beside the project. */
export const skipWithoutShared: { skip: string | false } = {
  skip: existsSync(root) ? false : 'the recorded data (../shared) is not beside this clone',
}

/** Path of a recorded file that a test with `skipWithoutShared` needs. */
export function shared(relative: string): string {
  const path = sharedPath(relative)
  if (path === undefined) throw new Error(`recorded file ${relative} is missing`)
  return path
}
