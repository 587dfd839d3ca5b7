import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Lets other processes go first where the processor is busy. `nice` is from 0 to 19 (nice(2)). Does nothing where the system
 * does not allow it.
 */
export function lowerPriority(pid: number, nice: number): void {
  for (const lower of [
    () => setPriority(pid, nice),
    // Linux weighs sessions against each other first: a nice value holds within the session alone (sched(7), "autogroup").
    () => writeFileSync(`/proc/${pid}/autogroup`, String(nice)),
  ])
    try {
      lower()
    } catch {
      // It has ended, or the system has no such thing.
    }
}
