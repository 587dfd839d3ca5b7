import process from 'node:process'
import { BATCH_FAMILIES, type Warehouse } from '#warehouse/index.ts'
import type { BatchLogRow } from '#warehouse/tables/batches.ts'

/** What a process that follows chains says to the one that started it. */
const COMMITTED = 'committed'

export const isCommitted = (message: unknown): boolean => message === COMMITTED

/** Rung by each commit; what waits for it need not ask the engine whether there was one. */
export type Bell = {
  ring(): void
  /** Waits until it rings, or has since the last call; until the time is over or the signal ends it at the latest. One waits at a time. */
  rung(withinMs: number, signal: AbortSignal): Promise<void>
}

export function createBell(): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async rung(withinMs, signal) {
      if (!hasRung && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, withinMs)
        wake = resolve
        const stop = () => resolve()
        signal.addEventListener('abort', stop, { once: true })
        await promise
        signal.removeEventListener('abort', stop)
        clearTimeout(timer)
        wake = undefined
      }
      hasRung = false
    },
  }
}

const LOGS: ReadonlySet<string> = new Set(BATCH_FAMILIES.map(({ log }) => log.name))
/** Decisions that change nothing that a reader sees. */
const UNSEEN: ReadonlySet<string> = new Set(['begun', 'removed', 'aside'])

/** A warehouse that tells the process that started this one of each commit and each batch taken back, once it is written. */
export const tellingCommits = (
  warehouse: Warehouse,
  say: (message: string) => void = message => {
    if (process.connected) process.send?.(message)
  },
): Warehouse => ({
  ...warehouse,
  async insertRows(table, rows) {
    await warehouse.insertRows(table, rows)
    if (LOGS.has(table.name) && (rows as readonly BatchLogRow[]).some(({ reason }) => !UNSEEN.has(reason)))
      say(COMMITTED)
  },
})
