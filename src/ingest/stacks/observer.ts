import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Inbox } from './inbox.ts'

export type Observer = AsyncDisposable & { readonly port: number }

/** Bytes that may wait: beyond them the node is asked to send again later. */
const MOST_WAITING_BYTES = 256 * 2 ** 20
/** A block of 2 MB makes about 20 MB of JSON; genesis with all its mints more. */
const MOST_BODY_BYTES = 256 * 2 ** 20
const PATH = /^\/[a-z0-9_/-]{1,80}$/

/**
 * The endpoint of a node's `events_observer`, on the loopback interface alone: whoever reaches it can write. A message is
 * answered 200 once it is kept on disk; with anything else the node sends it again. Pages of a browser are kept out: they can
 * send neither JSON without asking, nor anything without an Origin.
 */
export async function openObserver(deps: {
  readonly inbox: Inbox
  readonly port: number
  readonly log: Log
}): Promise<Observer> {
  const { inbox, log } = deps
  const server = createServer((request, response) => {
    receive(request, response).catch(cause => {
      log.error(`Couldn’t store a message of a Stacks node: ${sentenceOf(cause)}`)
      answer(response, 503, 'Couldn’t store the message. Send it again.')
    })
  })

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (request.method !== 'POST') return answer(response, 405, 'Messages are posted.', { allow: 'POST' })
    if (!PATH.test(path)) return answer(response, 404, 'No message goes to such a path.')
    if (
      request.headers.origin !== undefined ||
      !/^application\/json\b/i.test(request.headers['content-type'] ?? '')
    )
      return answer(response, 415, 'Messages are JSON, sent by a node.')
    if (inbox.waitingBytes > MOST_WAITING_BYTES)
      return answer(response, 503, 'Too many messages wait. Send it again later.', { 'retry-after': '5' })
    const body = await bodyOf(request)
    if (body === undefined) return answer(response, 413, 'The message is too long.', { connection: 'close' })
    await inbox.put(path, body)
    answer(response, 200, 'kept')
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => reject(listenError(cause, deps.port)))
    server.listen(deps.port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

/** The body; undefined where it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`)
}

function listenError(cause: Error, port: number): unknown {
  if (!('code' in cause && cause.code === 'EADDRINUSE')) return cause
  return new AssayError('ingest.port_taken', `Port ${port} is in use by another program.`, {
    hint: 'Set STACKS_OBSERVER_PORT to a free one, in the node’s events_observer as well.',
    facts: { port },
    cause,
  })
}
