import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { QueryError } from './errors.ts'

/** How many queries may run and wait at once. */
export type TurnLimits = {
  /** Of one caller. All networks of an IPv6 /48 have four times as many, and at most half of what guests have. */
  readonly perAsker: number
  readonly inAll: number
  /** Slots that guests leave to members. */
  readonly ofMembers: number
  /** From so many running queries on, a caller that has one gets no second. */
  readonly sharedFrom: number
  /** Longest wait for a slot, ms. */
  readonly waitMs: number
}

/** Slots by caller: an address, a network or an account. */
export type Turns = {
  /**
   * Acquires a slot; call the result to release it. A caller with no query running waits for one, and those waiting get
   * slots in the order in which they came. Throws `sql.too_many_at_once`, or the reason of the signal.
   */
  take(asker: string, more?: { isMember?: boolean; signal?: AbortSignal }): Promise<() => void>
}

type Waiting = { readonly isMember: boolean; admit(): void }

export function createTurns(limits: TurnLimits): Turns {
  /** Running and waiting queries by caller and by its /48. */
  const counts = new Map<string, number>()
  let running = 0
  let guests = 0
  const waiting = new Set<Waiting>()

  const mostOfWider = Math.max(
    limits.perAsker,
    Math.min(limits.perAsker * WIDER_SHARE, Math.floor((limits.inAll - limits.ofMembers) / 2)),
  )
  const keysOf = (asker: string): string[] => [asker, widerKey(asker)].filter(key => key !== undefined)
  const count = (asker: string, by: 1 | -1): void => {
    for (const key of keysOf(asker)) {
      const left = (counts.get(key) ?? 0) + by
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    }
  }
  const ownOf = (asker: string): number => counts.get(asker) ?? 0
  const isAtLimit = (asker: string): boolean => {
    const wider = widerKey(asker)
    return ownOf(asker) >= limits.perAsker || (wider !== undefined && (counts.get(wider) ?? 0) >= mostOfWider)
  }
  const isFree = (isMember: boolean): boolean =>
    running < limits.inAll && (isMember || guests < limits.inAll - limits.ofMembers)
  const occupy = (isMember: boolean, by: 1 | -1): void => {
    running += by
    if (!isMember) guests += by
  }

  function release(asker: string, isMember: boolean): void {
    occupy(isMember, -1)
    count(asker, -1)
    for (const next of waiting) {
      if (!isFree(next.isMember)) continue
      occupy(next.isMember, 1)
      next.admit()
      return
    }
  }

  /** Resolves with a slot that was released. */
  function slotOf(isMember: boolean, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      waiting.delete(entry)
      clearTimeout(timer)
      signal?.removeEventListener('abort', handleAbort)
    }
    const handleAbort = (): void => {
      leave()
      reject(signal?.reason)
    }
    const entry: Waiting = {
      isMember,
      admit() {
        leave()
        resolve()
      },
    }
    const timer = setTimeout(() => {
      leave()
      reject(tooMany('Many queries are running now.'))
    }, limits.waitMs)
    waiting.add(entry)
    signal?.addEventListener('abort', handleAbort, { once: true })
    return promise
  }

  return {
    async take(asker, { isMember = false, signal } = {}) {
      signal?.throwIfAborted()
      if (isAtLimit(asker))
        throw tooMany(
          `${ownOf(asker)} queries of yours are running: no more than ${limits.perAsker} at a time.`,
        )
      if (ownOf(asker) > 0 && running >= limits.sharedFrom)
        throw tooMany('Many queries are running now, and one of them is yours.')
      count(asker, 1)
      if (isFree(isMember)) occupy(isMember, 1)
      else {
        try {
          await slotOf(isMember, signal)
        } catch (cause) {
          count(asker, -1)
          throw cause
        }
      }
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        release(asker, isMember)
      }
    },
  }
}

const tooMany = (message: string): QueryError =>
  new QueryError('sql.too_many_at_once', message, {
    hint: 'Wait for one to end, or cancel it.',
    facts: { retryAfterSeconds: 2 },
  })
