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

/** Waiting in the queue for as long as it takes, also for other queries of the same caller. */
export type QueueOptions = {
  /** Queries of one caller that may wait. */
  readonly most: number
  /** Called with the place in the queue, from 1, and why the query waits: at once, and whenever either changes. */
  onChange(position: number, reason: string): void
}

/** Queries of all callers that may wait. */
const MOST_WAITING = 300

/** Slots by caller: an address, a network or an account. */
export type Turns = {
  /**
   * Acquires a slot; call the result to release it. A caller with no query running waits for one, and those waiting get
   * slots in the order in which they came; with `queue` it waits in any case. Throws `sql.too_many_at_once`, or the reason
   * of the signal.
   */
  take(
    asker: string,
    more?: { isMember?: boolean; signal?: AbortSignal; queue?: QueueOptions },
  ): Promise<() => void>
}

type Waiting = {
  readonly asker: string
  readonly isMember: boolean
  /** Its caller’s other queries do not count what waits in the queue. */
  readonly queue: QueueOptions | undefined
  /** The last notice that its caller got. */
  notice: string
  admit(): void
}

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

  const mustWaitForOwn = (asker: string): boolean =>
    isAtLimit(asker) || (ownOf(asker) > 0 && running >= limits.sharedFrom)

  function release(asker: string, isMember: boolean): void {
    occupy(isMember, -1)
    count(asker, -1)
    for (const next of waiting) {
      if (!isFree(next.isMember) || (next.queue !== undefined && mustWaitForOwn(next.asker))) continue
      occupy(next.isMember, 1)
      if (next.queue !== undefined) count(next.asker, 1)
      next.admit()
    }
    notifyQueue()
  }

  /** Notifies each queued query whose place or reason changed. */
  function notifyQueue(): void {
    let position = 0
    for (const entry of waiting) {
      position++
      if (entry.queue === undefined) continue
      const reason = isAtLimit(entry.asker)
        ? `${ownOf(entry.asker)} queries of yours are running. ${limits.perAsker} can run at a time.`
        : 'All query slots are in use.'
      const notice = `${position} ${reason}`
      if (entry.notice === notice) continue
      entry.notice = notice
      entry.queue.onChange(position, reason)
    }
  }

  /** Resolves with a slot that was released. */
  function slotOf(
    { asker, isMember, queue }: Pick<Waiting, 'asker' | 'isMember' | 'queue'>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      waiting.delete(entry)
      clearTimeout(timer)
      signal?.removeEventListener('abort', handleAbort)
    }
    const handleAbort = (): void => {
      leave()
      reject(signal?.reason)
      notifyQueue()
    }
    const entry: Waiting = {
      asker,
      isMember,
      queue,
      notice: '',
      admit() {
        leave()
        resolve()
      },
    }
    const timer =
      queue === undefined
        ? setTimeout(() => {
            leave()
            reject(tooMany('Many queries are running now.'))
          }, limits.waitMs)
        : undefined
    waiting.add(entry)
    signal?.addEventListener('abort', handleAbort, { once: true })
    notifyQueue()
    return promise
  }

  /** Waits in the queue unless a slot is free. */
  async function takeQueued(
    asker: string,
    isMember: boolean,
    queue: QueueOptions,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (isFree(isMember) && !mustWaitForOwn(asker)) {
      count(asker, 1)
      occupy(isMember, 1)
      return
    }
    const queued = [...waiting].filter(entry => entry.queue !== undefined && entry.asker === asker).length
    const wider = widerKey(asker)
    const nearby =
      wider === undefined ? 0 : [...waiting].filter(entry => widerKey(entry.asker) === wider).length
    if (waiting.size >= MOST_WAITING || nearby >= queue.most * WIDER_SHARE)
      throw tooMany('Many queries are waiting now.')
    if (queued >= queue.most)
      throw tooMany(`${queued} queries of yours are waiting. ${queue.most} can wait at a time.`)
    await slotOf({ asker, isMember, queue }, signal)
  }

  return {
    async take(asker, { isMember = false, signal, queue } = {}) {
      signal?.throwIfAborted()
      if (queue !== undefined) {
        await takeQueued(asker, isMember, queue, signal)
        return releaseOnce(asker, isMember)
      }
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
          await slotOf({ asker, isMember, queue: undefined }, signal)
        } catch (cause) {
          count(asker, -1)
          throw cause
        }
      }
      return releaseOnce(asker, isMember)
    },
  }

  function releaseOnce(asker: string, isMember: boolean): () => void {
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      release(asker, isMember)
    }
  }
}

const tooMany = (message: string): QueryError =>
  new QueryError('sql.too_many_at_once', message, {
    hint: 'Wait for one to end, or cancel it.',
    facts: { retryAfterSeconds: 2 },
  })
