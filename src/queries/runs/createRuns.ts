import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type ClickHouseSettings, type DataFormat, parseError } from '@clickhouse/client'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { QueryError } from '../errors.ts'
import type { Executor, QueryRole, ResultHeaders } from '../execute.ts'
import { orderOf, type RunOrder, type RunRows, requestText, runOfText, runText } from '../queue/runRows.ts'
import type { Orphan, SharedTurns } from '../queue/sharedTurns.ts'
import type { DailyUsage } from '../queue/usage.ts'
import type { Results } from '../results/createResults.ts'
import { type FirstRows, type ReadFirstRows, watchFirstRows } from '../results/firstRows.ts'
import { addressOf, changesByItself } from '../results/resultAddress.ts'
import { exceptionTagOf, type ResultFiles, type StoredResult } from '../results/resultFiles.ts'
import { readStatement } from '../statement.ts'
import type { UploadTable } from '../uploads/bindUploads.ts'
import { createRunsElsewhere, isOver } from './runsElsewhere.ts'

export type RunState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

export type RunProgress = {
  readonly readRows: number
  readonly readBytes: number
  /** Estimate of the rows to read; null if unknown. */
  readonly totalRows: number | null
  readonly memoryBytes: number
  readonly elapsedMs: number
}

/** One run of a query, as it is now. Times are milliseconds since 1970. */
export type Run = {
  readonly id: string
  /** Who may see and cancel it. */
  readonly owner: string
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
  readonly state: RunState
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly queue: { readonly position: number; readonly reason: string } | null
  readonly progress: RunProgress | null
  /** Set while it runs on this server, once the engine has sent some. */
  readonly firstRows?: (FirstRows & { readonly isOfUploads: boolean }) | undefined
  readonly result: StoredResult | null
  /** A stored result of the same query on the same data answered. */
  readonly isReused: boolean
  /** What its caller had used that day when it began; undefined if nothing counts it. */
  readonly usage?: DailyUsage | undefined
  /** Why it failed. */
  readonly error: unknown
  /** The same as readers see it, of a run that another server wrote down. */
  readonly problem?: unknown
}

export type RunRequest = {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
  /** Runs even if a stored result of the same query on the same data exists. */
  readonly isFresh: boolean
  /** Of a cited result: on other data it fails. */
  readonly dataVersion?: string
}

/** Who runs a query: `owner` sees the run, `caller` is what limits are counted by. */
export type RunCaller = {
  readonly owner: string
  readonly caller: string
  readonly role: QueryRole
  /** Whether the run is added to the owner’s history. */
  readonly hasHistory: boolean
  /** Whose uploads the caller may read: the owner, signed in or by a key with the scope for it. */
  readonly uploadsOf?: string | undefined
}

export type Runs = {
  /** Starts a run and returns it, queued or running, once other servers know of it. Throws QueryError for a text that is no query. */
  start(request: RunRequest, caller: RunCaller): Promise<Run>
  /** Undefined for a run that is unknown, forgotten or of another owner. */
  get(id: string, owner: string): Promise<Run | undefined>
  /** Stops a run that has not ended. Undefined as in `get`. */
  cancel(id: string, owner: string): Promise<Run | undefined>
  /** The run now and after each change, until it has ended. Changes in quick succession are one. */
  follow(id: string, owner: string, signal: AbortSignal): Promise<AsyncGenerator<Run> | undefined>
  /** Resolves once the run has ended, after `ms` at the latest, or with the signal. */
  settle(id: string, owner: string, ms: number, signal: AbortSignal): Promise<Run | undefined>
}

export type RunsDeps = {
  readonly executor: Executor
  readonly results: Results
  readonly files: ResultFiles
  readonly firstRowsOf: ReadFirstRows
  /** How far a running query has come; undefined if the engine cannot tell. */
  progressOf(engineId: string): Promise<Omit<RunProgress, 'elapsedMs'> | undefined>
  /** Version of the data, and the newest blocks of the chains that a query reads. */
  readonly data: { version(): string; asOf(sql: string): Promise<StoredResult['asOf']> }
  /** The queue of all servers; without it, runs are of this process alone. */
  readonly shared?: { readonly turns: SharedTurns; readonly rows: RunRows }
  /** The problem that a reader sees for what was thrown. */
  problemOf(thrown: unknown): unknown
  /** Called with each run that has ended. */
  onEnd?(run: Run, caller: RunCaller): void
  readonly log: Log
}

type Found = { readonly columns: StoredResult['columns']; readonly rows: number }

/** Makes the engine send rows while the query runs. */
const STREAMED = { default_format: 'Native' as DataFormat, wait_end_of_query: 0 } as ClickHouseSettings

/** Stored bytes of one result. */
const MOST_BYTES = { guest: 64 * 2 ** 20, member: 2 ** 30 } as const
/** Queries of one caller that may wait. */
const QUEUED = { guest: 3, member: 20 } as const
const PROGRESS_MS = 250
/** Runs that have ended are remembered so long, and so many: in all, of one owner, and by the length of their text. */
const REMEMBERED_MS = 3_600_000
const REMEMBERED = 5_000
const REMEMBERED_OF_OWNER = 200
const REMEMBERED_CHARACTERS = 32_000_000

/** Other servers see the progress of a run at most so often. */
const NOTE_MS = 500
/** Reruns a run of a lost server, unless it already ran twice or has waited too long. */
const ATTEMPTS = 2
const WAITED_MS = 120_000
const CANCEL_MS = 30_000

type Entry = {
  run: Run
  readonly order: RunOrder
  readonly listeners: Set<() => void>
  readonly stop: AbortController
  /** Resolves once other servers can see the run, or once it is queued or running without a shared queue. */
  readonly known: PromiseWithResolvers<void>
  isKnown: boolean
  notedAt: number
  /** Another server took it over. */
  isLost: boolean
}

export function createRuns(deps: RunsDeps): Runs {
  const { executor, results, files, data, log, shared } = deps
  const entries = new Map<string, Entry>()

  const change = (entry: Entry, changes: Partial<Run>): void => {
    entry.run = { ...entry.run, ...changes }
    for (const listener of entry.listeners) listener()
    note(entry)
  }

  /** Lets other servers see how far a run has come. */
  function note(entry: Entry): void {
    if (shared === undefined || !entry.isKnown || isOver(entry.run)) return
    const now = Date.now()
    // Of a quick run its end alone is written.
    if (now - Math.max(entry.notedAt, entry.run.createdAt) < NOTE_MS) return
    entry.notedAt = now
    shared.rows.note(entry.run, shared.turns.server).catch(() => {})
  }

  function entryFor(run: Run, order: RunOrder): Entry {
    const entry: Entry = {
      run,
      order,
      listeners: new Set(),
      stop: new AbortController(),
      known: Promise.withResolvers(),
      isKnown: false,
      notedAt: 0,
      isLost: false,
    }
    entries.set(run.id, entry)
    return entry
  }

  const callerOf = ({ run, order: { isFresh: _, dataVersion: _version, ...caller } }: Entry): RunCaller => ({
    owner: run.owner,
    ...caller,
  })

  function begin(entry: Entry, isHeld: boolean): void {
    execute(entry, isHeld)
      .catch(cause => {
        if (!(cause instanceof QueryError))
          log.error('a query run ended without a state', { cause: sentenceOf(cause) })
        change(entry, { state: 'failed', error: cause, endedAt: Date.now() })
      })
      .finally(() => end(entry))
  }

  function end(entry: Entry): void {
    entry.known.resolve()
    if (entry.isLost) {
      entries.delete(entry.run.id)
      return
    }
    deps.onEnd?.(entry.run, callerOf(entry))
    shared?.turns.end(entry.run.id, async isFree => {
      // A server that ends before its result is on the disk leaves the run to another one.
      if (entry.run.result !== null) await files.settled(entry.run.result.hash)
      await shared.rows.end(entry.run, entry.order, { server: shared.turns.server, isFree })
    })
  }

  /** Goes on with a run whose server ended. Nothing of it was sent, since a result is stored before it is read. */
  function adopt({ id, request, run, attempts, isCancelled, lostMs }: Orphan): void {
    if (entries.has(id)) return
    const entry = entryFor(
      { ...runOfText(run), state: 'queued', queue: null, progress: null },
      orderOf(request),
    )
    entry.isKnown = true
    if (isCancelled) change(entry, { state: 'cancelled', endedAt: Date.now() })
    else if (attempts > ATTEMPTS || lostMs > WAITED_MS)
      change(entry, {
        state: 'failed',
        error: new QueryError('sql.server_ended', 'The server ended while the query ran.', {
          hint: 'Run the query again.',
        }),
        endedAt: Date.now(),
      })
    if (isOver(entry.run)) end(entry)
    else begin(entry, true)
  }

  /** Forgets the runs that ended first: those of the owner beyond their number, then any beyond what all may take. */
  function forget(owner: string): void {
    const limit = Date.now() - REMEMBERED_MS
    const ended = [...entries.values()].map(({ run }) => run).filter(isOver)
    let ofOwner = ended.filter(run => run.owner === owner).length
    let characters = ended.reduce((sum, run) => sum + sizeOf(run), 0)
    for (const run of ended) {
      const isOld = (run.endedAt ?? 0) < limit
      const isBeyond = run.owner === owner && ofOwner > REMEMBERED_OF_OWNER
      if (!isOld && !isBeyond && entries.size <= REMEMBERED && characters <= REMEMBERED_CHARACTERS) continue
      entries.delete(run.id)
      characters -= sizeOf(run)
      if (run.owner === owner) ofOwner--
    }
  }

  async function execute(entry: Entry, isHeld: boolean): Promise<void> {
    const { sql, parameters, id } = entry.run
    const caller = callerOf(entry)
    const current = data.version()
    const { dataVersion = current } = entry.order
    const asOf = data.asOf(sql)
    // Heard below; without a listener a failure meanwhile would count as unhandled.
    asOf.catch(() => {})
    // A fresh run has an address of its own: what the one before shows must not change.
    const isAlone = entry.order.isFresh || changesByItself(await executor.written(sql))
    const uploads = await executor.uploadsRead(sql, caller.uploadsOf)
    const hash = addressOf({
      sql,
      parameters,
      role: caller.role,
      dataVersion,
      uploads: uploads.map(({ database }) => database),
      ...(isAlone && { run: id }),
    })
    const stored = isAlone && !isHeld ? undefined : await results.find(hash)
    if (stored !== undefined) {
      change(entry, { state: 'succeeded', result: stored, isReused: !isAlone, endedAt: Date.now() })
      return
    }
    const { rows: rowLimit } = SQL_LIMITS[caller.role]
    if (dataVersion !== current) throw dataChanged(dataVersion, current)
    let watch: Disposable | undefined
    let began = 0
    try {
      const draft = await executor.run(
        { sql, parameters, queryId: id, uploads, uploadsOf: caller.uploadsOf },
        {
          caller: caller.caller,
          role: caller.role,
          signal: entry.stop.signal,
          settings: STREAMED,
          maxRows: rowLimit + 1,
          overflow: 'throw',
          // Within the slot: what is written counts as running until it is stored.
          async take(stream, ended, headers) {
            const draft = await draftOf(entry, { stream, ended, headers }, uploads.length > 0)
            try {
              return {
                ...draft,
                found: draft.bytes === 0 ? null : await results.inspect(draft.path, draft.bytes, ended),
              }
            } catch (cause) {
              await files.discard(draft.path)
              throw cause
            }
          },
          queue: {
            most: QUEUED[caller.role],
            onChange(position, reason) {
              change(entry, { queue: { position, reason } })
              entry.known.resolve()
            },
          },
          claim: {
            id,
            isHeld,
            run: {
              owner: caller.owner,
              request: requestText(entry.order),
              run: runText(entry.run, deps.problemOf),
            },
            onCancel: () => entry.stop.abort(),
            onClaim(usage) {
              entry.isKnown = true
              if (usage !== undefined) change(entry, { usage })
              entry.known.resolve()
            },
            onLost() {
              entry.isLost = true
              entry.stop.abort()
            },
          },
          observed: () => entry.run.progress,
          onStart(engineId) {
            began = performance.now()
            entry.known.resolve()
            change(entry, { state: 'running', startedAt: Date.now(), queue: null })
            watch ??= watchProgress(entry, engineId, began)
          },
        },
      )
      const elapsedMs = Math.round((performance.now() - began) * 10) / 10
      watch?.[Symbol.dispose]()
      const result = await store(draft, {
        entry,
        caller,
        facts: { hash, sql, parameters, rowLimit, elapsedMs, dataVersion, asOf: await asOf },
        uploads,
      })
      change(entry, {
        state: 'succeeded',
        result,
        progress: null,
        firstRows: undefined,
        endedAt: Date.now(),
      })
    } catch (cause) {
      const isCancelled =
        cause instanceof QueryError && cause.code === 'sql.cancelled' && entry.stop.signal.aborted
      change(entry, {
        state: isCancelled ? 'cancelled' : 'failed',
        error: isCancelled ? null : cause,
        queue: null,
        progress: null,
        firstRows: undefined,
        endedAt: Date.now(),
      })
    } finally {
      watch?.[Symbol.dispose]()
    }
  }

  /** Writes the response to a draft, and reports the first rows of a slow one. */
  async function draftOf(
    entry: Entry,
    { stream, ended, headers }: { stream: Readable; ended: AbortSignal; headers: ResultHeaders },
    isOfUploads: boolean,
  ): Promise<{ path: string; bytes: number }> {
    const written = new AbortController()
    // Discard first rows of an earlier attempt that an engine restart interrupted.
    if (entry.run.firstRows !== undefined) change(entry, { firstRows: undefined })
    try {
      return await files.draft(stream, ended, {
        maxBytes: MOST_BYTES[entry.order.role],
        exceptionTag: exceptionTagOf(headers),
        brokenOff: parseError,
        onBegin(draft) {
          const tell = (rows: FirstRows) => change(entry, { firstRows: { ...rows, isOfUploads } })
          void watchFirstRows(draft, deps.firstRowsOf, tell, written.signal)
        },
      })
    } finally {
      written.abort()
    }
  }

  async function store(
    draft: { path: string; bytes: number; found: Found | null },
    {
      entry,
      caller,
      facts,
      uploads,
    }: {
      entry: Entry
      caller: RunCaller
      facts: Pick<
        StoredResult,
        'hash' | 'sql' | 'parameters' | 'rowLimit' | 'elapsedMs' | 'dataVersion' | 'asOf'
      >
      uploads: readonly UploadTable[]
    },
  ): Promise<StoredResult> {
    try {
      const { columns, rows } = draft.found ?? {
        columns: await columnsOf(entry.run, caller, uploads, entry.stop.signal),
        rows: 0,
      }
      const { progress } = entry.run
      const result: StoredResult = {
        ...facts,
        // What rests on an upload is its owner's alone.
        ...(uploads.length > 0 && { owner: caller.owner }),
        columns,
        rowCount: Math.min(rows, facts.rowLimit),
        isTruncated: rows > facts.rowLimit,
        bytes: draft.bytes,
        // A look before the query read anything says nothing of how much it read.
        readRows: progress?.readRows || null,
        readBytes: progress?.readBytes || null,
        createdAt: new Date().toISOString(),
      }
      await files.keep(draft.path, result)
      return result
    } catch (cause) {
      await files.discard(draft.path)
      throw cause
    }
  }

  /** Columns of a result without rows, which the engine writes without a header. */
  async function columnsOf(
    { sql, parameters }: Run,
    { caller, role, uploadsOf }: RunCaller,
    uploads: readonly UploadTable[],
    signal: AbortSignal,
  ): Promise<StoredResult['columns']> {
    try {
      const { path, bytes } = await executor.run(
        { sql: `DESCRIBE (\n${readStatement(sql).text}\n)`, parameters, uploads, uploadsOf },
        {
          caller,
          role,
          settings: { default_format: 'Native' as DataFormat },
          isCounted: false,
          maxRows: 10_000,
          overflow: 'throw',
          signal,
          take: (stream, ended) => files.draft(stream, ended, { maxBytes: MOST_BYTES[role] }),
          queue: { most: QUEUED[role], onChange: () => {} },
        },
      )
      try {
        return bytes === 0 ? [] : await results.described(path, signal)
      } finally {
        await files.discard(path)
      }
    } catch (cause) {
      // `SHOW TABLES LIKE …` cannot be described.
      if (cause instanceof QueryError) return []
      throw cause
    }
  }

  function watchProgress(entry: Entry, engineId: string, began: number): Disposable {
    let isAsking = false
    const timer = setInterval(async () => {
      if (isAsking || isOver(entry.run)) return
      isAsking = true
      try {
        const progress = await deps.progressOf(engineId)
        if (progress !== undefined && !isOver(entry.run))
          change(entry, {
            progress: { ...progress, elapsedMs: Math.round(performance.now() - began) },
          })
      } catch {
        // The engine is away; the run itself reports it.
      } finally {
        isAsking = false
      }
    }, PROGRESS_MS).unref()
    return { [Symbol.dispose]: () => clearInterval(timer) }
  }

  const entryOf = (id: string, owner: string): Entry | undefined => {
    const entry = entries.get(id)
    return entry?.run.owner === owner ? entry : undefined
  }

  /** Resolves with the next change of the run, or with the signal. */
  const changed = ({ listeners }: Entry, signal: AbortSignal): Promise<void> =>
    new Promise(resolve => {
      const done = () => {
        listeners.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      if (signal.aborted) return resolve()
      listeners.add(done)
      signal.addEventListener('abort', done, { once: true })
    })

  const elsewhere = createRunsElsewhere(shared?.rows)
  shared?.turns.adopt(adopt)
  return {
    async start(request, caller) {
      // What is no query is refused before anything of it is remembered.
      readStatement(request.sql)
      forget(caller.owner)
      const entry = entryFor(
        {
          id: randomUUID(),
          owner: caller.owner,
          sql: request.sql,
          parameters: request.parameters,
          state: 'queued',
          createdAt: Date.now(),
          startedAt: null,
          endedAt: null,
          queue: null,
          progress: null,
          result: null,
          isReused: false,
          error: null,
        },
        {
          isFresh: request.isFresh,
          dataVersion: request.dataVersion,
          caller: caller.caller,
          role: caller.role,
          hasHistory: caller.hasHistory,
          uploadsOf: caller.uploadsOf,
        },
      )
      begin(entry, false)
      await entry.known.promise
      return entry.run
    },
    get: async (id, owner) => entryOf(id, owner)?.run ?? elsewhere.read(id, owner),
    async cancel(id, owner) {
      const entry = entryOf(id, owner)
      if (entry === undefined) {
        const run = await elsewhere.read(id, owner)
        if (run === undefined || isOver(run)) return run
        await shared?.rows.cancel(id, owner)
        return elsewhere.settle(id, owner, CANCEL_MS, new AbortController().signal)
      }
      if (!isOver(entry.run)) {
        const over = changedUntilOver(entry)
        entry.stop.abort()
        await over
      }
      return entry.run
    },
    async follow(id, owner, signal) {
      const entry = entryOf(id, owner)
      if (entry !== undefined) return followed(entry, signal)
      const run = await elsewhere.read(id, owner)
      return run && elsewhere.follow(run, signal)
    },
    async settle(id, owner, ms, signal) {
      const entry = entryOf(id, owner)
      if (entry === undefined) return elsewhere.settle(id, owner, ms, signal)
      if (ms > 0 && !isOver(entry.run)) {
        const until = AbortSignal.any([signal, AbortSignal.timeout(ms)])
        while (!isOver(entry.run) && !until.aborted) await changed(entry, until)
      }
      return entry.run
    },
  }

  async function changedUntilOver(entry: Entry): Promise<void> {
    const never = new AbortController().signal
    while (!isOver(entry.run)) await changed(entry, never)
  }

  async function* followed(entry: Entry, signal: AbortSignal): AsyncGenerator<Run> {
    let seen: Run | undefined
    for (;;) {
      if (seen !== entry.run) {
        seen = entry.run
        yield seen
      }
      if (isOver(seen) || signal.aborted) return
      if (seen === entry.run) await changed(entry, signal)
    }
  }
}

const dataChanged = (cited: string, current: string): QueryError =>
  new QueryError(
    'sql.data_changed',
    `The data changed since the cited result. Cited version: ${cited}. Current version: ${current}.`,
    { hint: 'Run the query without the data version to use the current data.' },
  )

const sizeOf = ({ sql, parameters }: Run): number => sql.length + JSON.stringify(parameters).length
