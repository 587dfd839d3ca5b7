import { NodeError } from '../../node/errors.ts'
import { createHttpClient, HTTP_LIMITS, type HttpAnswer, type HttpLimits } from '../../node/http.ts'
import { createPace } from '../../node/pace.ts'
import type { PooledEndpoint } from '../../node/pool.ts'
import { rateLimited, retryAfterMs } from '../../node/rateLimit.ts'
import { MessageError } from '../messages/fields.ts'

export type StacksEndpointConfig = {
  /** `https://…`; user and password may stand in it and are never shown. */
  readonly url: string
  readonly requestsPerMinute?: number | undefined
  /** Key of the public API, sent as `x-api-key`. */
  readonly apiKey?: string | undefined
  /** Origin on whose behalf is asked; sent as browsers do under the referrer policy `origin`. */
  readonly referrer?: string | undefined
  readonly limits?: Partial<HttpLimits> | undefined
}

/** What is sent along, and of which type it is. */
export type StacksBody = { readonly content: string | Uint8Array; readonly type: string }

/** One HTTP address of a Stacks node or of the public API. */
export type StacksEndpoint = PooledEndpoint & {
  /** The answer in JSON, read; null where there is nothing under that path. Throws `node.shape` where `read` refuses it. */
  json<T>(path: string, read: (json: unknown) => T, signal?: AbortSignal): Promise<T | null>
  /** The same of a question that has a body. */
  post<T>(path: string, body: unknown, read: (json: unknown) => T, signal?: AbortSignal): Promise<T | null>
  /** The answer as it came, of whatever status but those that ask us to slow down. */
  send(path: string, body?: StacksBody, signal?: AbortSignal): Promise<HttpAnswer>
  /** The answer's bytes; null where there is nothing under that path. */
  bytes(path: string, signal?: AbortSignal): Promise<Buffer | null>
}

/** A block of 2 MB makes about 20 MB of JSON. */
const MOST_BYTES = 64 * 2 ** 20
const NOT_FOUND = 404
const GONE = 410

/** Nothing is sent until the first question. */
export function openStacksEndpoint(config: StacksEndpointConfig): StacksEndpoint {
  const url = URL.parse(config.url)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new NodeError('node.config', 'The address of a Stacks endpoint is no http address.', {
      hint: 'Write it as http://127.0.0.1:20443 or https://api.hiro.so.',
    })
  const http = createHttpClient(
    url,
    { ...HTTP_LIMITS, maxBytes: MOST_BYTES, ...config.limits },
    {
      whenRefused: 'Start the node with its RPC interface (`rpc_bind`), or correct its address.',
      whenUnreachable: 'Check the host name in STACKS_RPC_URL or STACKS_API_URL and the network.',
    },
  )
  const pace = createPace(config.requestsPerMinute)
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const headers = {
    accept: '*/*',
    // The specification asks that calls to nodes name the product.
    'user-agent': 'assay',
    'x-hiro-product': 'assay',
    ...(config.referrer !== undefined && { referer: `${new URL(config.referrer).origin}/` }),
    ...(pair === ':' ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
    ...(config.apiKey !== undefined && { 'x-api-key': config.apiKey }),
  }

  async function send(path: string, body?: StacksBody, signal?: AbortSignal): Promise<HttpAnswer> {
    await pace.turn(1, signal)
    const what = path.replace(/\?.*$/, '')
    const answer = await http.send(
      body === undefined
        ? { method: 'GET', path, what, headers, signal }
        : {
            method: 'POST',
            path,
            what,
            headers: { ...headers, 'content-type': body.type },
            body: body.content,
            signal,
          },
    )
    const { status } = answer
    if (status === 429 || (status === 503 && answer.headers['retry-after'] !== undefined)) {
      pace.slower()
      const wait = retryAfterMs(answer.headers['retry-after'], Date.now())
      if (wait !== null) pace.rest(wait)
      throw rateLimited(http.name, what, `status ${status}`, wait)
    }
    pace.faster()
    return answer
  }

  async function ask(path: string, body: string | undefined, signal?: AbortSignal): Promise<HttpAnswer> {
    const answer = await send(path, body === undefined ? undefined : jsonBody(body), signal)
    if (answer.status === 200 || answer.status === NOT_FOUND) return answer
    throw refusal(http.name, path.replace(/\?.*$/, ''), answer)
  }

  function readJson<T>(path: string, { status, body }: HttpAnswer, read: (json: unknown) => T): T | null {
    if (status === NOT_FOUND) return null
    const what = path.replace(/\?.*$/, '')
    let parsed: unknown
    try {
      parsed = JSON.parse(body.toString('utf8'))
    } catch (cause) {
      throw shape(http.name, what, 'no JSON, or JSON that ends too early', cause)
    }
    try {
      return read(parsed)
    } catch (thrown) {
      if (thrown instanceof MessageError) throw shape(http.name, what, thrown.message, thrown)
      throw thrown
    }
  }

  return {
    name: http.name,
    send,
    json: async (path, read, signal) => readJson(path, await ask(path, undefined, signal), read),
    post: async (path, body, read, signal) =>
      readJson(path, await ask(path, JSON.stringify(body), signal), read),
    async bytes(path, signal) {
      const { status, body } = await ask(path, undefined, signal)
      return status === NOT_FOUND ? null : body
    },
    waitMs: pace.waitMs,
    rest: pace.rest,
    [Symbol.dispose]: () => http[Symbol.dispose](),
  }
}

const jsonBody = (content: string): StacksBody => ({ content, type: 'application/json' })

function refusal(name: string, what: string, { status, body }: HttpAnswer): NodeError {
  const facts = { status }
  if (status === 401 || status === 403)
    return new NodeError(
      status === 401 ? 'node.unauthorized' : 'node.forbidden',
      `${name} refused us (${status}).`,
      { hint: 'Does it need a key? STACKS_API_KEY is sent to the public API.', facts },
    )
  if (status === GONE)
    return new NodeError('node.method', `${name} does not offer ${what} any more (410).`, { facts })
  const said = body.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ').trim()
  return new NodeError('node.http', `${name} answered ${what} with status ${status}: ${said}`, {
    hint: 'Is this the address of a Stacks node or of the public API?',
    facts,
  })
}

export const shape = (name: string, what: string, why: string, cause?: unknown): NodeError =>
  new NodeError('node.shape', `${name} answered ${what} in a shape we do not know: ${why}`, {
    hint: 'Is this the address of a Stacks node or of the public API, of a version that is known here?',
    cause,
  })
