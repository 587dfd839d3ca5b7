import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError } from '#kernel/errors.ts'
import { isPassing, NodeError } from '../../node/errors.ts'
import { CheckError, DecodeError } from '../errors.ts'
import { index } from '../fields.ts'
import {
  type Endpoint,
  type EndpointConfig,
  openEndpoint,
  type RpcCall,
  type RpcOutcome,
} from './endpoint.ts'

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

export type EvmClientConfig = {
  readonly chainId: number
  /** Name of the chain, for sentences. */
  readonly chainName: string
  readonly endpoints: readonly EndpointConfig[]
  /** Rounds over all endpoints before a question is given up. */
  readonly rounds?: number | undefined
  /** How long a second opinion is waited for, milliseconds; five seconds unless given. */
  readonly opinionMs?: number | undefined
}

/** Turns a result into what was asked for. Throws `DecodeError`, `CheckError` or `NodeError` for one that is none. */
export type Reading<T> = (result: unknown, endpoint: string) => T

/** Several endpoints of one chain as one: the healthiest is asked first, another one where it fails or lies. */
export type EvmClient = Disposable & {
  readonly name: string
  call<T>(read: Reading<T>, call: RpcCall, signal?: AbortSignal): Promise<T>
  /** All calls of one endpoint at one time; `read` gets their results in order. */
  batch<T>(
    read: (results: readonly unknown[], endpoint: string) => T,
    calls: readonly RpcCall[],
    signal?: AbortSignal,
  ): Promise<T>
  /**
   * The same as `batch`, where a contract may refuse a call: `read` gets undefined in place of the result of a call that
   * was carried out and failed.
   */
  tryBatch<T>(
    read: (results: readonly unknown[], endpoint: string) => T,
    calls: readonly RpcCall[],
    signal?: AbortSignal,
  ): Promise<T>
  /**
   * The same question to every endpoint that is not set aside: for comparisons. One that rests after a failure, or is slow,
   * counts as one without an answer: a second opinion holds nobody up.
   */
  callEach<T>(
    read: Reading<T>,
    call: RpcCall,
    signal?: AbortSignal,
  ): Promise<{ name: string; answer: T | AssayError }[]>
  health(): EndpointHealth[]
}

type Member = {
  readonly endpoint: Endpoint
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

export function openEvmClient(config: EvmClientConfig): EvmClient {
  if (config.endpoints.length === 0)
    throw new NodeError('node.none', `There is no endpoint of ${config.chainName} to ask.`, {
      hint: 'Set the address of a node.',
    })
  const members: Member[] = config.endpoints.map(endpoint => ({
    endpoint: openEndpoint(endpoint),
    isChecked: false,
    isAside: false,
    answers: 0,
    failures: 0,
    lies: 0,
    rateLimits: 0,
    row: 0,
    latencyMs: null,
    lastFault: null,
  }))
  const rounds = config.rounds ?? 4
  const opinionMs = config.opinionMs ?? OPINION_MS

  /** Who would answer soonest: free first, then without failures in a row, then the fastest. */
  const order = (): Member[] =>
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
  const nextFree = (tried: ReadonlySet<Member>): Member | undefined =>
    order().find(member => !tried.has(member) && member.endpoint.waitMs() === 0)

  async function ask<T>(
    resultOf: ResultOf,
    read: (results: readonly unknown[], endpoint: string) => T,
    calls: readonly RpcCall[],
    signal?: AbortSignal,
  ): Promise<T> {
    let last: unknown
    for (let round = 0; round < rounds; round++) {
      const tried = new Set<Member>()
      for (let member = order()[0]; member !== undefined; member = nextFree(tried)) {
        tried.add(member)
        try {
          return await askMember(member, resultOf, read, calls, signal)
        } catch (thrown) {
          signal?.throwIfAborted()
          if (!(thrown instanceof AssayError)) throw thrown
          last = thrown
          if (thrown.code === 'node.range') throw thrown
        }
      }
      if (tried.size === 0) throw last ?? wrongChain()
      if (!canChange(last)) throw last
      const wait = Math.min(...order().map(({ endpoint }) => endpoint.waitMs()))
      if (round < rounds - 1 && Number.isFinite(wait)) await sleep(wait, undefined, signal && { signal })
    }
    throw last
  }

  async function askMember<T>(
    member: Member,
    resultOf: ResultOf,
    read: (results: readonly unknown[], endpoint: string) => T,
    calls: readonly RpcCall[],
    signal?: AbortSignal,
  ): Promise<T> {
    const { endpoint } = member
    const start = performance.now()
    try {
      if (!member.isChecked) await checkChain(member, signal)
      const results = (await endpoint.ask(calls, signal)).map(resultOf)
      const answer = read(results, endpoint.name)
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

  /** Throws `node.wrong_chain` and sets the endpoint aside for good. */
  async function checkChain(member: Member, signal?: AbortSignal): Promise<void> {
    const [outcome] = await member.endpoint.ask([['eth_chainId']], signal)
    const chainId = index(demandResult(outcome!))
    if (chainId !== config.chainId) {
      member.isAside = true
      throw wrongChain(`${member.endpoint.name} follows chain ${chainId}`, chainId)
    }
    member.isChecked = true
  }

  const wrongChain = (who = 'No endpoint follows it', chainId: number | null = null): NodeError =>
    new NodeError(
      'node.wrong_chain',
      `${who}, but Assay asks for ${config.chainName} (chain ${config.chainId}).`,
      {
        hint: 'Correct the address of the endpoint.',
        facts: { chainId, expected: config.chainId },
      },
    )

  function note(member: Member, thrown: unknown): void {
    if (!(thrown instanceof AssayError)) return
    // What a node says of its own limits is no fault of it.
    if (thrown.code === 'node.range' || thrown.code === 'node.method' || thrown.code === 'node.missing')
      return
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
    member: Member,
    read: Reading<T>,
    call: RpcCall,
    signal: AbortSignal | undefined,
  ): Promise<{ name: string; answer: T | AssayError }> {
    const { name, waitMs } = member.endpoint
    const late = AbortSignal.timeout(opinionMs)
    const until = signal === undefined ? late : AbortSignal.any([signal, late])
    const silence = (why: string): AssayError => new NodeError('node.timeout', `${name} ${why}.`)
    if (waitMs() > opinionMs) return { name, answer: silence('rests after a failure') }
    try {
      const readFirst = ([result]: readonly unknown[]): T => read(result, name)
      return { name, answer: await askMember(member, demandResult, readFirst, [call], until) }
    } catch (thrown) {
      signal?.throwIfAborted()
      if (thrown instanceof AssayError) return { name, answer: thrown }
      if (!late.aborted) throw thrown
      const answer = silence(`did not answer ${call[0]} within ${opinionMs} ms`)
      note(member, answer)
      return { name, answer }
    }
  }

  return {
    name: config.chainName,
    batch: (read, calls, signal) => ask(demandResult, read, calls, signal),
    tryBatch: (read, calls, signal) => ask(resultUnlessFailed, read, calls, signal),
    call: (read, call, signal) => ask(demandResult, ([result], name) => read(result, name), [call], signal),
    async callEach(read, call, signal) {
      const asked = members.filter(member => !member.isAside)
      return Promise.all(asked.map(member => opinionOf(member, read, call, signal)))
    },
    health: () => members.map(healthOf),
    [Symbol.dispose]() {
      for (const { endpoint } of members) endpoint[Symbol.dispose]()
    },
  }
}

type ResultOf = (outcome: RpcOutcome) => unknown

function demandResult(outcome: RpcOutcome): unknown {
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

/** Each node has words of its own for a call that failed: what is none of the troubles we know by name is one. */
const resultUnlessFailed = (outcome: RpcOutcome): unknown =>
  'error' in outcome && outcome.error.code === 'node.rpc' ? undefined : demandResult(outcome)

const isLie = (thrown: unknown): boolean =>
  thrown instanceof DecodeError ||
  thrown instanceof CheckError ||
  (thrown instanceof NodeError && (thrown.code === 'node.lied' || thrown.code === 'node.shape'))

/** Whether the same question may be answered in a moment; a lie may have been a race with a reorg. */
const canChange = (thrown: unknown): boolean =>
  isPassing(thrown) ||
  isLie(thrown) ||
  (thrown instanceof NodeError && (thrown.code === 'node.reorged' || thrown.code === 'node.gap'))

function healthOf({
  endpoint,
  isAside,
  answers,
  failures,
  lies,
  rateLimits,
  row,
  latencyMs,
  lastFault,
}: Member): EndpointHealth {
  const state = isAside ? 'aside' : row > 0 ? 'failing' : answers > 0 ? 'healthy' : 'unknown'
  return { name: endpoint.name, state, answers, failures, lies, rateLimits, latencyMs, lastFault }
}
