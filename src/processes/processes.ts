import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // A process of another user may not be signalled, but it is there.
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Waits until the process has ended, ten seconds at most. */
export async function ended(pid: number): Promise<void> {
  for (let waitedMs = 0; isAlive(pid) && waitedMs < 10_000; waitedMs += 10) await delay(10)
}

/** Whether the command line of a running process ends with these arguments: a program and its folder, for example. */
export async function runs(pid: number, command: readonly string[]): Promise<boolean> {
  return (await commandOf(pid)).endsWith(command.join(' '))
}

/**
 * Kills the process if its command line ends with these arguments. A process number read from a file may be stale or forged, and
 * must never end anything else.
 */
export async function endProcess(pid: number, command: readonly string[]): Promise<void> {
  if (!(await runs(pid, command))) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile, or belongs to another user.
  }
}

/** The arguments of a running process, separated by spaces; empty if there is none. */
async function commandOf(pid: number): Promise<string> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return ''
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return command.replace(/\0$/, '').replaceAll('\0', ' ')
  }
  return await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trimEnd(),
    () => '',
  )
}
