import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // A process of another user may not be signalled, but it is there.
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Ends a process that does not listen any more. One that is gone already, or belongs to another user, is left alone. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

/** Waits until the process has ended, ten seconds at most. */
export async function ended(pid: number): Promise<void> {
  for (let waitedMs = 0; isAlive(pid) && waitedMs < 10_000; waitedMs += 10) await delay(10)
}

/** Whether a process is an engine of ours, by its command line; false where the system does not tell. */
export async function isEngine(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.includes('warehouse/engine/main.ts')
}
