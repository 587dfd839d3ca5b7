import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { DataFormat } from '@clickhouse/client'
import type { Accounts } from '#accounts/index.ts'
import type { Log } from '#kernel/log.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { type Executor, type QueryRole, type RecordRun, tokensOf, unrecorded } from '#queries/index.ts'
import { asOfHeader } from '../asOf.ts'
import type { ChainAsOf } from '../contract.ts'
import type { QueryCaller } from '../queries/callers.ts'
import { acceptedEncoding, sendResult } from './answer.ts'
import { catalogOf, type ListedUpload } from './catalogSql.ts'
import { killedSql, mayReadCatalog, readCommand } from './command.ts'
import { compressedBlock } from './compressedBlocks.ts'
import { authenticate } from './credentials.ts'
import { failureOf, type PortFailure, REFUSALS, textOfFailure } from './failure.ts'
import { checkFormat } from './formats.ts'
import { lz4Framed } from './lz4Frame.ts'
import { parametersOf } from './parameters.ts'
import { type PortRequest, readRequest } from './request.ts'
import { applySettings } from './settings.ts'

export type ClickHousePortDeps = {
  readonly executor: Executor
  readonly accounts: Pick<Accounts, 'identify' | 'features'>
  /** Lists the uploads of an owner. Absent: uploads are disabled. */
  readonly uploads?: { list(owner: string): Promise<readonly ListedUpload[]> }
  /** Adds queries to the history of their callers. Absent: no history. */
  readonly recordRun?: RecordRun
  /** Of the engine; asked once. */
  readonly version: () => Promise<string>
  /** The newest indexed blocks of the chains whose tables a query reads. */
  readonly asOf: (sql: string) => Promise<ChainAsOf[]>
  readonly log: Log
}

export type ClickHousePort = AsyncDisposable & {
  /** Where it listens; of use with port 0. */
  readonly port: number
}

type State = ClickHousePortDeps & {
  /** Ids of the executor by owner and by the id that the owner gave. */
  readonly running: Map<string, string>
  knownVersion: string
}

/** Queries of one caller that may wait for a slot. */
const QUEUED: Readonly<Record<QueryRole, number>> = { guest: 3, member: 20 }
/** Clients may send a statement and its parameters in the address. */
const MAX_HEAD_BYTES = 512 * 1024
const REQUEST_TIMEOUT_MS = 30_000
const MAX_CONNECTIONS = 500
/** Characters of a statement in the history. Longer ones are refused before they run. */
const MAX_RECORDED = 110_000
/** How long the rest of a refused request is read. */
const DRAIN_MS = 2000

/**
 * Assay as a ClickHouse server over HTTP, for Grafana, Metabase and other clients of it. Every query runs in the executor of
 * user queries, with the limits of whose API key it is. Throws Node's error where it cannot listen.
 */
export async function openClickHousePort(
  deps: ClickHousePortDeps,
  { host, port }: { host: string; port: number },
): Promise<ClickHousePort> {
  const state: State = { ...deps, running: new Map(), knownVersion: 'unknown' }
  void deps.version().then(
    version => {
      state.knownVersion = version
    },
    () => {},
  )
  const server = createServer(
    { maxHeaderSize: MAX_HEAD_BYTES, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: 60_000 },
    (incoming, response) => void answer(state, incoming, response),
  )
  server.maxConnections = MAX_CONNECTIONS
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => close(server),
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

async function answer(state: State, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = URL.parse(incoming.url ?? '/', 'http://port')
  try {
    if (url === null) throw REFUSALS.badArguments('Malformed request.')
    response.setHeader('X-ClickHouse-Server-Display-Name', 'Assay')
    if (answerPlain(incoming, url, response)) return
    await answerQuery(state, { incoming, response, url })
  } catch (thrown) {
    await fail(state, { incoming, response, url }, failureOf(thrown))
  }
}

/** What needs no key: whether somebody is here. */
function answerPlain(incoming: IncomingMessage, url: URL, response: ServerResponse): boolean {
  const isRead = incoming.method === 'GET' || incoming.method === 'HEAD'
  if (!isRead && incoming.method !== 'POST') {
    response.writeHead(405, { Allow: 'GET, HEAD, POST' }).end()
    return true
  }
  const isPing =
    url.pathname === '/ping' ||
    url.pathname === '/replicas_status' ||
    (url.pathname === '/' && isRead && !url.searchParams.has('query'))
  if (isPing) {
    incoming.resume()
    response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' })
    response.end(incoming.method === 'HEAD' ? undefined : 'Ok.\n')
    return true
  }
  if (url.pathname === '/') return false
  incoming.resume()
  response.writeHead(404, { 'Content-Type': 'text/plain; charset=UTF-8' })
  response.end(
    `There is no handle ${url.pathname.slice(0, 200)}. Use /ping for health checks, or / for queries.\n`,
  )
  return true
}

type Exchange = { readonly incoming: IncomingMessage; readonly response: ServerResponse; readonly url: URL }

async function answerQuery(state: State, { incoming, response, url }: Exchange): Promise<void> {
  const caller = await authenticate(state.accounts, incoming, url)
  const request = await readRequest(incoming, url)
  const queryId = request.queryId ?? randomUUID()
  response.setHeader('X-ClickHouse-Query-Id', queryId)
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  if (incoming.method === 'HEAD') {
    response.writeHead(200).end()
    return
  }
  const command = readCommand(
    request.sql,
    request.parameters,
    catalogOf(await listedUploads(state, caller, request.sql)),
  )
  if (command.kind === 'nothing') {
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' }).end()
    return
  }
  const format = checkFormat(command.format ?? request.format)
  const isKilled = command.kind === 'kill' && (await kill(state, caller, command.queryId))
  const sql = command.kind === 'kill' ? killedSql(command.queryId, isKilled) : command.sql
  // Of the own queries alone: what others name theirs is neither seen nor in the way.
  const key = `${caller.owner}\n${queryId}`
  const { running } = state
  if (running.has(key)) throw REFUSALS.sameId(queryId)
  const id = randomUUID()
  running.set(key, id)
  const release = () => {
    if (running.get(key) === id) running.delete(key)
  }
  try {
    const query = { sql, parameters: parametersOf(tokensOf(sql), request.parameters) }
    const { recordRun } = state
    const isRecorded = command.kind !== 'kill' && request.sentSql.length <= MAX_RECORDED
    const record = isRecorded && recordRun !== undefined ? recordRun : unrecorded
    await record({ sql: request.sentSql, parameters: query.parameters }, caller, () =>
      run(state, caller, { incoming, response }, { ...query, id, format, request, onRead: release }),
    )
  } finally {
    release()
  }
}

/** The uploads that the caller may query, if the statement might list tables. */
async function listedUploads(
  { uploads }: State,
  { uploadsOf }: QueryCaller,
  sql: string,
): Promise<readonly ListedUpload[]> {
  if (uploads === undefined || uploadsOf === undefined || !mayReadCatalog(sql)) return []
  return uploads.list(uploadsOf)
}

async function kill({ executor, running }: State, caller: QueryCaller, queryId: string): Promise<boolean> {
  const id = running.get(`${caller.owner}\n${queryId}`)
  return id !== undefined && (await executor.cancel(id, caller.caller))
}

async function run(
  { executor, asOf, log }: State,
  caller: QueryCaller,
  exchange: Omit<Exchange, 'url'>,
  {
    id,
    sql,
    parameters,
    format,
    request,
    onRead,
  }: {
    id: string
    sql: string
    parameters: Record<string, string>
    format: string
    request: PortRequest
    /** Clients send the next query with the same id as soon as they have the whole result. */
    onRead: () => void
  },
): Promise<void> {
  const limits = SQL_LIMITS[caller.role]
  const { settings, overflow } = applySettings(request.settings, limits)
  const left = new AbortController()
  if (exchange.response.destroyed) left.abort()
  exchange.response.on('close', () => {
    // It closes at its normal end too.
    if (!exchange.response.writableFinished) left.abort()
  })
  // Before the rows: they are at least as new. Without it the rows are as good.
  const known = asOf(sql).catch((cause): ChainAsOf[] => {
    log.warn('the newest blocks of a query are not known', { cause: String(cause) })
    return []
  })
  await executor.run(
    {
      sql,
      parameters,
      queryId: id,
      uploadsOf: caller.uploadsOf,
    },
    {
      caller: caller.caller,
      role: caller.role,
      signal: left.signal,
      settings: {
        ...settings,
        default_format: format as DataFormat,
        // An error is the status of the answer, never a part of its body.
        wait_end_of_query: 1,
      },
      maxRows: limits.rows + 1,
      overflow,
      take: async (stream, ended, headers) => {
        const age = asOfHeader(await known)
        if (age !== '') exchange.response.setHeader('Assay-As-Of', age)
        return sendResult(exchange, request, format, { stream, headers, ended, onRead })
      },
      mayRepeat: () => !exchange.response.headersSent,
      queue: { most: QUEUED[caller.role], onChange: () => {} },
    },
  )
}

async function fail(
  { knownVersion, log }: State,
  { incoming, response, url }: Omit<Exchange, 'url'> & { readonly url: URL | null },
  failure: PortFailure,
): Promise<void> {
  // A client that left hears nothing.
  if (response.destroyed) return
  if (failure.code === 1002)
    log.error('a query of the ClickHouse port failed', { cause: String(failure.cause) })
  if (response.headersSent) {
    response.destroy()
    return
  }
  const isRead = incoming.complete
  if (!isRead) await drain(incoming)
  const text = textOfFailure(failure, knownVersion)
  const { body, encoding } = encoded(Buffer.from(text), incoming, url)
  response.writeHead(failure.status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(failure.code),
    ...(encoding !== undefined && { 'Content-Encoding': encoding }),
    ...(!isRead && { Connection: 'close' }),
  })
  response.end(body)
}

/** Clients that decompress by themselves read errors as they read results. */
function encoded(
  text: Buffer,
  incoming: IncomingMessage,
  url: URL | null,
): { body: Buffer; encoding?: 'lz4' } {
  if (url?.searchParams.get('compress') === '1') return { body: compressedBlock(text) }
  const mayCompress = url?.searchParams.get('enable_http_compression') === '1'
  if (mayCompress && acceptedEncoding(incoming) === 'lz4') return { body: lz4Framed(text), encoding: 'lz4' }
  return { body: text }
}

/** A connection that is closed with unread bytes is reset, and its client may never see the error. */
async function drain(incoming: IncomingMessage): Promise<void> {
  incoming.unpipe()
  incoming.resume()
  await Promise.race([once(incoming, 'end').catch(() => {}), delay(DRAIN_MS, undefined, { ref: false })])
}
