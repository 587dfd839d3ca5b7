import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A file system in memory, where Linux has one. */
const IN_MEMORY = '/dev/shm'
/** What a run of all tests may need at once, bytes. */
const LEAST_BYTES = 6 * 2 ** 30

/**
 * Makes the folder in which a run keeps its data folders, in memory where there is room: tests make thousands of small files
 * and read few of them again. It goes with the process.
 */
export function makeScratch(): string {
  const folder = mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), 'assay-tests-'))
  // Servers that refuse to run as root work below it as another user.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(): boolean {
  if (process.platform !== 'linux') return false
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= LEAST_BYTES
  } catch {
    return false
  }
}
