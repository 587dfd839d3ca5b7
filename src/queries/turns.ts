import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { QueryError } from './errors.ts'
import type { DailyUsage } from './queue/usage.ts'

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
  /** The same for members, where they may run more. */
  readonly perMember?: number
  readonly sharedFromOfMembers?: number
  /** Slots that members leave to guests. */
  readonly ofGuests?: number
}

export const slotsOf = (limits: TurnLimits, isMember: boolean): { most: number; sharedFrom: number } => ({
  most: (isMember ? limits.perMember : undefined) ?? limits.perAsker,
  sharedFrom: (isMember ? limits.sharedFromOfMembers : undefined) ?? limits.sharedFrom,
})

/** Of all networks of an IPv6 /48. */
export const mostOfNetwork = (limits: TurnLimits): number =>
  Math.max(
    limits.perAsker,
    Math.min(limits.perAsker * WIDER_SHARE, Math.floor((limits.inAll - limits.ofMembers) / 2)),
  )

/** Why a query waits. */
export const REASONS = {
  own: (running: number, most: number) =>
    `${running} queries of yours are running. ${most} can run at a time.`,
  others: 'Other users go first while a query of yours is running.',
  full: 'All query slots are in use.',
} as const

/** A query in the queue that servers share. */
export type Claim = {
  readonly id: string
  /** What its caller cancels it by. */
  readonly queryId: string
  /** Called when another server was asked to cancel it. */
  onCancel(): void
  /** Called when this process stood still for so long that another server took the query over. */
  onLost?(): void
  /** Called once the query is in the shared queue, with what its caller has used today. */
  onClaim?(usage: DailyUsage | undefined): void
  /** Whether it counts for the quota of the day. */
  readonly isCounted?: boolean
  /** A run that another server could take over. Its end has to be written. */
  readonly run?: { readonly owner: string; readonly request: string; readonly run: string }
  /** Taken over: it is in the queue already. */
  readonly isHeld?: boolean
}

/** Waiting in the queue for as long as it takes, also for other queries of the same caller. */
export type QueueOptions = {
  /** Queries of one caller that may wait. */
  readonly most: number
  /** Called with the place in the queue, from 1, and why the query waits: at once, and whenever either changes. */
  onChange(position: number, reason: string): void
}

/** Queries of all callers that may wait. */
export const MOST_WAITING = 300

/** Slots by caller: an address, a network or an account. */
export type Turns = {
  /**
   * Acquires a slot; call the result to release it. A caller with no query running waits for one, and those waiting get
   * slots in the order in which they came; with `queue` it waits in any case. Throws `sql.too_many_at_once`, or the reason
   * of the signal.
   */
  take(
    asker: string,
    more?: { isMember?: boolean; signal?: AbortSignal; queue?: QueueOptions; claim?: Claim },
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
  /** Running queries by caller: of those who wait, who has fewer goes first. */
  const runningOf = new Map<string, number>()
  const waiting = new Set<Waiting>()

  const mostOfWider = mostOfNetwork(limits)
  const keysOf = (asker: string): string[] => [asker, widerKey(asker)].filter(key => key !== undefined)
  const count = (asker: string, by: 1 | -1): void => {
    for (const key of keysOf(asker)) {
      const left = (counts.get(key) ?? 0) + by
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    }
  }
  const ownOf = (asker: string): number => counts.get(asker) ?? 0
  const isAtLimit = (asker: string, isMember: boolean): boolean => {
    const wider = widerKey(asker)
    return (
      ownOf(asker) >= slotsOf(limits, isMember).most ||
      (wider !== undefined && (counts.get(wider) ?? 0) >= mostOfWider)
    )
  }
  const isFree = (isMember: boolean): boolean =>
    running < limits.inAll &&
    (isMember
      ? running - guests < limits.inAll - (limits.ofGuests ?? 0)
      : guests < limits.inAll - limits.ofMembers)
  const occupy = (asker: string, isMember: boolean, by: 1 | -1): void => {
    running += by
    if (!isMember) guests += by
    const left = (runningOf.get(asker) ?? 0) + by
    if (left > 0) runningOf.set(asker, left)
    else runningOf.delete(asker)
  }

  const mustWaitForOwn = (asker: string, isMember: boolean): boolean =>
    isAtLimit(asker, isMember) || (ownOf(asker) > 0 && running >= slotsOf(limits, isMember).sharedFrom)

  /** In the order in which they get slots. */
  const inOrder = (): Waiting[] =>
    [...waiting].sort((a, b) => (runningOf.get(a.asker) ?? 0) - (runningOf.get(b.asker) ?? 0))

  function release(asker: string, isMember: boolean): void {
    occupy(asker, isMember, -1)
    count(asker, -1)
    for (const next of inOrder()) {
      if (!isFree(next.isMember) || (next.queue !== undefined && mustWaitForOwn(next.asker, next.isMember)))
        continue
      occupy(next.asker, next.isMember, 1)
      if (next.queue !== undefined) count(next.asker, 1)
      next.admit()
    }
    notifyQueue()
  }

  /** Notifies each queued query whose place or reason changed. */
  function notifyQueue(): void {
    let position = 0
    for (const entry of inOrder()) {
      position++
      if (entry.queue === undefined) continue
      const reason = isAtLimit(entry.asker, entry.isMember)
        ? REASONS.own(ownOf(entry.asker), slotsOf(limits, entry.isMember).most)
        : mustWaitForOwn(entry.asker, entry.isMember)
          ? REASONS.others
          : REASONS.full
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
    if (isFree(isMember) && !mustWaitForOwn(asker, isMember)) {
      count(asker, 1)
      occupy(asker, isMember, 1)
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
      const { most, sharedFrom } = slotsOf(limits, isMember)
      if (isAtLimit(asker, isMember)) throw tooMany(REASONS.own(ownOf(asker), most))
      if (ownOf(asker) > 0 && running >= sharedFrom)
        throw tooMany('Many queries are running now, and one of them is yours.')
      count(asker, 1)
      if (isFree(isMember)) occupy(asker, isMember, 1)
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

export const tooMany = (message: string): QueryError =>
  new QueryError('sql.too_many_at_once', message, {
    hint: 'Wait for one to end, or cancel it.',
    facts: { retryAfterSeconds: 2 },
  })
