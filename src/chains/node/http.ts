import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { NodeError } from './errors.ts'

export type HttpLimits = {
  /** Longest silence while we wait for the answer or its next bytes, milliseconds. */
  readonly idleMs: number
  /** Longest answer in all, milliseconds. */
  readonly totalMs: number
  readonly maxBytes: number
}

export const HTTP_LIMITS: HttpLimits = { idleMs: 30_000, totalMs: 300_000, maxBytes: 256 * 1024 * 1024 }

export type HttpAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What a person can do about a node that is not there: sentences of the chain that the node is of. */
export type HttpHelp = {
  /** `Start Bitcoin Core with …` */
  readonly whenRefused: string
  /** `Check the host name in BITCOIN_RPC_URL …` */
  readonly whenUnreachable: string
}

export type HttpClient = Disposable & {
  send(ask: HttpAsk): Promise<HttpAnswer>
  /** Origin and path without user and password: for sentences. */
  readonly name: string
}

export type HttpAsk = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** What is asked, for sentences: `getblock`. */
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal | undefined
}

/** A client of one node: connections stay open, every failure is a `NodeError` with a sentence. */
export function createHttpClient(base: URL, limits: HttpLimits, help: HttpHelp): HttpClient {
  const secure = base.protocol === 'https:'
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 8 })
    : new HttpAgent({ keepAlive: true, maxSockets: 8 })
  const name = `the node at ${base.protocol}//${base.host}`
  const root = base.pathname.endsWith('/') ? base.pathname.slice(0, -1) : base.pathname

  function send(ask: HttpAsk): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      ask.signal?.throwIfAborted()
      const path = `${root}${ask.path}`
      const body = ask.body === undefined ? undefined : Buffer.from(ask.body)
      const outgoing = (secure ? httpsRequest : httpRequest)({
        agent,
        hostname: base.hostname,
        port: base.port || (secure ? 443 : 80),
        method: ask.method,
        path: `${path === '' ? '/' : path}${base.search}`,
        headers: { ...ask.headers, ...(body && { 'content-length': body.length }) },
        timeout: limits.idleMs,
      })
      const deadline = setTimeout(
        () => outgoing.destroy(silence(name, ask.what, limits.totalMs)),
        limits.totalMs,
      )
      const abort = () => outgoing.destroy(ask.signal?.reason)
      ask.signal?.addEventListener('abort', abort, { once: true })
      const settle = (): void => {
        clearTimeout(deadline)
        ask.signal?.removeEventListener('abort', abort)
      }
      const fail = (cause: unknown): void => {
        settle()
        reject(ask.signal?.aborted ? ask.signal.reason : explain(cause, name, ask.what, help))
      }
      outgoing.on('timeout', () => outgoing.destroy(silence(name, ask.what, limits.idleMs)))
      outgoing.on('error', fail)
      outgoing.on('response', incoming => {
        collect(incoming, limits.maxBytes).then(bytes => {
          settle()
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes })
        }, fail)
      })
      outgoing.end(body)
    })
  }

  return { send, name, [Symbol.dispose]: () => agent.destroy() }
}

function collect(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let held = 0
    incoming.on('data', (part: Buffer) => {
      held += part.length
      if (held > maxBytes)
        incoming.destroy(new NodeError('node.shape', `an answer grew beyond ${maxBytes} bytes`))
      else parts.push(part)
    })
    incoming.on('error', reject)
    incoming.on('aborted', () => reject(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })))
    incoming.on('end', () => resolve(Buffer.concat(parts)))
  })
}

const silence = (name: string, what: string, ms: number): NodeError =>
  new NodeError('node.timeout', `${name} did not answer ${what} within ${ms / 1000} s.`, {
    hint: 'Is it busy, or is the address wrong? It is asked again.',
    facts: { ms },
  })

function explain(cause: unknown, name: string, what: string, help: HttpHelp): unknown {
  if (cause instanceof NodeError) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  switch (code) {
    case 'ECONNREFUSED':
      return new NodeError('node.refused', `Nothing listens for ${name}: the connection was refused.`, {
        hint: help.whenRefused,
        cause,
      })
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return new NodeError('node.dropped', `${name} dropped the connection while answering ${what}.`, {
        hint: 'It is asked again; nothing was written.',
        cause,
      })
    default:
      return new NodeError('node.unreachable', `${name} cannot be reached (${code || String(cause)}).`, {
        hint: help.whenUnreachable,
        cause,
      })
  }
}
