import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'
import { AccountError, isSameOrigin } from '#accounts/index.ts'
import type { Log } from '#kernel/log.ts'
import type { FullApi } from '../api.ts'
import { ApiError, problemOf } from '../apiError.ts'
import type { Body } from '../cache/answerCache.ts'
import type { QueriesApi } from '../queries/api.ts'
import { callerOf, namedCallerOf } from '../queries/callers.ts'
import { type AnyRoute, type FileStream, route } from '../route.ts'
import type { SiteAddress } from './addresses.ts'

export type McpDeps = {
  readonly apiFor: (address: string) => FullApi
  readonly queries: QueriesApi
  readonly site: SiteAddress
  readonly version: string
  readonly log: Log
}

/** Headers of the protocol that a handler reads. */
const READ_HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
]

/**
 * The MCP server: streamable HTTP without sessions, a server for each request. Identity, limits and the guard against other
 * sites are those of the API.
 */
export const mcpRoutes = ({ apiFor, queries, site, version, log }: McpDeps): AnyRoute[] => [
  route({
    method: 'POST',
    path: '/mcp',
    id: 'callMcp',
    summary: 'Model Context Protocol',
    body: z.unknown(),
    answer: { schema: z.unknown(), media: ['application/json', 'text/event-stream'] },
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ body, headers, signal, ...asked }) => {
      checkHost(headers.host, site.publicUrl)
      checkOrigin(headers, site.publicUrl)
      // One request would run as many calls as fit into a body.
      if (Array.isArray(body))
        throw new ApiError(
          problemOf('http.body', 'MCP batches are not supported.', { hint: 'Send one message.' }),
        )
      const context = {
        api: apiFor(asked.asker),
        queries,
        site,
        person: asked.person,
        features: asked.features,
        caller: () => callerOf(asked),
        resultCaller: () => namedCallerOf(asked),
        signal,
      }
      // Loaded with the first call: most servers get none.
      const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('./tools.ts'),
      ])
      const handler = createMcpHandler(
        () =>
          createMcpServer(context, {
            version,
            onError: ({ code, cause, message }) =>
              log.error('an MCP tool failed', {
                code,
                cause: cause instanceof Error ? (cause.stack ?? cause.message) : message,
              }),
          }),
        // The tools never change, so there is nothing to subscribe to.
        { maxSubscriptions: 0 },
      )
      const request = new Request(`${site.publicUrl}/mcp`, {
        method: 'POST',
        headers: READ_HEADERS.flatMap((name): [string, string][] =>
          headers[name] === undefined ? [] : [[name, String(headers[name])]],
        ),
        signal,
      })
      return answerOf(await handler.fetch(request, { parsedBody: body }))
    },
  }),
]

/**
 * Refuses names that are not of this site, against DNS rebinding: a page elsewhere whose name was made to lead here. Addresses
 * and names without a dot (localhost, hosts of a private network) cannot be rebound.
 */
export function checkHost(host: string | undefined, publicUrl: string): void {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  const isLocal = isIP(name.replace(/^\[|\]$/g, '')) !== 0 || (name !== '' && !name.includes('.'))
  if (isLocal || name === new URL(publicUrl).hostname) return
  throw new ApiError(
    problemOf('http.host', 'The Host header does not name this site.', {
      hint: `Use ${new URL(publicUrl).origin}/mcp. A proxy in front must pass the Host header on.`,
    }),
  )
}

/** A browser names the page that calls in Origin. Fetch Metadata alone would accept a rebound name. */
function checkOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin } = headers
  const isOurs = origin === undefined || origin === new URL(publicUrl).origin
  if (isOurs && isSameOrigin(headers, publicUrl)) return
  throw new AccountError('accounts.origin', 'The request came from a page on another site.')
}

/** The protocol's answer as a route answers. An event stream is passed on as it comes. */
async function answerOf(response: Response): Promise<Body | FileStream> {
  const contentType = response.headers.get('content-type') ?? 'application/json; charset=utf-8'
  if (response.status === 200 && response.body !== null && contentType.startsWith('text/event-stream'))
    return {
      stream: Readable.fromWeb(response.body as unknown as ReadableStream),
      contentType,
      headers: { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
    }
  return { bytes: Buffer.from(await response.arrayBuffer()), contentType, status: response.status }
}
