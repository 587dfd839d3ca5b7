import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { StoreError } from '#store/index.ts'
import { EXECUTION_LIMITS } from '../execute.ts'
import {
  type Claim,
  createTurns,
  MOST_WAITING,
  mostOfNetwork,
  type QueueOptions,
  REASONS,
  slotsOf,
  type TurnLimits,
  type Turns,
  tooMany,
} from '../turns.ts'
import { type DailyUsage, overQuota, quotaOf, type UsageRow, usageOfRow } from './usage.ts'

export type QueueStore = {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export type SharedTurnsDeps = {
  readonly store: QueueStore
  readonly log: Log
  readonly limits?: TurnLimits
  readonly quotas?: typeof quotaOf
  /** How long a claim outlives its server, ms. */
  readonly leaseMs?: number
}

/** A run whose server ended before it did. */
export type Orphan = {
  readonly id: string
  readonly owner: string
  /** As its server wrote them. */
  readonly request: string
  readonly run: string
  /** 1 unless it was running when its server ended. */
  readonly attempts: number
  readonly isCancelled: boolean
  /** How long ago the claim of its server ended. */
  readonly lostMs: number
}

/** Slots that all servers of one store share. */
export type SharedTurns = Turns &
  AsyncDisposable & {
    /** Identifies this process among the servers. */
    readonly server: string
    /** Takes over runs of servers that ended, from now on. */
    adopt(handle: (orphan: Orphan) => void): void
    /** Adds what a query has used to the day of its caller. */
    spend(caller: string, used: { ms: number; rows: number; bytes: number }): void
    /** Usage of a caller today; undefined while the store is away. */
    usageOf(caller: string, isMember: boolean): Promise<DailyUsage | undefined>
    /** Cancels a query of the caller that another server has. */
    cancel(queryId: string, caller: string): Promise<boolean>
    /** Has the end of a run written. `isFree` is false while the engine has not ended its query. */
    end(id: string, write: (isFree: boolean) => Promise<unknown>): void
  }

const LEASE_MS = 10_000
/** Between two looks at the queue: with queries that wait, with queries that run, and without any. */
const WAITING_MS = 100
const RUNNING_MS = 250
const IDLE_MS = 5_000
/** A store that takes longer is away: queries must not wait for it. */
const STORE_MS = 3_000
const AWAY_MS = 5_000
const RECENT_MS = 5_000

type Entry = {
  readonly id: string
  readonly claim: Claim | undefined
  readonly queue: QueueOptions | undefined
  /** Asking for a claim, queued, or running. */
  state: 'asking' | 'queued' | 'running'
  notice: string
  hasEnded: boolean
  isReleased: boolean
  admit(): void
}

type Taken = UsageRow & { readonly verdict: string; readonly own: number; readonly place: number }

type TickRow = {
  id: string
  state: 'queued' | 'running'
  is_cancelled: boolean
  own: number
  running: number
  shared_from: number
  most: number
  place: number
  attempts: number
  lost_ms: number
  owner: string | null
  request: string | null
  run: string | null
}

export function createSharedTurns({
  store,
  log,
  limits = EXECUTION_LIMITS.turns,
  quotas = quotaOf,
  leaseMs = LEASE_MS,
}: SharedTurnsDeps): SharedTurns {
  /** Slots of this process alone, for the time in which the store is away. */
  const local = createTurns(limits)
  const server = randomUUID()
  const storeLimits = JSON.stringify({
    inAll: limits.inAll,
    ofMembers: limits.ofMembers,
    ofGuests: limits.ofGuests ?? 0,
    ofNetwork: mostOfNetwork(limits),
    waiting: MOST_WAITING,
    widerShare: WIDER_SHARE,
  })
  const entries = new Map<string, Entry>()
  /** Ended here, while the store may still count them. */
  const over = new Set<string>()
  /** Ended a moment ago: an answer of the store that is on its way may still have them. */
  const recent = new Set<string>()
  let handleOrphan: ((orphan: Orphan) => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let ticking: Promise<void> | undefined
  let awayUntil = 0
  let isClosed = false

  function noteAway(cause: unknown): void {
    if (Date.now() >= awayUntil)
      log.warn('The query queue of this server runs alone: the store is away.', { cause: sentenceOf(cause) })
    awayUntil = Date.now() + AWAY_MS
  }

  /** Brings the next look forward to `ms` from now. */
  function schedule(ms: number): void {
    if (isClosed || ticking !== undefined) return
    const at = Date.now() + ms
    if (at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => {
      dueAt = Number.POSITIVE_INFINITY
      ticking = tick().finally(() => {
        ticking = undefined
        schedule(pause())
      })
    }, ms).unref()
  }

  function pause(): number {
    const live = [...entries.values()]
    if (live.some(({ state }) => state === 'queued')) return WAITING_MS
    if (live.some(({ state }) => state === 'running')) return Math.min(RUNNING_MS, leaseMs / 4)
    return handleOrphan === undefined ? Number.POSITIVE_INFINITY : Math.min(IDLE_MS, leaseMs)
  }

  async function tick(): Promise<void> {
    const known = [...entries.values()].filter(({ state }) => state !== 'asking')
    let rows: TickRow[]
    try {
      rows = await store.query<TickRow>('SELECT * FROM assay.tick_queries($1, $2, $3, $4)', [
        server,
        leaseMs,
        handleOrphan !== undefined,
        storeLimits,
      ])
    } catch (cause) {
      noteAway(cause)
      return
    }
    if (isClosed) return
    const seen = new Set(rows.map(({ id }) => id))
    for (const row of rows) {
      const entry = entries.get(row.id)
      if (entry === undefined) handleUnknown(row)
      else apply(entry, row)
    }
    for (const entry of known)
      if (!seen.has(entry.id) && entries.get(entry.id) === entry && !entry.hasEnded) {
        // The claim ended while this process stood still, and another server has the run now.
        entries.delete(entry.id)
        entry.claim?.onLost?.()
      }
  }

  function apply(entry: Entry, row: TickRow): void {
    if (row.is_cancelled) entry.claim?.onCancel()
    if (entry.state !== 'queued') return
    if (row.state === 'running') {
      entry.state = 'running'
      entry.admit()
    } else notify(entry, row.place, reasonOf(row))
  }

  function handleUnknown(row: TickRow): void {
    if (recent.has(row.id)) return
    if (row.owner === null || handleOrphan === undefined) {
      remove(row.id)
      return
    }
    if (row.request === null || row.run === null) return
    handleOrphan({
      id: row.id,
      owner: row.owner,
      request: row.request,
      run: row.run,
      attempts: row.attempts,
      isCancelled: row.is_cancelled,
      lostMs: row.lost_ms,
    })
  }

  const reasonOf = ({ own, most, running, shared_from }: TickRow): string =>
    own >= most ? REASONS.own(own, most) : own > 0 && running >= shared_from ? REASONS.others : REASONS.full

  function notify(entry: Entry, place: number, reason: string): void {
    const notice = `${place} ${reason}`
    if (entry.notice === notice) return
    entry.notice = notice
    entry.queue?.onChange(place, reason)
  }

  /** Ends a claim that no run is kept of. */
  const remove = (id: string): void =>
    forget(id, store.query('DELETE FROM assay.query_queue WHERE id = $1 AND server = $2', [id, server]))

  function forget(id: string, written: Promise<unknown>): void {
    entries.delete(id)
    over.add(id)
    recent.add(id)
    written.catch(noteAway).finally(() => {
      over.delete(id)
      setTimeout(() => recent.delete(id), RECENT_MS).unref()
      if ([...entries.values()].some(({ state }) => state === 'queued')) schedule(0)
    })
  }

  function end(id: string, write: (isFree: boolean) => Promise<unknown>): void {
    const entry = entries.get(id)
    if (entry === undefined || entry.isReleased) {
      forget(
        id,
        untilWritten(() => write(true)),
      )
      return
    }
    entry.hasEnded = true
    void untilWritten(() => write(false))
  }

  /** Without its end, a run would be running for others until this process ends. */
  async function untilWritten(write: () => Promise<unknown>): Promise<void> {
    for (;;)
      try {
        await write()
        return
      } catch (cause) {
        noteAway(cause)
        if (isClosed) return
        await delay(AWAY_MS, undefined, { ref: false })
      }
  }

  function release(entry: Entry): void {
    if (entries.get(entry.id) !== entry || entry.isReleased) return
    entry.isReleased = true
    if (entry.claim?.run === undefined) remove(entry.id)
    else if (entry.hasEnded)
      forget(
        entry.id,
        store.query('UPDATE assay.query_queue SET occupies = false WHERE id = $1 AND server = $2', [
          entry.id,
          server,
        ]),
      )
    // Counts no more from here on; its end is written next.
    else over.add(entry.id)
  }

  /** The claim, or undefined if the store is away. */
  async function claimed(
    entry: Entry,
    asker: string,
    { isMember, queue }: { isMember: boolean; queue: QueueOptions | undefined },
  ): Promise<Taken | undefined> {
    const { most, sharedFrom } = slotsOf(limits, isMember)
    const run = entry.claim?.run
    const isCounted = entry.claim?.isCounted === true
    const asked = store.query<Taken>(
      isCounted
        ? 'SELECT * FROM assay.take_counted_query_slot($1, $2, $3, $4, $5, $6, $7, $8)'
        : 'SELECT * FROM assay.take_query_slot($1, $2, $3, $4, $5, $6, $7)',
      [
        server,
        leaseMs,
        JSON.stringify({
          id: entry.id,
          caller: asker,
          network: widerKey(asker) ?? null,
          isMember,
          isPatient: queue !== undefined,
          most,
          sharedFrom,
          queueMost: queue?.most ?? 0,
          queryId: entry.claim?.queryId ?? entry.id,
          owner: run?.owner ?? null,
        }),
        run?.request ?? null,
        run?.run ?? null,
        [...over],
        storeLimits,
        ...(isCounted ? [JSON.stringify(quotas(isMember))] : []),
      ],
    )
    const { promise: slow, resolve } = Promise.withResolvers<undefined>()
    const timeout = setTimeout(() => resolve(undefined), STORE_MS)
    timeout.unref()
    try {
      const answer = await Promise.race([asked, slow])
      if (answer !== undefined) return answer[0]
      noteAway(new StoreError('store.down', 'The store takes too long.'))
      // What it grants later is nobody's any more.
      asked.then(
        () => remove(entry.id),
        () => {},
      )
      return undefined
    } catch (cause) {
      noteAway(cause)
      return undefined
    } finally {
      clearTimeout(timeout)
    }
  }

  /** Resolves once the entry was admitted. */
  function admitted(entry: Entry, signal: AbortSignal | undefined, isPatient: boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      clearTimeout(limit)
      signal?.removeEventListener('abort', handleAbort)
    }
    const handleAbort = (): void => {
      leave()
      reject(signal?.reason)
    }
    const limit = isPatient
      ? undefined
      : setTimeout(() => {
          leave()
          reject(tooMany('Many queries are running now.'))
        }, limits.waitMs)
    entry.admit = () => {
      leave()
      resolve()
    }
    if (signal?.aborted) handleAbort()
    else signal?.addEventListener('abort', handleAbort, { once: true })
    return promise
  }

  return {
    server,
    end,
    spend(caller, { ms, rows, bytes }) {
      store
        .query('SELECT assay.add_query_usage($1, 0, $2, $3, $4)', [
          [caller, widerKey(caller) ?? null],
          Math.round(ms),
          Math.round(rows),
          Math.round(bytes),
        ])
        .catch(noteAway)
    },
    async usageOf(caller, isMember) {
      if (Date.now() < awayUntil) return undefined
      try {
        const [row] = await store.query<UsageRow>(
          `SELECT runs, elapsed_ms, read_rows, read_bytes FROM assay.query_usage
WHERE caller = $1 AND day = (clock_timestamp() AT TIME ZONE 'UTC')::date`,
          [caller],
        )
        return usageOfRow(row, isMember)
      } catch (cause) {
        noteAway(cause)
        return undefined
      }
    },
    async cancel(queryId, caller) {
      const rows = await store
        .query(
          `UPDATE assay.query_queue SET is_cancelled = true
WHERE query_id = $1 AND caller = $2 AND state IN ('queued', 'running') AND held_until > clock_timestamp() RETURNING id`,
          [queryId, caller],
        )
        .catch(cause => {
          noteAway(cause)
          return []
        })
      return rows.length > 0
    },
    adopt(handle) {
      handleOrphan = handle
      schedule(0)
    },
    async take(asker, options = {}) {
      const { isMember = false, signal, queue, claim } = options
      signal?.throwIfAborted()
      if (claim?.isHeld !== true && Date.now() < awayUntil) return await local.take(asker, options)
      const entry: Entry = {
        id: claim?.id ?? randomUUID(),
        claim,
        queue,
        state: claim?.isHeld === true ? 'queued' : 'asking',
        notice: '',
        hasEnded: false,
        isReleased: false,
        admit() {},
      }
      entries.set(entry.id, entry)
      try {
        if (entry.state === 'asking') {
          const answer = await claimed(entry, asker, { isMember, queue })
          if (answer === undefined) {
            entries.delete(entry.id)
            return await local.take(asker, options)
          }
          refuse(answer, limits, isMember, queue)
          entry.state = answer.verdict === 'running' ? 'running' : 'queued'
          if (entry.state === 'queued') notify(entry, answer.place, REASONS.full)
          claim?.onClaim?.(claim.isCounted === true ? usageOfRow(answer, isMember) : undefined)
        }
        if (entry.state === 'queued') {
          const admission = admitted(entry, signal, queue !== undefined)
          schedule(0)
          await admission
        } else schedule(pause())
        signal?.throwIfAborted()
        return () => release(entry)
      } catch (cause) {
        release(entry)
        throw cause
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await ticking
      if (entries.size === 0) return
      // Other servers, or the next start of this one, need not wait for the end of the lease.
      await store
        .query(
          "UPDATE assay.query_queue SET held_until = clock_timestamp() WHERE server = $1 AND state IN ('queued', 'running')",
          [server],
        )
        .catch(() => {})
    },
  }
}

function refuse(
  { verdict, own }: { verdict: string; own: number },
  limits: TurnLimits,
  isMember: boolean,
  queue: QueueOptions | undefined,
): void {
  if (verdict === 'running' || verdict === 'queued') return
  if (verdict.startsWith('quota ')) throw overQuota(verdict.slice('quota '.length), isMember)
  if (verdict === 'own') throw tooMany(REASONS.own(own, slotsOf(limits, isMember).most))
  if (verdict === 'shared') throw tooMany('Many queries are running now, and one of them is yours.')
  if (verdict === 'waiting')
    throw tooMany(`${own} queries of yours are waiting. ${queue?.most ?? 0} can wait at a time.`)
  throw tooMany('Many queries are waiting now.')
}
