import { NodeError } from '../../node/errors.ts'
import { createHttpClient, HTTP_LIMITS, type HttpLimits } from '../../node/http.ts'
import { createPace } from '../../node/pace.ts'
import type { PooledEndpoint } from '../../node/pool.ts'
import { rateLimited, retryAfterMs } from '../../node/rateLimit.ts'
import { faultOf, type RpcFault } from './answers.ts'

export type EndpointConfig = {
  /** `https://…`; user, password and key may stand in it and are never shown. */
  readonly url: string
  readonly requestsPerMinute?: number | undefined
  /** Most calls in one request; 100 unless told. Fewer by itself where a node takes fewer. */
  readonly batchCalls?: number | undefined
  readonly limits?: Partial<HttpLimits> | undefined
}

export type RpcCall = readonly [method: string, ...parameters: readonly unknown[]]

/** The result of one call of a batch, or why there is none. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: NodeError }

/** One JSON-RPC address of an EVM node. */
export type Endpoint = PooledEndpoint & {
  /** Outcomes in the order of the calls. Throws where nothing at all came back. */
  ask(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcOutcome[]>
}

const MOST_CALLS = 100
const MOST_PASSES = 5
const PASS_REST_MS = 400

const isLimited = (outcome: RpcOutcome): boolean =>
  'error' in outcome && outcome.error.code === 'node.rate_limited'

/** Nothing is sent until the first question. */
export function openEndpoint(config: EndpointConfig): Endpoint {
  const url = parseUrl(config.url)
  const http = createHttpClient(
    url,
    { ...HTTP_LIMITS, ...config.limits },
    {
      whenRefused: 'Start the node with its HTTP interface, or correct its address.',
      whenUnreachable: 'Check the host name of the endpoint and the network.',
    },
  )
  const pace = createPace(config.requestsPerMinute)
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const authorization = pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`
  /** What the node takes in one request, and what it takes at the moment. */
  let mostCalls = Math.max(1, config.batchCalls ?? MOST_CALLS)
  let batchCalls = mostCalls
  let nextId = 1

  async function ask(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = []
    while (outcomes.length < calls.length) {
      const part = calls.slice(outcomes.length, outcomes.length + batchCalls)
      try {
        outcomes.push(...(await sendAll(part, signal)))
      } catch (thrown) {
        if (!(thrown instanceof NodeError) || thrown.code !== 'node.batch' || part.length === 1) throw thrown
        mostCalls = Math.max(1, Math.floor(part.length / 4))
        batchCalls = mostCalls
      }
    }
    return outcomes
  }

  /**
   * Services limit single calls of a batch too: those alone are asked again, more slowly. Batches shrink by half at each limit and
   * grow by one call with each request that met none.
   */
  async function sendAll(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcOutcome[]> {
    const outcomes = await send(calls, signal)
    if (!outcomes.some(isLimited)) batchCalls = Math.min(mostCalls, batchCalls + 1)
    for (let pass = 1; pass <= MOST_PASSES; pass++) {
      const limited = outcomes.flatMap((outcome, i) => (isLimited(outcome) ? [i] : []))
      if (limited.length === 0 || limited.length === calls.length) break
      batchCalls = Math.max(1, Math.ceil(batchCalls / 2))
      pace.rest(PASS_REST_MS * pass)
      const again = await send(
        limited.map(i => calls[i]!),
        signal,
      )
      for (const [at, i] of limited.entries()) outcomes[i] = again[at]!
    }
    return outcomes
  }

  async function send(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcOutcome[]> {
    await pace.turn(calls.length, signal)
    const what = calls[0]![0]
    const first = nextId
    nextId += calls.length
    const requests = calls.map(([method, ...params], i) => ({
      jsonrpc: '2.0',
      id: first + i,
      method,
      params,
    }))
    const answer = await http.send({
      method: 'POST',
      path: '',
      what,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify(calls.length === 1 ? requests[0] : requests),
      signal,
    })
    refuseStatus(what, answer.status, answer.headers['retry-after'])
    const parsed = parse(what, answer.status, answer.body)
    if (!Array.isArray(parsed)) return answerToAll(what, calls, first, parsed)
    return inOrder(what, calls, first, parsed)
  }

  function refuseStatus(what: string, status: number, retryAfter: string | undefined): void {
    if (status === 429 || (status === 503 && retryAfter !== undefined)) {
      const wait = retryAfterMs(retryAfter, Date.now())
      if (wait !== null) pace.rest(wait)
      throw rateLimited(http.name, what, `status ${status}`, wait)
    }
    if (status === 413)
      throw new NodeError('node.batch', `${http.name} does not take a request of this size (413).`)
    if (status === 401 || status === 403)
      throw new NodeError(
        status === 401 ? 'node.unauthorized' : 'node.forbidden',
        `${http.name} refused us (${status}).`,
        {
          hint: 'Does the endpoint need a key in its address?',
        },
      )
  }

  function parse(what: string, status: number, body: Buffer): unknown {
    try {
      return JSON.parse(body.toString('utf8'))
    } catch (cause) {
      throw new NodeError('node.http', `${http.name} answered ${what} with status ${status} and no JSON.`, {
        hint: 'Is this the JSON-RPC address of an EVM node?',
        facts: { status },
        cause,
      })
    }
  }

  /** One answer: to a single call, or a node's refusal of a batch as a whole. */
  function answerToAll(
    what: string,
    calls: readonly RpcCall[],
    first: number,
    answer: unknown,
  ): RpcOutcome[] {
    const outcome = outcomeOf(what, answer, calls.length === 1 ? first : null)
    if (calls.length === 1) return [outcome]
    if (!('error' in outcome)) throw shape(what, 'one answer to a batch')
    const { code, facts } = outcome.error
    // Nodes without batches call them an invalid request, each in its own words.
    if (code === 'node.rpc' || facts.rpcCode === -32600)
      throw new NodeError('node.batch', outcome.error.message, { facts })
    throw outcome.error
  }

  function inOrder(
    what: string,
    calls: readonly RpcCall[],
    first: number,
    answers: readonly unknown[],
  ): RpcOutcome[] {
    if (calls.length === 1 && answers.length !== 1) throw shape(what, `${answers.length} answers to one call`)
    const byId = new Map<unknown, unknown>()
    for (const answer of answers) byId.set(isObject(answer) ? answer.id : undefined, answer)
    return calls.map(([method], i) => {
      const answer = byId.get(first + i)
      if (answer === undefined) throw shape(what, `no answer to call ${i + 1} of ${calls.length} (${method})`)
      return outcomeOf(method, answer, first + i)
    })
  }

  function outcomeOf(what: string, answer: unknown, id: number | null): RpcOutcome {
    if (!isObject(answer)) throw shape(what, 'an answer that is no object')
    const { error, result } = answer
    if (isFault(error)) return { error: faultOf(http.name, what, error) }
    if (error !== undefined && error !== null) throw shape(what, 'an error without code and message')
    if (id !== null && answer.id !== id)
      throw shape(what, `an answer to question ${String(answer.id)}, not ${id}`)
    if (result === undefined) throw shape(what, 'neither a result nor an error')
    return { result }
  }

  const shape = (what: string, why: string): NodeError =>
    new NodeError('node.shape', `${http.name} answered ${what} in a shape we do not know: ${why}.`, {
      hint: 'Is this the JSON-RPC address of an EVM node?',
    })

  return {
    name: http.name,
    ask,
    waitMs: pace.waitMs,
    rest: pace.rest,
    [Symbol.dispose]: () => http[Symbol.dispose](),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFault = (value: unknown): value is RpcFault =>
  isObject(value) && typeof value.code === 'number' && typeof value.message === 'string'

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new NodeError('node.config', 'The address of an EVM endpoint is no http address.', {
    hint: 'Write it as https://public-node.rsk.co.',
  })
}
