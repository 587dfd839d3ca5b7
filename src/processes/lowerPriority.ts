import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const AGAIN_MS = 250
const MOST_TRIES = 8

/**
 * Lets other processes go first where the processor is busy. `nice` is from 0 to 19 (nice(2)). Does nothing where the system
 * does not allow it.
 */
export function lowerPriority(pid: number, nice: number): void {
  try {
    setPriority(pid, nice)
  } catch {
    // It has ended, or is nicer already.
  }
  lowerGroup(pid, nice, MOST_TRIES)
}

/** Linux weighs sessions against each other first: a nice value holds within the session alone (sched(7), "autogroup"). */
function lowerGroup(pid: number, nice: number, tries: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch (cause) {
    // The kernel takes one such change in a tenth of a second, of all users together. Other systems have none.
    const isBusy = cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN'
    if (isBusy && tries > 1) setTimeout(() => lowerGroup(pid, nice, tries - 1), AGAIN_MS).unref()
  }
}
