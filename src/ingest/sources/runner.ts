import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#kernel/log.ts'
import type { LiveSource, SourceRequest } from '#sources/live.ts'
import type { Store } from '#store/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { sources as sourcesTable } from '#warehouse/tables/observations.ts'
import { hostOf } from './address.ts'
import { type AskDeps, type Asked, askOnce, keepRows } from './askOnce.ts'
import { AskError } from './errors.ts'
import { noteReached, noteUnreachable, restHost, takeTurn } from './hosts.ts'
import { type JobName, noteRun, putOff, type Run, readJob } from './jobs.ts'
import { Suspects } from './jumps.ts'
import { holdLease, leaveLease } from './lease.ts'
import { createReach } from './reach.ts'
import { isSuccess, nextDue } from './schedule.ts'

export type RunnerDeps = AskDeps & {
  readonly warehouse: Warehouse
  readonly store: Store
  readonly log: Log
  /** The sources that are asked. */
  readonly sources: readonly LiveSource[]
  /** Name of this process among all that use the store. */
  readonly holder: string
  /** How long a request stays with a process that has died; two minutes unless given. */
  readonly leaseMs?: number
  /** From 0 to 1. */
  readonly random?: () => number
}

export type Runner = {
  readonly holder: string
  readonly jobs: readonly (JobName & { readonly host: string })[]
  /**
   * Asks once and keeps what is new. Undefined where it was put off: another process asks it, or its host takes nothing now.
   * @throws AskError `sources.unknown_job`; errors of the store and the warehouse.
   */
  run(
    job: JobName,
    how: { readonly isManual: boolean; readonly signal?: AbortSignal },
  ): Promise<Run | undefined>
}

/** Longest wait for the turn of a host; a job whose turn comes later is put off. */
const LONGEST_TURN_MS = 10_000
const LONGEST_FURTHER_MS = 30_000
const LEASE_MS = 120_000
/** A source that has said nothing new is noted as alive this often, as a part of its cadence. */
const NOTED_PART = 4

/** Runs requests of sources one by one: turn of the host, question, judgement, figures, then the note that it was. */
export function createRunner(deps: RunnerDeps): Runner {
  const {
    store,
    warehouse,
    log,
    sources,
    holder,
    now,
    catalog,
    leaseMs = LEASE_MS,
    random = Math.random,
  } = deps
  const known = new Map<string, { source: LiveSource; request: SourceRequest; host: string }>()
  for (const source of sources)
    for (const request of source.requests(catalog))
      known.set(nameOf({ source: source.id, about: request.about }), {
        source,
        request,
        host: hostOf(request.url),
      })
  const reach = createReach(log, new Set([...known.values()].map(({ host }) => host)).size, now)
  const notedAt = new Map<string, number>()

  async function run(
    job: JobName,
    { isManual, signal }: { readonly isManual: boolean; readonly signal?: AbortSignal },
  ): Promise<Run | undefined> {
    const found = known.get(nameOf(job))
    if (found === undefined)
      throw new AskError('sources.unknown_job', `No source is polled for ${nameOf(job)}.`)
    const lease = `ask ${nameOf(job)}`
    if (!(await holdLease(store, lease, holder, leaseMs))) return undefined
    try {
      const turn = await takeTurn(store, found.host, {
        now: new Date(now()),
        before: new Date(now() + LONGEST_TURN_MS),
      })
      if ('free' in turn) {
        await putOff(store, job, turn.free)
        return undefined
      }
      await delay(Math.max(0, turn.turn.getTime() - now()), undefined, signal && { signal })
      return await ask(found, job, isManual, signal)
    } finally {
      await leaveLease(store, lease, holder)
    }
  }

  /** A request that consists of several takes a turn of the host for each. */
  async function further({ url }: SourceRequest, signal: AbortSignal | undefined): Promise<void> {
    const turn = await takeTurn(store, hostOf(url), {
      now: new Date(now()),
      before: new Date(now() + LONGEST_FURTHER_MS),
    })
    const atMs = 'turn' in turn ? turn.turn.getTime() : turn.free.getTime()
    await delay(Math.max(0, atMs - now()), undefined, signal && { signal })
  }

  async function ask(
    { source, request, host }: { source: LiveSource; request: SourceRequest; host: string },
    job: JobName,
    isManual: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Run> {
    const before = await readJob(store, job)
    const startedMs = now()
    const asked = await askOnce(
      { ...deps, turn: further },
      source,
      request,
      {
        etag: before?.etag ?? null,
        lastModified: before?.lastModified ?? null,
        suspects: Suspects.safeParse(before?.suspects).data ?? null,
      },
      signal,
    )
    const figures = await keepRows(warehouse, asked.rows)
    const failures = isSuccess(asked.outcome) ? 0 : (before?.failures ?? 0) + 1
    if (failures === 0) await noteAlive(source, startedMs, figures > 0)
    await noteHost(host, asked)
    const run: Run = {
      ...job,
      startedAt: new Date(startedMs),
      tookMs: Math.round(now() - startedMs),
      outcome: asked.outcome,
      code: asked.code,
      reason: asked.reason,
      status: asked.status,
      bytes: asked.bytes,
      figures,
      isManual,
      failures,
      nextDue: new Date(
        nextDue({
          outcome: asked.outcome,
          code: asked.code,
          cadenceSeconds: source.cadenceSeconds,
          failures,
          isInDoubt: asked.suspects !== null,
          retryAtMs: asked.retryAtMs,
          nowMs: now(),
          random: random(),
        }),
      ),
      marks: asked.marks,
      suspects: asked.suspects,
      refused: asked.refused,
      refusal: asked.refusal,
    }
    await noteRun(store, run)
    const [refused] = asked.refused ?? []
    if (refused !== undefined && (before?.refusedValues ?? 0) === 0)
      log.warn(`${asked.refused?.length} values from ${source.id} were rejected. First: ${refused.reason}`, {
        about: job.about,
      })
    if (asked.outcome === 'refused' && failures === 1)
      log.warn(`A response from ${source.id} was rejected and stored for inspection: ${asked.reason}`, {
        about: job.about,
      })
    return run
  }

  /** The source's row, by which every reader of the warehouse knows its age. It follows the figures it vouches for. */
  async function noteAlive(source: LiveSource, atMs: number, isNew: boolean): Promise<void> {
    const last = notedAt.get(source.id) ?? 0
    if (!isNew && atMs - last < (source.cadenceSeconds * 1000) / NOTED_PART) return
    notedAt.set(source.id, atMs)
    await warehouse.insertRows(sourcesTable, [
      {
        id: source.id,
        name: source.name,
        url: source.url,
        licence: source.licence,
        rank: BigInt(source.rank),
        cadenceSeconds: BigInt(source.cadenceSeconds),
        recordedAt: Math.floor(atMs / 1000),
        about: source.about,
      },
    ])
  }

  async function noteHost(host: string, { isUnreachable, retryAtMs }: Asked): Promise<void> {
    if (retryAtMs !== null) await restHost(store, host, new Date(retryAtMs))
    if (isUnreachable) await noteUnreachable(store, host, new Date(now()))
    else await noteReached(store, host)
    reach.note(host, !isUnreachable)
  }

  return {
    holder,
    jobs: [...known.values()].map(({ source, request, host }) => ({
      source: source.id,
      about: request.about,
      host,
    })),
    run,
  }
}

/** Name of a job in sentences and leases: `defillama.tvl rootstock`. */
export const nameOf = ({ source, about }: JobName): string => `${source} ${about}`
