import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings, DataFormat } from '@clickhouse/client'
import type { Log } from '#kernel/log.ts'
import type { Cell } from '#kernel/sqlCells.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { type FileFormat, fileSettings, whenThereIsRoom } from '#warehouse/index.ts'
import { type AnswerColumn, decodeRows, ROWS_FORMAT } from './decodeRows.ts'
import { toQueryError } from './engineError.ts'
import { QueryError } from './errors.ts'
import { createOverruns, type OverrunLimits } from './overruns.ts'
import { type KnownSql, resolveParameters } from './parameters.ts'
import { readStatement } from './statement.ts'
import { createTurns, type TurnLimits } from './turns.ts'

const QUERY_LIMITS = {
  answerBytes: 64 * 1024 * 1024,
  /** The connection's own limit is of running; this much more may be the wait for a connection. */
  waitMilliseconds: 5000,
  turns: { perAsker: 2, inAll: 8, ofMembers: 2, sharedFrom: 2, waitMs: 10_000 } satisfies TurnLimits,
  overruns: { pollMs: 100, stubbornMs: 15_000, pauseMs: 10 * 60_000 } satisfies OverrunLimits,
} as const

export type QueryRequest = {
  sql: string
  parameters?: Readonly<Record<string, string>>
  /** 8 to 64 letters, digits, `-` and `_`, for the asker to cancel by. One is made up if left out. */
  queryId?: string
}

/** Whose limits hold: those of anybody, or of who was given more. */
export type QueryRole = keyof typeof SQL_LIMITS

export type RowsAnswer = {
  queryId: string
  columns: AnswerColumn[]
  rows: Cell[][]
  rowCount: number
  isTruncated: boolean
  elapsedMs: number
  readRows: number
  readBytes: number
}

export type FileAnswer = { queryId: string; bytes: Buffer; isTruncated: boolean }

export type Queries = {
  /** Runs one reading statement with the limits of the role, `guest` unless given. Throws QueryError only. */
  rows(request: QueryRequest, asker: string, signal?: AbortSignal, role?: QueryRole): Promise<RowsAnswer>
  /** The same as a file that the engine writes. */
  file(
    request: QueryRequest,
    format: FileFormat,
    asker: string,
    signal?: AbortSignal,
    role?: QueryRole,
  ): Promise<FileAnswer>
  /** Stops a running query of the asker; false where none of that id runs. */
  cancel(queryId: string, asker: string): Promise<boolean>
}

export type QueryDeps = {
  warehouse: Readonly<Record<QueryRole, ClickHouseClient>> & {
    kill(queryId: string): Promise<boolean>
  }
  /** The metrics' SQL with its parameters' defaults. */
  knownSql: () => Promise<readonly KnownSql[]> | readonly KnownSql[]
  log: Log
  turns?: TurnLimits
  overruns?: OverrunLimits
}

/** How an answer is asked for and read. `decode` throws what the engine says within the answer. */
type Shape<T> = {
  /** Which format, and what belongs to it. */
  settings: ClickHouseSettings
  maxRows: number
  overflow: 'break' | 'throw'
  decode(bytes: Buffer): T
}

export function createQueries(deps: QueryDeps): Queries {
  const turns = createTurns(deps.turns ?? QUERY_LIMITS.turns)
  const overruns = createOverruns({ kill }, deps.overruns ?? QUERY_LIMITS.overruns)
  /** By asker and id: nobody stops, blocks or learns of another's query by its id. */
  const running = new Map<string, Running>()

  /** Runs `body` as the engine's own statement under all limits. Every way out that leaves work behind kills it by id. */
  async function run<T>(
    request: QueryRequest,
    asker: string,
    signal: AbortSignal | undefined,
    role: QueryRole,
    { settings, maxRows, overflow, decode }: Shape<T>,
  ): Promise<T & { queryId: string }> {
    overruns.check(asker)
    const statement = readStatement(request.sql)
    const given = request.parameters ?? {}
    const isComplete = statement.placeholders.every(({ name }) => Object.hasOwn(given, name))
    const parameters = resolveParameters(statement, given, isComplete ? [] : await deps.knownSql())
    const queryId = takeId(request.queryId, asker)
    const stop = new AbortController()
    const engineId = `people-${randomUUID()}`
    running.set(keyOf(queryId, asker), { stop, engineId })
    const giveBack = await slotFor(
      queryId,
      asker,
      role,
      AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]),
    )
    const tooLong = AbortSignal.timeout(SQL_LIMITS[role].seconds * 1000 + QUERY_LIMITS.waitMilliseconds)
    const ended = AbortSignal.any([stop.signal, tooLong, ...(signal ? [signal] : [])])
    let isStopped = false
    try {
      ended.throwIfAborted()
      const read = async () => {
        const result = await deps.warehouse[role].exec({
          query: statement.text,
          query_id: engineId,
          query_params: parameters,
          clickhouse_settings: {
            limit: String(maxRows),
            result_overflow_mode: overflow,
            // Beside the statement, not behind it: what ends too early would take the clause for its end.
            ...settings,
          },
          abort_signal: ended,
        })
        return decode(await collect(result.stream, ended))
      }
      return { ...(await whenThereIsRoom(read, ended)), queryId }
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
      throw toQueryError(cause, statement)
    } finally {
      running.delete(keyOf(queryId, asker))
      // The slot of a query that was stopped stays taken until the engine has ended it.
      if (isStopped) void overruns.whenOver(engineId, asker).then(giveBack)
      else giveBack()
    }
  }

  /** A slot, or the error of a query that found none or was cancelled while it waited. */
  async function slotFor(
    queryId: string,
    asker: string,
    role: QueryRole,
    quit: AbortSignal,
  ): Promise<() => void> {
    try {
      return await turns.take(asker, { isMember: role === 'member', signal: quit })
    } catch (cause) {
      running.delete(keyOf(queryId, asker))
      if (quit.aborted) throw new QueryError('sql.cancelled', 'The query was canceled.', { cause })
      throw cause
    }
  }

  function takeId(given: string | undefined, asker: string): string {
    const id = given ?? randomUUID()
    if (!/^[A-Za-z0-9_-]{8,64}$/.test(id)) {
      throw new QueryError('sql.query_id', 'A query id has 8 to 64 letters, digits, `-` and `_`.', {
        parameter: 'queryId',
      })
    }
    if (running.has(keyOf(id, asker))) {
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

  return {
    async rows(request, asker, signal, role = 'guest') {
      const start = performance.now()
      const { rows: most } = SQL_LIMITS[role]
      // One row more than the limit tells an answer that was cut from one that just fits.
      const answer = await run(request, asker, signal, role, {
        settings: { default_format: ROWS_FORMAT as DataFormat },
        maxRows: most + 1,
        overflow: 'break',
        decode: bytes => decodeRows(bytes, most),
      })
      return {
        ...answer,
        rowCount: answer.rows.length,
        elapsedMs: Math.round((performance.now() - start) * 10) / 10,
      }
    },
    async file(request, format, asker, signal, role = 'guest') {
      const { rows: most } = SQL_LIMITS[role]
      const ask = (maxRows: number) =>
        run(request, asker, signal, role, {
          settings: fileSettings(format),
          maxRows,
          overflow: 'throw',
          decode: bytes => ({ bytes }),
        })
      try {
        return { ...(await ask(most + 1)), isTruncated: false }
      } catch (cause) {
        // A file cannot be cut once it is written: it is written again, shorter.
        if (!(cause instanceof QueryError) || cause.code !== 'sql.too_large') throw cause
        return { ...(await ask(most)), isTruncated: true }
      }
    },
    async cancel(queryId, asker) {
      const query = running.get(keyOf(queryId, asker))
      if (query === undefined) return false
      query.stop.abort()
      await kill(query.engineId)
      return true
    },
  }
}

/** `engineId` is how the engine knows it: people's ids are theirs alone, and not kept apart from each other. */
type Running = { readonly stop: AbortController; readonly engineId: string }

const keyOf = (queryId: string, asker: string): string => `${queryId} ${asker}`

async function collect(stream: Readable, ended: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    ended.throwIfAborted()
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > QUERY_LIMITS.answerBytes) {
      throw new QueryError('sql.too_large', `The answer is larger than ${QUERY_LIMITS.answerBytes} bytes.`, {
        hint: 'Add a LIMIT, or select fewer columns.',
      })
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
