import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
  type DataFormat,
} from '@clickhouse/client'
import type { Log } from '#kernel/log.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import {
  isEngineAway,
  QUOTA_KEY,
  quotaKeyOf,
  UPLOAD_ROLE,
  uploadRoleOf,
  whenThereIsRoom,
} from '#warehouse/index.ts'
import { toQueryError } from './engineError.ts'
import { QueryError } from './errors.ts'
import {
  mayNameMetrics,
  metricEdits,
  metricsIn,
  namesMetrics,
  type ReadMetric,
  unknownMetricOf,
  withMetrics,
} from './metricTables/bindMetrics.ts'
import { withNearestColumns } from './nearestColumns.ts'
import { createOverruns, type OverrunLimits } from './overruns.ts'
import { type KnownSql, resolveParameters } from './parameters.ts'
import type { ParameterValue } from './parameterValue.ts'
import type { SharedTurns } from './queue/sharedTurns.ts'
import type { DailyUsage } from './queue/usage.ts'
import { readStatement, type Statement } from './statement.ts'
import { tokensOf } from './tokens.ts'
import { type Claim, createTurns, type QueueOptions, type TurnLimits, type Turns } from './turns.ts'
import {
  type BoundSql,
  bindUploads,
  type UploadTable,
  unknownUpload,
  uploadsIn,
} from './uploads/bindUploads.ts'
import { laterReads, NO_READS, type Reads, readsOfSummary, watchReads } from './watchReads.ts'

export const EXECUTION_LIMITS = {
  /** The connection's own limit is of running; this much more may be the wait for a connection. */
  waitMilliseconds: 5000,
  turns: {
    perAsker: 2,
    inAll: 8,
    ofMembers: 2,
    sharedFrom: 2,
    waitMs: 10_000,
    perMember: 4,
    sharedFromOfMembers: 4,
    ofGuests: 2,
  } satisfies TurnLimits,
  overruns: { pollMs: 100, stubbornMs: 15_000, pauseMs: 10 * 60_000 } satisfies OverrunLimits,
} as const

/** A suggestion that takes longer is left out. */
const DESCRIBE_SECONDS = 2

export type QueryRequest = {
  sql: string
  parameters?: Readonly<Record<string, string>>
  /** 8 to 64 letters, digits, `-` and `_`, for the caller to cancel by. One is made up if left out. */
  queryId?: string
  /** Whose uploads it may read: an owner that has proved to be one, with the right to it. */
  uploadsOf?: string | undefined
  /** The uploads that it reads, where they were looked up before (`uploadsRead`). */
  uploads?: readonly UploadTable[]
}

/** Whose limits hold: those of anybody, or of who was given more. */
export type QueryRole = keyof typeof SQL_LIMITS

export type ExecutorDeps = {
  warehouse: Readonly<Record<QueryRole, ClickHouseClient>> & {
    kill(queryId: string): Promise<boolean>
    progressOf(queryId: string): Promise<Reads | undefined>
  }
  /** The metrics' SQL with its parameters' defaults. */
  knownSql: () => Promise<readonly KnownSql[]> | readonly KnownSql[]
  /** Uploads of an owner; without it there are none. */
  uploads?: { tablesOf(owner: string): Promise<readonly UploadTable[]> }
  log: Log
  turns?: TurnLimits
  /** Slots that several servers share, in place of those of this process. */
  shared?: Turns & Pick<SharedTurns, 'cancel' | 'spend' | 'usageOf'>
  overruns?: OverrunLimits
}

/** How a query is executed and its result read. */
export type Execution<T> = {
  caller: string
  role: QueryRole
  signal?: AbortSignal | undefined
  /** The format of the result, and what belongs to it. */
  settings: ClickHouseSettings
  maxRows: number
  overflow: 'break' | 'throw'
  /**
   * Reads the result; called anew if the engine was full. Throws what the engine reports within the result. `headers` are
   * those of the engine's answer, in lower case.
   */
  take(stream: Readable, ended: AbortSignal, headers: ResultHeaders): Promise<T>
  /** Waits in the queue instead of being refused. */
  queue?: QueueOptions
  /** Called once the query has a slot, with the id that the engine knows it by. */
  onStart?(engineId: string): void
  /** The run that a shared queue stores. */
  claim?: Omit<Claim, 'queryId'>
  /** Whether it counts for the quota of the day; true unless given. `time`: only the time that it took. */
  isCounted?: boolean | 'time'
  /** Rows and bytes that it has read, as last observed. Unless given, the executor watches the query itself. */
  observed?(): Reads | null
  /** Whether the query may run again after the engine was lost within its answer: nothing was sent yet. True unless given. */
  mayRepeat?(): boolean
}

export type ResultHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Runs user queries under all limits. Throws QueryError only. */
export type Executor = {
  run<T>(request: QueryRequest, execution: Execution<T>): Promise<T & { queryId: string }>
  /** Stops a query of the caller; false if none of that id is queued or running. */
  cancel(queryId: string, caller: string): Promise<boolean>
  /** Usage of a caller today; undefined if nothing counts it. */
  usageOf(caller: string, role: QueryRole): Promise<DailyUsage | undefined>
  /** Throws the errors that `run` would throw before it reaches the engine: invalid SQL and parameters. */
  check(request: Pick<QueryRequest, 'sql' | 'parameters'>): Promise<void>
  /** A query with its metrics expanded to SQL, to find the tables it reads. */
  written(sql: string): Promise<string>
  /** The metrics that a query reads. */
  metricsRead(sql: string): Promise<readonly ReadMetric[]>
  /** The uploads of the owner that a statement reads, in their current versions. */
  uploadsRead(sql: string, owner: string | undefined): Promise<readonly UploadTable[]>
}

export function createExecutor(deps: ExecutorDeps): Executor {
  const turns: Turns = deps.shared ?? createTurns(deps.turns ?? EXECUTION_LIMITS.turns)
  const overruns = createOverruns({ kill }, deps.overruns ?? EXECUTION_LIMITS.overruns)
  /** By caller and id: nobody stops, blocks or learns of another's query by its id. */
  const running = new Map<string, Running>()

  /** Every way out that leaves work behind kills the query by its id. */
  async function run<T>(
    request: QueryRequest,
    {
      caller,
      role,
      signal,
      settings,
      maxRows,
      overflow,
      take,
      queue,
      onStart,
      claim,
      mayRepeat,
      isCounted = true,
      observed,
    }: Execution<T>,
  ): Promise<T & { queryId: string }> {
    overruns.check(caller)
    const statement = readStatement(request.sql)
    const parameters = await parametersFor(statement, request.parameters)
    const uploads = request.uploads ?? (await uploadsReadBy(statement, request.uploadsOf))
    const metrics = namesMetrics(statement.tokens) ? await deps.knownSql() : []
    const bound = bindUploads(statement, uploads, metricEdits(statement, metrics))
    const queryId = takeId(request.queryId, caller)
    const stop = new AbortController()
    const engineId = `people-${randomUUID()}`
    running.set(keyOf(queryId, caller), { stop, engineId })
    const release = await slotFor(queryId, caller, role, {
      quit: AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]),
      queue,
      claim: {
        id: claim?.id ?? randomUUID(),
        ...claim,
        isCounted: isCounted === true,
        queryId,
        onCancel() {
          claim?.onCancel()
          stop.abort()
        },
      },
    })
    const tooLong = AbortSignal.timeout(SQL_LIMITS[role].seconds * 1000 + EXECUTION_LIMITS.waitMilliseconds)
    const ended = AbortSignal.any([stop.signal, tooLong, ...(signal ? [signal] : [])])
    let isStopped = false
    let began: number | undefined
    let reads = NO_READS
    const addReads = (seen: Reads) => {
      reads = laterReads(reads, seen)
    }
    const isWatched = deps.shared !== undefined && isCounted === true && observed === undefined
    try {
      ended.throwIfAborted()
      began = performance.now()
      onStart?.(engineId)
      const read = async () => {
        using _watch = isWatched ? watchReads(() => deps.warehouse.progressOf(engineId), addReads) : undefined
        const result = await deps.warehouse[role].exec({
          query: bound.text,
          query_id: engineId,
          query_params: parameters,
          clickhouse_settings: {
            limit: String(maxRows),
            result_overflow_mode: overflow,
            [QUOTA_KEY]: quotaKeyOf(caller),
            // Beside the statement, not behind it: what ends too early would take the clause for its end.
            ...settings,
            ...openUploads(bound, request.uploadsOf),
          } as ClickHouseSettings,
          abort_signal: ended,
        })
        if (isWatched) addReads(readsOfSummary(result.response_headers))
        // Awaited, since a streamed result comes while the query still reads.
        return await take(result.stream, ended, result.response_headers)
      }
      const whole = () => whenThereIsRoom(read, ended)
      const result = await whole().catch(cause => {
        if (!isEngineLost(cause) || ended.aborted || mayRepeat?.() === false) throw cause
        deps.log.warn('The engine was lost while it answered a query, which is run again.', { engineId })
        return whole()
      })
      const { readRows = 0, readBytes = 0 } = (result ?? {}) as Partial<Reads>
      addReads({ readRows, readBytes })
      return { ...result, queryId }
    } catch (cause) {
      isStopped = ended.aborted || cause instanceof QueryError
      if (isStopped) await kill(engineId)
      if (tooLong.aborted && !stop.signal.aborted) {
        throw new QueryError('sql.too_long', 'The query ran longer than its time limit and was stopped.', {
          hint: 'Narrow the range of heights or days, or aggregate earlier.',
          cause,
        })
      }
      if (ended.aborted) throw new QueryError('sql.cancelled', 'The query was canceled.', { cause })
      if (isEngineLost(cause))
        throw new QueryError('sql.engine_restarted', 'The engine restarted while the query ran.', {
          hint: 'Run the query again.',
          cause,
        })
      const error = errorOf(cause, statement, bound, uploads)
      throw (
        unknownMetricOf(error, metrics) ??
        // Nobody reads the error of an estimate.
        (isCounted === true
          ? await withNearestColumns(error, statement, table =>
              columnsOf(table, { uploads, owner: request.uploadsOf, metrics, caller, role, ended }),
            )
          : error)
      )
    } finally {
      running.delete(keyOf(queryId, caller))
      if (isCounted !== false && began !== undefined) {
        const { readRows, readBytes } = observed?.() ?? reads
        deps.shared?.spend(caller, {
          ms: performance.now() - began,
          rows: readRows,
          bytes: readBytes,
        })
      }
      // The slot of a query that was stopped stays taken until the engine has ended it.
      if (isStopped) void overruns.whenOver(engineId, caller).then(release)
      else release()
    }
  }

  /** The columns of a table as a query of the caller describes them, so a name that the caller may not read gives none. */
  async function columnsOf(
    table: string,
    {
      uploads,
      owner,
      metrics,
      caller,
      role,
      ended,
    }: {
      uploads: readonly UploadTable[]
      owner: string | undefined
      metrics: readonly KnownSql[]
      caller: string
      role: QueryRole
      ended: AbortSignal
    },
  ): Promise<readonly string[]> {
    const statement = readStatement(`DESCRIBE TABLE ${table}`)
    const bound = bindUploads(statement, uploads, metricEdits(statement, metrics))
    const { stream } = await deps.warehouse[role].exec({
      query: bound.text,
      query_id: `people-${randomUUID()}`,
      clickhouse_settings: {
        default_format: 'JSONEachRow' as DataFormat,
        max_execution_time: DESCRIBE_SECONDS,
        [QUOTA_KEY]: quotaKeyOf(caller),
        ...openUploads(bound, owner),
      } as ClickHouseSettings,
      abort_signal: AbortSignal.any([ended, AbortSignal.timeout(DESCRIBE_SECONDS * 1000)]),
    })
    return (await text(stream))
      .split('\n')
      .filter(line => line !== '')
      .map(line => (JSON.parse(line) as { name: string }).name)
  }

  /** A slot, or the error of a query that found none or was cancelled while it waited. */
  async function slotFor(
    queryId: string,
    caller: string,
    role: QueryRole,
    { quit, queue, claim }: { quit: AbortSignal; queue: QueueOptions | undefined; claim: Claim },
  ): Promise<() => void> {
    try {
      return await turns.take(caller, {
        isMember: role === 'member',
        signal: quit,
        claim,
        ...(queue && { queue }),
      })
    } catch (cause) {
      running.delete(keyOf(queryId, caller))
      if (quit.aborted) throw new QueryError('sql.cancelled', 'The query was canceled.', { cause })
      throw cause
    }
  }

  function takeId(given: string | undefined, caller: string): string {
    const id = given ?? randomUUID()
    if (!/^[A-Za-z0-9_-]{8,64}$/.test(id)) {
      throw new QueryError('sql.query_id', 'A query id has 8 to 64 letters, digits, `-` and `_`.', {
        parameter: 'queryId',
      })
    }
    if (running.has(keyOf(id, caller))) {
      throw new QueryError('sql.query_id_taken', 'A query of yours with this id is running.', {
        parameter: 'queryId',
      })
    }
    return id
  }

  /** Whether it was still running; false where the engine is away. */
  async function kill(engineId: string): Promise<boolean> {
    try {
      return await deps.warehouse.kill(engineId)
    } catch (cause) {
      deps.log.warn('a stopped query could not be killed', { engineId, cause: String(cause) })
      return false
    }
  }

  async function parametersFor(
    statement: Statement,
    given: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, ParameterValue>> {
    const isComplete = statement.placeholders.every(({ name }) => Object.hasOwn(given, name))
    return resolveParameters(statement, given, isComplete ? [] : await deps.knownSql())
  }

  async function uploadsReadBy(
    { tokens }: Statement,
    owner: string | undefined,
  ): Promise<readonly UploadTable[]> {
    if (owner === undefined || deps.uploads === undefined) return []
    const names = uploadsIn(tokens)
    return names.length === 0 ? [] : deps.uploads.tablesOf(owner)
  }

  return {
    run,
    written: async sql => (mayNameMetrics(sql) ? withMetrics(sql, await deps.knownSql()) : sql),
    metricsRead: async sql => (mayNameMetrics(sql) ? metricsIn(sql, await deps.knownSql()) : []),
    usageOf: async (caller, role) => deps.shared?.usageOf(caller, role === 'member'),
    check: async ({ sql, parameters }) => {
      await parametersFor(readStatement(sql), parameters)
    },
    uploadsRead: async (sql, owner) => {
      const statement = readStatement(sql)
      const own = await uploadsReadBy(statement, owner)
      const { databases } = bindUploads(statement, own)
      return own.filter(({ database }) => databases.includes(database))
    },
    async cancel(queryId, caller) {
      const query = running.get(keyOf(queryId, caller))
      if (query === undefined) return (await deps.shared?.cancel(queryId, caller)) ?? false
      query.stop.abort()
      await kill(query.engineId)
      return true
    },
  }
}

/** `engineId` is how the engine knows it: callers' ids are theirs alone, and not distinct from each other. */
type Running = { readonly stop: AbortController; readonly engineId: string }

const keyOf = (queryId: string, caller: string): string => `${queryId} ${caller}`

/**
 * Uploads that the gate and a ClickHouse server let a query read. The role is always that of the caller, so a server refuses uploads of
 * other users even if the gate does not.
 */
const openUploads = ({ databases }: BoundSql, owner: string | undefined) =>
  databases.length === 0
    ? {}
    : {
        assay_uploads: databases.join(','),
        ...(owner !== undefined && { [UPLOAD_ROLE]: uploadRoleOf(owner) }),
      }

/** What the engine says, in the words of the statement that was sent. */
function errorOf(
  cause: unknown,
  statement: Statement,
  bound: BoundSql,
  uploads: readonly UploadTable[],
): QueryError {
  if (bound.text === statement.text) {
    const error = toQueryError(cause, statement)
    return unknownUpload(error, uploads) ?? error
  }
  const sent = { ...statement, text: bound.text, tokens: tokensOf(bound.text) }
  const error = toQueryError(cause, sent)
  const isGone =
    error.code === 'sql.unknown_table' && bound.databases.some(database => error.message.includes(database))
  const { place, parameter, hint } = error
  const restored = new QueryError(
    isGone ? 'sql.upload_changed' : (error.code as `sql.${string}`),
    isGone
      ? 'An upload of this query was replaced or deleted while the query waited.'
      : bound.restored(error.message),
    {
      // What a metric calls as well has no single place in the text that was sent.
      place: place ? bound.placeOf(place) : toQueryError(cause, statement).place,
      ...(parameter !== undefined && { parameter }),
      hint: isGone ? 'Run the query again.' : hint && bound.restored(hint),
      ...(typeof error.facts.nearest === 'string' && {
        facts: { nearest: bound.restored(error.facts.nearest) },
      }),
      cause: error.cause,
    },
  )
  return unknownUpload(restored, uploads) ?? restored
}
/** Whether the connection to the engine broke off while it answered. What is away from the beginning is not lost. */
const isEngineLost = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  !(thrown instanceof QueryError || thrown instanceof ClickHouseError) &&
  ((isEngineAway(thrown) && (thrown as { code?: string }).code === 'warehouse.engine_lost') ||
    /^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_SOCKET)$/.test(
      (thrown as { code?: string }).code ?? '',
    ) ||
    /socket hang up|^aborted$|premature close/i.test(thrown.message))
