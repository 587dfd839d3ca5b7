import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { NodeError } from '../../node/errors.ts'
import { createHttpClient, HTTP_LIMITS, type HttpLimits } from '../../node/http.ts'
import { HTTP_HELP } from './networks.ts'

export type RpcConfig = {
  /** `http://127.0.0.1:8332`; user and password may stand in it. */
  readonly url: string
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** Bitcoin Core's `.cookie`; read again whenever the node refuses, because each start writes a new one. */
  readonly cookieFile?: string | undefined
  readonly limits?: Partial<HttpLimits>
}

export type RpcCall = readonly [method: string, ...parameters: readonly unknown[]]

/** A JSON-RPC client of a Bitcoin Core compatible node. */
export type Rpc = Disposable & {
  readonly name: string
  call<T>(schema: z.ZodType<T>, call: RpcCall, signal?: AbortSignal): Promise<T>
  /** One request for many calls; answers in the order of the calls. The first error of any call is thrown. */
  batch<T>(schema: z.ZodType<T>, calls: readonly RpcCall[], signal?: AbortSignal): Promise<T[]>
}

const Answer = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
  id: z.unknown(),
})

/** Nothing is sent until the first call. */
export function createRpc(config: RpcConfig): Rpc {
  const url = parseUrl(config.url)
  const http = createHttpClient(url, { ...HTTP_LIMITS, ...config.limits }, HTTP_HELP)

  async function secret(): Promise<string | undefined> {
    if (config.cookieFile !== undefined) {
      try {
        return (await readFile(config.cookieFile, 'utf8')).trim()
      } catch (cause) {
        throw new NodeError('node.config', `The cookie file ${config.cookieFile} cannot be read.`, {
          hint: 'Is the node running, and may this user read its data directory?',
          cause,
        })
      }
    }
    const user = config.user ?? decodeURIComponent(url.username)
    const password = config.password ?? decodeURIComponent(url.password)
    return user === '' && password === '' ? undefined : `${user}:${password}`
  }

  async function post(
    what: string,
    body: string,
    signal: AbortSignal | undefined,
    isRetry = false,
  ): Promise<unknown> {
    const pair = await secret()
    const authorization = pair === undefined ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`
    const answer = await http.send({
      method: 'POST',
      path: '/',
      what,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body,
      signal,
    })
    if (answer.status === 401) {
      if (config.cookieFile !== undefined && !isRetry) return post(what, body, signal, true)
      throw new NodeError('node.unauthorized', `${http.name} refused user and password (401).`, {
        hint: 'Set BITCOIN_RPC_USER and BITCOIN_RPC_PASSWORD, or BITCOIN_RPC_COOKIE, as in its bitcoin.conf.',
      })
    }
    if (answer.status === 403)
      throw new NodeError('node.forbidden', `${http.name} does not let this address in (403).`, {
        hint: 'Add it to `rpcallowip` in bitcoin.conf.',
      })
    try {
      return JSON.parse(answer.body.toString('utf8'))
    } catch (cause) {
      throw new NodeError(
        'node.http',
        `${http.name} answered ${what} with status ${answer.status} and no JSON.`,
        {
          hint: 'Is this the RPC port of a Bitcoin node?',
          facts: { status: answer.status },
          cause,
        },
      )
    }
  }

  function resultOf<T>(schema: z.ZodType<T>, what: string, answer: unknown): T {
    const { result, error } = parse(Answer, what, answer)
    if (error) throw rpcError(http.name, what, error)
    return parse(schema, what, result)
  }

  function parse<T>(schema: z.ZodType<T>, what: string, value: unknown): T {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw new NodeError(
      'node.shape',
      `${http.name} answered ${what} in a shape we do not know: ${issue?.path.join('.') || 'answer'}: ${issue?.message}.`,
      { hint: 'Is this the RPC port of a Bitcoin node?' },
    )
  }

  return {
    name: http.name,
    async call(schema, [method, ...params], signal) {
      const body = JSON.stringify({ jsonrpc: '1.0', id: 0, method, params })
      return resultOf(schema, method, await post(method, body, signal))
    },
    async batch(schema, calls, signal) {
      if (calls.length === 0) return []
      const what = calls[0]?.[0] ?? ''
      const body = JSON.stringify(
        calls.map(([method, ...params], id) => ({ jsonrpc: '1.0', id, method, params })),
      )
      const answer = await post(what, body, signal)
      // A node that refuses the request as a whole answers with one error instead of a list.
      if (!Array.isArray(answer)) resultOf(z.unknown(), what, answer)
      const answers = parse(z.array(Answer).length(calls.length), what, answer)
      const byId = new Map(answers.map(one => [one.id, one]))
      return calls.map((_, id) => resultOf(schema, what, byId.get(id)))
    },
    [Symbol.dispose]: () => http[Symbol.dispose](),
  }
}

function rpcError(name: string, what: string, error: { code: number; message: string }): NodeError {
  const facts = { rpcCode: error.code }
  if (error.code === -28)
    return new NodeError('node.warming_up', `${name} is starting: ${error.message}`, { facts })
  if (/pruned/i.test(error.message))
    return new NodeError('node.pruned', `${name} no longer has the block: ${error.message}`, {
      hint: 'Start from a height that the node still holds, or use a node that is not pruned.',
      facts,
    })
  return new NodeError(
    'node.rpc',
    `${name} answered ${what} with an error: ${error.message} (${error.code})`,
    {
      facts,
    },
  )
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new NodeError('node.config', 'BITCOIN_RPC_URL is no http address.', {
    hint: 'Write it as http://127.0.0.1:8332.',
  })
}
