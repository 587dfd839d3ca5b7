import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { isPassing, NodeError, RejectedError, type StacksClient } from '#chains/stacks/node/index.ts'
import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { ApiError, problemOf } from './apiError.ts'
import type { Body } from './cache/answerCache.ts'
import { json } from './route.ts'

/** Questions of one asker to the node, in a minute. */
const MOST_A_MINUTE = 120
/** How long an answer counts as new, milliseconds: a block of Stacks takes about as long. */
const KEPT_MS = 5_000
const MOST_KEPT = 500

/** A Stacks node behind our API: asked for the same only once in some seconds, and by nobody too often. */
export type NodeDesk = {
  /** Whether there is one. */
  readonly isOpen: boolean
  /** What the node answers to a question whose name is `key`. */
  read(asker: string, key: string, question: (node: StacksClient) => Promise<unknown>): Promise<Body>
  /** The same of what must not be answered from what was kept. */
  act(asker: string, question: (node: StacksClient) => Promise<unknown>): Promise<Body>
}

/** `node` undefined where the operator lets no node be asked. */
export function createNodeDesk(node: StacksClient | undefined, now: () => number = Date.now): NodeDesk {
  const limiter = new RateLimiterMemory({ points: MOST_A_MINUTE, duration: 60 })
  const wider = new RateLimiterMemory({ points: MOST_A_MINUTE * WIDER_SHARE, duration: 60 })
  const kept = new Map<string, { readonly until: number; readonly answer: Promise<Body> }>()

  async function ask(asker: string, question: (node: StacksClient) => Promise<unknown>): Promise<Body> {
    if (node === undefined)
      throw new ApiError(
        problemOf('http.stacks_node_off', 'No Stacks node is configured on this server.', {
          hint: 'The operator can set one in STACKS_API_URL or STACKS_RPC_URL.',
        }),
      )
    await count(asker)
    try {
      return json(await question(node))
    } catch (thrown) {
      throw thrown instanceof NodeError ? problemFrom(thrown) : thrown
    }
  }

  async function count(asker: string): Promise<void> {
    const wide = widerKey(asker)
    try {
      await limiter.consume(asker)
      if (wide !== undefined) await wider.consume(wide)
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown
      throw new ApiError(
        problemOf('http.stacks_node_often', `The limit is ${MOST_A_MINUTE} Stacks node requests per minute.`),
        { retryAfterSeconds: Math.ceil(thrown.msBeforeNext / 1000) },
      )
    }
  }

  return {
    isOpen: node !== undefined,
    act: ask,
    async read(asker, key, question) {
      const held = kept.get(key)
      if (held !== undefined && held.until > now()) return held.answer
      const answer = ask(asker, question)
      kept.delete(key)
      if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
      kept.set(key, { until: now() + KEPT_MS, answer })
      // A failure is told to whoever asked, and asked anew by the next.
      answer.catch(() => kept.delete(key))
      return answer
    },
  }
}

/** What the node said as the API answers it. Its own sentences name hosts: those are for the log. */
function problemFrom(thrown: NodeError): ApiError {
  if (thrown instanceof RejectedError)
    return new ApiError(
      problemOf('http.stacks_rejected', thrown.message, {
        ...(thrown.hint !== undefined && { hint: thrown.hint }),
        errors: [{ parameter: 'transaction', message: thrown.reason }],
      }),
      { cause: thrown },
    )
  if (thrown.code === 'node.name')
    return new ApiError(problemOf('http.stacks_name', thrown.message), { cause: thrown })
  const { status } = thrown.facts
  if (thrown.code === 'node.status' && status === 404)
    return new ApiError(problemOf('http.stacks_node_nothing', 'The Stacks node has nothing of that name.'), {
      cause: thrown,
    })
  if (thrown.code === 'node.status' && !(Number(status) >= 500))
    return new ApiError(problemOf('http.stacks_node_refused', thrown.message), { cause: thrown })
  return new ApiError(
    problemOf(
      'http.stacks_node_away',
      thrown.code === 'node.status' ? thrown.message : 'The Stacks node does not answer.',
    ),
    { cause: thrown, retryAfterSeconds: isPassing(thrown) ? 5 : 60 },
  )
}
