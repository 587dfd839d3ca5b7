import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const AGAIN_MS = 250
const MOST_TRIES = 8

/**
 * Lowers the CPU priority of a process. `nice` is from 0 to 19 (nice(2)). Does nothing if the system does not allow it.
 */
export function lowerPriority(pid: number, nice: number): void {
  try {
    setPriority(pid, nice)
  } catch {
    // The process has ended, or has a lower priority already.
  }
  lowerGroup(pid, nice, MOST_TRIES)
}

/** Linux schedules sessions first, so a nice value applies only within its session (sched(7), "autogroup"). */
function lowerGroup(pid: number, nice: number, tries: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch (cause) {
    // The kernel accepts one such change per 0.1 s for all users together. Other systems have no autogroups.
    const isBusy = cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN'
    if (isBusy && tries > 1) setTimeout(() => lowerGroup(pid, nice, tries - 1), AGAIN_MS).unref()
  }
}
