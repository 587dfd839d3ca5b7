import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError } from '#kernel/errors.ts'
import { CheckError, DecodeError } from '../errors.ts'
import { isPassing, NodeError } from './errors.ts'

/** How an endpoint fares. */
export type EndpointHealth = {
  readonly name: string
  /** `aside`: it is of another chain, and is not asked again. */
  readonly state: 'unknown' | 'healthy' | 'failing' | 'aside'
  readonly answers: number
  readonly failures: number
  /** Answers that did not decode, or contradicted themselves. */
  readonly lies: number
  readonly rateLimits: number
  /** Mean of the last requests, milliseconds; null before the first. */
  readonly latencyMs: number | null
  readonly lastFault: string | null
}

/** One address of a chain, as far as choosing among several goes. */
export type PooledEndpoint = Disposable & {
  readonly name: string
  /** Milliseconds until it takes a request. */
  waitMs(): number
  /** Nothing is sent to it before `ms` from now. */
  rest(ms: number): void
}

export type PoolConfig<E extends PooledEndpoint> = {
  readonly endpoints: readonly E[]
  /** Throws `node.wrong_chain` for an endpoint of another chain: it is set aside for good. Asked before the first question. */
  readonly check: (endpoint: E, signal?: AbortSignal) => Promise<void>
  /** What is thrown where every endpoint is set aside. */
  readonly noneLeft: () => NodeError
  /** Rounds over all endpoints before a question is given up; four unless given. */
  readonly rounds?: number | undefined
  /** How long a second opinion is waited for, milliseconds; five seconds unless given. */
  readonly opinionMs?: number | undefined
}

/** Asks one endpoint, and reads its answer. Throws `NodeError`, `DecodeError` or `CheckError`. */
export type Question<E, T> = (endpoint: E, signal?: AbortSignal) => Promise<T>

/** Several endpoints of one chain as one: the healthiest is asked first, another one where it fails or lies. */
export type Pool<E extends PooledEndpoint> = Disposable & {
  ask<T>(question: Question<E, T>, signal?: AbortSignal): Promise<T>
  /**
   * The same question to every endpoint that is not set aside: for comparisons. One that rests after a failure, or is slow,
   * counts as one without an answer: a second opinion holds nobody up.
   */
  askEach<T>(
    question: Question<E, T>,
    what: string,
    signal?: AbortSignal,
  ): Promise<{ name: string; answer: T | AssayError }[]>
  health(): EndpointHealth[]
}

type Member<E> = {
  readonly endpoint: E
  isChecked: boolean
  isAside: boolean
  answers: number
  failures: number
  lies: number
  rateLimits: number
  /** Failures in a row: what it waits for grows with them. */
  row: number
  latencyMs: number | null
  lastFault: string | null
}

const FIRST_REST_MS = 250
const LONGEST_REST_MS = 30_000
const OPINION_MS = 5_000
const ROUNDS = 4

export function openPool<E extends PooledEndpoint>(config: PoolConfig<E>): Pool<E> {
  const { rounds = ROUNDS, opinionMs = OPINION_MS } = config
  const members = config.endpoints.map(
    (endpoint): Member<E> => ({
      endpoint,
      isChecked: false,
      isAside: false,
      answers: 0,
      failures: 0,
      lies: 0,
      rateLimits: 0,
      row: 0,
      latencyMs: null,
      lastFault: null,
    }),
  )

  /** Who would answer soonest: free first, then without failures in a row, then the fastest. */
  const order = (): Member<E>[] =>
    members
      .filter(member => !member.isAside)
      .sort(
        (a, b) =>
          Math.ceil(a.endpoint.waitMs() / 100) - Math.ceil(b.endpoint.waitMs() / 100) ||
          a.row - b.row ||
          a.lies - b.lies ||
          (a.latencyMs ?? 0) - (b.latencyMs ?? 0),
      )

  /** After the first one of a round, whoever would have to be waited for is left to the next round. */
  const nextFree = (tried: ReadonlySet<Member<E>>): Member<E> | undefined =>
    order().find(member => !tried.has(member) && member.endpoint.waitMs() === 0)

  async function ask<T>(question: Question<E, T>, signal?: AbortSignal): Promise<T> {
    let last: unknown
    for (let round = 0; round < rounds; round++) {
      const tried = new Set<Member<E>>()
      for (let member = order()[0]; member !== undefined; member = nextFree(tried)) {
        tried.add(member)
        try {
          return await askMember(member, question, signal)
        } catch (thrown) {
          signal?.throwIfAborted()
          if (!(thrown instanceof AssayError)) throw thrown
          last = thrown
          if (thrown.code === 'node.range') throw thrown
        }
      }
      if (tried.size === 0) throw last ?? config.noneLeft()
      if (!canChange(last)) throw last
      const wait = Math.min(...order().map(({ endpoint }) => endpoint.waitMs()))
      if (round < rounds - 1 && Number.isFinite(wait)) await sleep(wait, undefined, signal && { signal })
    }
    throw last
  }

  async function askMember<T>(member: Member<E>, question: Question<E, T>, signal?: AbortSignal): Promise<T> {
    const start = performance.now()
    try {
      if (!member.isChecked) {
        await config.check(member.endpoint, signal)
        member.isChecked = true
      }
      const answer = await question(member.endpoint, signal)
      member.answers += 1
      member.row = 0
      const took = performance.now() - start
      member.latencyMs = member.latencyMs === null ? took : member.latencyMs * 0.8 + took * 0.2
      return answer
    } catch (thrown) {
      note(member, thrown)
      throw thrown
    }
  }

  function note(member: Member<E>, thrown: unknown): void {
    if (!(thrown instanceof AssayError)) return
    // What a node says of its own limits is no fault of it.
    if (thrown.code === 'node.range' || thrown.code === 'node.method' || thrown.code === 'node.missing')
      return
    if (thrown.code === 'node.wrong_chain') member.isAside = true
    member.lastFault = thrown.message
    member.row += 1
    if (isLie(thrown)) member.lies += 1
    else if (thrown.code === 'node.rate_limited') member.rateLimits += 1
    else member.failures += 1
    const told = thrown.facts.retryAfterMs
    if (typeof told !== 'number')
      member.endpoint.rest(Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(member.row - 1, 8)))
  }

  async function opinionOf<T>(
    member: Member<E>,
    question: Question<E, T>,
    what: string,
    signal: AbortSignal | undefined,
  ): Promise<{ name: string; answer: T | AssayError }> {
    const { name } = member.endpoint
    const late = AbortSignal.timeout(opinionMs)
    const until = signal === undefined ? late : AbortSignal.any([signal, late])
    const silence = (why: string): AssayError => new NodeError('node.timeout', `${name} ${why}.`)
    if (member.endpoint.waitMs() > opinionMs) return { name, answer: silence('rests after a failure') }
    try {
      return { name, answer: await askMember(member, question, until) }
    } catch (thrown) {
      signal?.throwIfAborted()
      if (thrown instanceof AssayError) return { name, answer: thrown }
      if (!late.aborted) throw thrown
      const answer = silence(`did not answer ${what} within ${opinionMs} ms`)
      note(member, answer)
      return { name, answer }
    }
  }

  return {
    ask,
    async askEach(question, what, signal) {
      const asked = members.filter(member => !member.isAside)
      return Promise.all(asked.map(member => opinionOf(member, question, what, signal)))
    },
    health: () => members.map(healthOf),
    [Symbol.dispose]() {
      for (const { endpoint } of members) endpoint[Symbol.dispose]()
    },
  }
}

const isLie = (thrown: unknown): boolean =>
  thrown instanceof DecodeError ||
  thrown instanceof CheckError ||
  (thrown instanceof NodeError && (thrown.code === 'node.lied' || thrown.code === 'node.shape'))

/** Whether the same question may be answered in a moment; a lie may have been a race with a reorg. */
const canChange = (thrown: unknown): boolean =>
  isPassing(thrown) ||
  isLie(thrown) ||
  (thrown instanceof NodeError && (thrown.code === 'node.reorged' || thrown.code === 'node.gap'))

function healthOf(member: Member<PooledEndpoint>): EndpointHealth {
  const { endpoint, isAside, answers, failures, lies, rateLimits, row, latencyMs, lastFault } = member
  const state = isAside ? 'aside' : row > 0 ? 'failing' : answers > 0 ? 'healthy' : 'unknown'
  return { name: endpoint.name, state, answers, failures, lies, rateLimits, latencyMs, lastFault }
}
