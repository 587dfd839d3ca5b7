import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib'
import type { ChangeCount } from './changes.ts'
import type { Answer, Counts, Execute } from './execute.ts'
import { FAILURES, type Failure, failureOf } from './failure.ts'
import type { Leases } from './leases.ts'
import { proofOf } from './proof.ts'
import { type EngineRequest, readRequest } from './request.ts'
import { ROLES, type Role } from './roles.ts'

export type ServerDeps = {
  readonly token: string
  readonly execute: Execute
  readonly changes: ChangeCount
  /** A process that uses the engine holds one lease: a request that stays open. */
  readonly leases: Leases
}

/** The client sends parameters in the URL, which a ClickHouse server takes up to 1 MiB (`http_max_uri_size`). */
const MAX_HEAD_BYTES = 2 ** 20

/**
 * ClickHouse's HTTP interface, as far as its official client uses it: `/ping`, statements at `/`, user name and password
 * by basic authentication. The user name is the role; the password is the token of this engine process. `/proof` shows that
 * the engine knows the token.
 */
export function createEngineServer(deps: ServerDeps): Server {
  const options = { keepAliveTimeout: 60_000, requestTimeout: 0, maxHeaderSize: MAX_HEAD_BYTES }
  return createServer(options, (incoming, response) => {
    void answer(deps, incoming, response)
  })
}

async function answer(deps: ServerDeps, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://engine')
  if (url.pathname === '/ping') {
    response.end('Ok.\n')
    return
  }
  if (url.pathname === '/proof') {
    response.end(proofOf(deps.token, incoming.socket.localPort ?? 0, url.searchParams.get('challenge') ?? ''))
    return
  }
  const broken = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) broken.abort()
  })
  let request: EngineRequest | undefined
  try {
    const role = roleOf(deps, incoming)
    if (url.pathname === '/lease') {
      deps.leases.hold(response)
      return
    }
    if (url.pathname === '/leases') {
      response.end(String(deps.leases.count))
      return
    }
    if (url.pathname === '/changes') {
      response.end(deps.changes.mark())
      return
    }
    if (url.pathname !== '/') throw FAILURES.badArguments(`There is no ${url.pathname} here.`)
    request = await readRequest(incoming, url)
    const { mayCompress } = request
    response.setHeader('X-ClickHouse-Query-Id', request.queryId)
    response.setHeader('X-ClickHouse-Timezone', 'UTC')
    await deps.execute(role, request, broken.signal, result =>
      send(response, result, mayCompress ? acceptedEncoding(incoming) : undefined, broken.signal),
    )
  } catch (thrown) {
    fail(response, failureOf(thrown))
    incoming.resume()
  }
}

function roleOf({ token }: ServerDeps, incoming: IncomingMessage): Role {
  const [scheme, credentials = ''] = (incoming.headers.authorization ?? '').split(' ')
  const [user, ...rest] = Buffer.from(credentials, 'base64').toString().split(':')
  const given = Buffer.from(rest.join(':'))
  const expected = Buffer.from(token)
  const isRight = scheme === 'Basic' && given.length === expected.length && timingSafeEqual(given, expected)
  const role = ROLES.find(name => name === user)
  if (!isRight || role === undefined) throw FAILURES.notAuthenticated()
  return role
}

async function send(
  response: ServerResponse,
  { format, chunks, counts }: Answer,
  encoding: Encoding | undefined,
  signal: AbortSignal,
): Promise<void> {
  const tag = randomBytes(8).toString('hex')
  response.setHeader('Content-Type', contentTypeOf(format))
  response.setHeader('X-ClickHouse-Format', format)
  response.setHeader('X-ClickHouse-Exception-Tag', tag)
  response.setHeader('X-ClickHouse-Summary', summaryOf(counts))
  const out = encoding === undefined ? response : compressed(response, encoding)
  try {
    for await (const chunk of chunks) {
      if (!out.write(chunk)) await once(out, 'drain', { signal })
    }
  } catch (thrown) {
    // Nobody listens any more.
    if (signal.aborted) return
    if (!response.headersSent && out === response) throw thrown
    // The status is gone already: ClickHouse's client finds the error at the end of the body.
    out.write(exceptionAtEnd(failureOf(thrown).message, tag))
  }
  out.end()
  await finished(response).catch(() => {})
}

/** The engine does not count the rows that a query reads; those of an insert are the rows that it wrote. */
const summaryOf = ({ resultRows, resultBytes, writtenRows, writtenBytes }: Counts): string =>
  JSON.stringify({
    ...(writtenRows > 0 && { read_rows: String(writtenRows), read_bytes: String(writtenBytes) }),
    written_rows: String(writtenRows),
    written_bytes: String(writtenBytes),
    result_rows: String(resultRows),
    result_bytes: String(resultBytes),
  })

/** The block by which ClickHouse ends a body that broke off: the tag of the header keeps rows from forging it. */
function exceptionAtEnd(message: string, tag: string): string {
  const text = `${message}\n`
  const marker = '\r\n__exception__\r\n'
  return `${marker}${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}${marker}`
}

function fail(response: ServerResponse, failure: Failure): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(failure.status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(failure.code),
  })
  response.end(`${failure.message}\n`)
}

const ENCODERS = {
  zstd: () => createZstdCompress(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  gzip: () => createGzip({ level: 3 }),
  deflate: () => createDeflate({ level: 3 }),
}
type Encoding = keyof typeof ENCODERS

function acceptedEncoding(incoming: IncomingMessage): Encoding | undefined {
  const accepted = String(incoming.headers['accept-encoding'] ?? '')
  return (Object.keys(ENCODERS) as Encoding[]).find(name => accepted.includes(name))
}

function compressed(response: ServerResponse, encoding: Encoding): Writable {
  response.setHeader('Content-Encoding', encoding)
  const encoder = ENCODERS[encoding]()
  encoder.pipe(response)
  response.on('close', () => encoder.destroy())
  // What it could not write after that is nobody's loss.
  encoder.on('error', () => {})
  return encoder
}

function contentTypeOf(format: string): string {
  if (/^JSON(Compact|Strings|CompactStrings)?$/.test(format)) return 'application/json; charset=UTF-8'
  if (/JSON/.test(format)) return 'application/x-ndjson; charset=UTF-8'
  if (/^CSV/.test(format)) return 'text/csv; charset=UTF-8; header=absent'
  if (/^(TSV|TabSeparated)/.test(format)) return 'text/tab-separated-values; charset=UTF-8'
  return /^(Native|RowBinary|Parquet|Arrow|ArrowStream|ORC|MsgPack)/.test(format)
    ? 'application/octet-stream'
    : 'text/plain; charset=UTF-8'
}
