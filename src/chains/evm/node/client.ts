import type { AssayError } from '#kernel/errors.ts'
import { NodeError } from '../../node/errors.ts'
import { type EndpointHealth, openPool, type Question } from '../../node/pool.ts'
import { index } from '../fields.ts'
import {
  type Endpoint,
  type EndpointConfig,
  openEndpoint,
  type RpcCall,
  type RpcOutcome,
} from './endpoint.ts'

export type { EndpointHealth } from '../../node/pool.ts'

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

/** Several JSON-RPC endpoints of one chain as one. */
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
  /** The same question to every endpoint, for comparisons: see `Pool.askEach`. */
  callEach<T>(
    read: Reading<T>,
    call: RpcCall,
    signal?: AbortSignal,
  ): Promise<{ name: string; answer: T | AssayError }[]>
  health(): EndpointHealth[]
}

export function openEvmClient(config: EvmClientConfig): EvmClient {
  if (config.endpoints.length === 0)
    throw new NodeError('node.none', `There is no endpoint of ${config.chainName} to ask.`, {
      hint: 'Set the address of a node.',
    })
  const pool = openPool<Endpoint>({
    endpoints: config.endpoints.map(openEndpoint),
    check: checkChain,
    noneLeft: () => wrongChain(),
    rounds: config.rounds,
    opinionMs: config.opinionMs,
  })

  async function checkChain(endpoint: Endpoint, signal?: AbortSignal): Promise<void> {
    const [outcome] = await endpoint.ask([['eth_chainId']], signal)
    const chainId = index(demandResult(outcome!))
    if (chainId !== config.chainId) throw wrongChain(`${endpoint.name} follows chain ${chainId}`, chainId)
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

  const question =
    <T>(
      resultOf: ResultOf,
      read: (results: readonly unknown[], endpoint: string) => T,
      calls: readonly RpcCall[],
    ): Question<Endpoint, T> =>
    async (endpoint, signal) =>
      read((await endpoint.ask(calls, signal)).map(resultOf), endpoint.name)
  const single =
    <T>(read: Reading<T>) =>
    ([result]: readonly unknown[], name: string): T =>
      read(result, name)

  return {
    name: config.chainName,
    batch: (read, calls, signal) => pool.ask(question(demandResult, read, calls), signal),
    tryBatch: (read, calls, signal) => pool.ask(question(resultUnlessFailed, read, calls), signal),
    call: (read, call, signal) => pool.ask(question(demandResult, single(read), [call]), signal),
    callEach: (read, call, signal) =>
      pool.askEach(question(demandResult, single(read), [call]), call[0], signal),
    health: pool.health,
    [Symbol.dispose]: () => pool[Symbol.dispose](),
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
