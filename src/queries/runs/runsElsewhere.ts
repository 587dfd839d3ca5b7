import { setTimeout as delay } from 'node:timers/promises'
import type { RunRows } from '../queue/runRows.ts'
import type { Run } from './createRuns.ts'

export const isOver = ({ state }: Run): boolean => state !== 'queued' && state !== 'running'

/** Interval between reads of a run from the store. */
const LOOK_MS = 200

/** Reads runs of other servers from the store. */
export type RunsElsewhere = {
  /** Undefined if the run is not in the store or has another owner. */
  read(id: string, owner: string): Promise<Run | undefined>
  /** Yields the run after each change until it has ended. */
  follow(first: Run, signal: AbortSignal): AsyncGenerator<Run>
  /** Waits until the run has ended, `ms` has passed or the signal aborts. */
  settle(id: string, owner: string, ms: number, signal: AbortSignal): Promise<Run | undefined>
}

/** `rows` is undefined if there are no other servers. */
export function createRunsElsewhere(rows: Pick<RunRows, 'read'> | undefined): RunsElsewhere {
  const read = async (id: string, owner: string): Promise<Run | undefined> => rows?.read(id, owner)

  async function* follow(first: Run, signal: AbortSignal): AsyncGenerator<Run> {
    let seen = first
    yield seen
    while (!isOver(seen) && !signal.aborted) {
      await delay(LOOK_MS, undefined, { signal }).catch(() => {})
      const now = await read(seen.id, seen.owner)
      if (now === undefined) return
      if (JSON.stringify(now) === JSON.stringify(seen)) continue
      seen = now
      yield seen
    }
  }

  return {
    read,
    follow,
    async settle(id, owner, ms, signal) {
      const first = await read(id, owner)
      if (first === undefined || isOver(first) || ms <= 0) return first
      let last = first
      const until = AbortSignal.any([signal, AbortSignal.timeout(ms)])
      for await (const run of follow(first, until)) last = run
      return last
    },
  }
}
