import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Body, type KeptAnswer, packedBytes } from './cache/answerCache.ts'
import { compress, encodingFor, isPackable } from './cache/encodings.ts'
import { staleHeaders } from './outage/staleBody.ts'
import type { EventStream, FileStream } from './route.ts'

/** Sends a cached answer, or 304 where the caller has it already. One that stands in for a current one is sent whole, with its age. */
export async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
): Promise<FastifyReply> {
  reply.headers(keptHeaders(answer))
  if (answer.asOfMs !== undefined) reply.removeHeader('etag').headers(staleHeaders(answer.asOfMs))
  else if (isHeld(request.headers['if-none-match'], answer.etag)) return reply.code(304).send()
  return sendPacked(request, reply.code(answer.body.status ?? 200), answer)
}

/** Sends a cached page in answer to another address, under a status of its own. Browsers do not cache it. */
export async function sendKeptAs(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
): Promise<FastifyReply> {
  reply.headers({ ...keptHeaders(answer), ...headers, 'cache-control': 'no-store' }).removeHeader('etag')
  return sendPacked(request, reply.code(status), answer)
}

async function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
): Promise<FastifyReply> {
  const { encoding, bytes } = await packedBytes(answer, request.headers['accept-encoding'])
  reply.type(answer.body.contentType)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

/** Headers of a kept answer that do not depend on the encoding. A browser asks again each time, and mostly hears 304. */
export const keptHeaders = ({ body, etag }: KeptAnswer): Record<string, string> => ({
  'cache-control': 'public, no-cache',
  vary: 'accept-encoding, accept',
  etag,
  ...body.headers,
})

/** Sends an answer that is not kept. */
export async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, contentType, headers, status = 200 }: Body,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': 'no-store', vary: 'accept-encoding, accept', ...headers })
  reply.code(status).type(contentType)
  const encoding = isPackable(contentType, bytes.length)
    ? encodingFor(request.headers['accept-encoding'])
    : 'identity'
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(await compress(bytes, encoding, 'once'))
}

/** Sends a file as it is read. A reader that breaks off ends the connection, so that no file looks whole that is not. */
export function sendFile(
  reply: FastifyReply,
  { stream, contentType, headers, status = 200 }: FileStream,
): FastifyReply {
  reply.headers({ 'cache-control': 'no-store', ...headers })
  return reply.code(status).type(contentType).send(stream)
}

/** Proxies let go of what is silent for a minute. */
const HEARTBEAT_MS = 25_000

/** Sends events as they come, until the asker or the stream is gone. */
export async function sendEvents(reply: FastifyReply, { events }: EventStream): Promise<FastifyReply> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  raw.write(': open\n\n')
  const heartbeat = setInterval(() => raw.write(': here\n\n'), HEARTBEAT_MS).unref()
  try {
    for await (const { name, data } of events) {
      // A reader that does not read must not fill the memory of the server.
      if (!raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)) await drained(raw)
      if (raw.destroyed) break
    }
  } finally {
    clearInterval(heartbeat)
    raw.end()
  }
  return reply
}

/** Resolves once more can be written, or the connection is gone. */
const drained = (to: ServerResponse): Promise<void> =>
  new Promise(resolve => {
    const done = () => {
      to.off('drain', done)
      to.off('close', done)
      resolve()
    }
    to.once('drain', done)
    to.once('close', done)
  })

/** Whether an If-None-Match header names this tag (weak comparison, RFC 9110). */
export function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === opaque)
  )
}
