import { CHAIN_IDS } from '#kernel/stacks.ts'
import { NodeError } from '../../node/errors.ts'
import { type EndpointHealth, openPool, type Pool } from '../../node/pool.ts'
import type { StacksCodec } from '../decode.ts'
import type { BlockMessage } from '../messages/block.ts'
import type { BurnBlockMessage } from '../messages/burnBlock.ts'
import type { Hex } from '../messages/fields.ts'
import { createApiReader } from './apiReader.ts'
import { createApiView } from './apiView.ts'
import { openStacksEndpoint, type StacksEndpoint, type StacksEndpointConfig } from './endpoint.ts'
import { readInfo } from './nodeAnswers.ts'
import { createNodeReader } from './nodeReader.ts'
import { createNodeView } from './nodeView.ts'

/** A block by its place in the chain. */
export type StacksPlace = { readonly height: number; readonly id: Hex; readonly parentId: Hex }

/** What other endpoints say of a height. */
export type StacksAgreement = {
  readonly agreeing: readonly string[]
  readonly differing: readonly { readonly name: string; readonly id: Hex }[]
  readonly silent: readonly string[]
}

/**
 * Blocks of Stacks from a node's RPC, from the public API, or from both: the node's bytes with the API's receipts. What is told is
 * what `/new_block` would have told, as far as it goes; `lacks` of a block says what is missing.
 */
export type StacksSource = Disposable & {
  readonly name: string
  /** Whether it tells how transactions ended, where all of it answers. */
  readonly hasReceipts: boolean
  /** The newest block. */
  tip(signal?: AbortSignal): Promise<StacksPlace>
  /** Blocks from one down, the newest first, linked. Throws `node.reorged` where the chain changed meanwhile. */
  down(from: StacksPlace, signal?: AbortSignal): AsyncGenerator<StacksPlace>
  /** The block of a height; null above the tip. */
  at(height: number, signal?: AbortSignal): Promise<StacksPlace | null>
  /** The whole block. Throws `node.reorged` where it is no block of the chain any more. */
  block(place: StacksPlace, signal?: AbortSignal): Promise<BlockMessage>
  /** What miners paid in the Bitcoin block under a block, as far as it is told. */
  burnBlock(
    burn: { readonly height: number; readonly hash: Hex },
    signal?: AbortSignal,
  ): Promise<BurnBlockMessage>
  /** Throws `node.disagree` where more endpoints have another block at that height than this one. */
  crossCheck(place: Pick<StacksPlace, 'height' | 'id'>, signal?: AbortSignal): Promise<StacksAgreement>
  health(): EndpointHealth[]
}

/** One kind of source: what a `StacksSource` is made of. */
export type StacksView = Pick<StacksSource, 'tip' | 'down' | 'at' | 'block' | 'burnBlock'> & {
  /** The block of a height as one endpoint has it; null where it has none. */
  idAt(endpoint: StacksEndpoint, height: number, signal?: AbortSignal): Promise<Hex | null>
}

export type StacksSourceConfig = {
  readonly codec: StacksCodec
  /** RPC of nodes. */
  readonly nodes: readonly StacksEndpointConfig[]
  /** The public API. */
  readonly apis: readonly StacksEndpointConfig[]
  /** Chain id: 1 is the main network. */
  readonly chainId?: number | undefined
  /** Rounds over all endpoints before a question is given up. */
  readonly rounds?: number | undefined
  readonly opinionMs?: number | undefined
}

/** Nothing is sent until the first question. Throws `node.none` without an endpoint. */
export function openStacksSource(config: StacksSourceConfig): StacksSource {
  const { codec, chainId = CHAIN_IDS.mainnet } = config
  if (config.nodes.length + config.apis.length === 0)
    throw new NodeError('node.none', 'There is no endpoint of Stacks to ask.', {
      hint: 'Set STACKS_RPC_URL or STACKS_API_URL.',
    })
  const poolOf = (endpoints: readonly StacksEndpointConfig[]): Pool<StacksEndpoint> =>
    openPool({
      endpoints: endpoints.map(openStacksEndpoint),
      check: (endpoint, signal) => demandChain(endpoint, chainId, signal),
      noneLeft: () => wrongChain('No endpoint follows it', null, chainId),
      rounds: config.rounds,
      opinionMs: config.opinionMs,
    })
  const nodes = poolOf(config.nodes)
  const apis = poolOf(config.apis)
  const reader = config.nodes.length > 0 ? createNodeReader(codec, nodes) : undefined
  const api = config.apis.length > 0 ? createApiReader(codec, apis) : undefined
  const apiView = api && createApiView(api, apis)
  const view = reader === undefined ? apiView! : createNodeView(reader, codec, { api, apiView })
  const nodeIdAt = reader && createNodeView(reader, codec, {}).idAt

  async function crossCheck(
    { height, id }: Pick<StacksPlace, 'height' | 'id'>,
    signal?: AbortSignal,
  ): Promise<StacksAgreement> {
    const what = `block ${height}`
    const answers = (
      await Promise.all([
        nodeIdAt ? nodes.askEach((endpoint, until) => nodeIdAt(endpoint, height, until), what, signal) : [],
        apiView ? apis.askEach((endpoint, until) => apiView.idAt(endpoint, height, until), what, signal) : [],
      ])
    ).flat()
    const agreeing: string[] = []
    const differing: { name: string; id: Hex }[] = []
    const silent: string[] = []
    for (const { name, answer } of answers) {
      if (answer === id) agreeing.push(name)
      else if (typeof answer === 'string') differing.push({ name, id: answer })
      else silent.push(name)
    }
    if (differing.length > agreeing.length)
      throw new NodeError(
        'node.disagree',
        `Block ${height} of Stacks is ${id} here, but ${differing.map(each => `${each.id} at ${each.name}`).join(', ')}.`,
        {
          hint: 'It was not stored. Which endpoint is right? Remove the other one.',
          facts: { height, id, agreeing: agreeing.length, differing: differing.length },
        },
      )
    return { agreeing, differing, silent }
  }

  return {
    name: 'Stacks',
    hasReceipts: api !== undefined,
    tip: view.tip,
    down: view.down,
    at: view.at,
    block: view.block,
    burnBlock: view.burnBlock,
    crossCheck,
    health: () => [...nodes.health(), ...apis.health()],
    [Symbol.dispose]() {
      nodes[Symbol.dispose]()
      apis[Symbol.dispose]()
    },
  }
}

async function demandChain(endpoint: StacksEndpoint, chainId: number, signal?: AbortSignal): Promise<void> {
  const info = await endpoint.json('/v2/info', readInfo, signal)
  if (info === null)
    throw new NodeError('node.http', `${endpoint.name} has no /v2/info.`, {
      hint: 'Is this the address of a Stacks node or of the public API?',
    })
  if (info.networkId !== chainId)
    throw wrongChain(`${endpoint.name} follows chain ${info.networkId}`, info.networkId, chainId)
}

const wrongChain = (who: string, got: number | null, expected: number): NodeError =>
  new NodeError('node.wrong_chain', `${who}, but Assay asks for Stacks (chain ${expected}).`, {
    hint: 'Correct the address in STACKS_RPC_URL or STACKS_API_URL.',
    facts: { got, expected },
  })
