import { openStacksCodec } from '#chains/stacks/index.ts'
import {
  NodeError,
  openStacksSource,
  type StacksEndpointConfig,
  type StacksSource,
} from '#chains/stacks/node/index.ts'
import { ConfigError } from '#kernel/errors.ts'
import type { Config } from '../config.ts'

/** Below the 50 and 500 requests a minute that the public API takes, with room for the names of tokens, which are asked beside. */
const REQUESTS_PER_MINUTE = 38
const WITH_KEY = 380
/** Services of the company behind the public API: they count requests. */
const COUNTS = /(^|\.)hiro\.so$/

/** The source of the configuration. Throws a ConfigError that names the variables where there is none. */
export function openStacksSourceOf({ stacks }: Config): StacksSource {
  const { nodes, apis, chainId } = stacks
  if (nodes.length + apis.length === 0)
    throw new ConfigError('config.no_node', 'No Stacks source is configured.', {
      hint: 'Set STACKS_RPC_URL to a node, or STACKS_API_URL to the public API.',
    })
  return openStacksSource({
    codec: openStacksCodec(),
    nodes: nodes.map(url => ({ url })),
    apis: apis.map(url => apiOf(url, stacks.apiKey)),
    chainId,
  })
}

/** A source at one address, for a second opinion: the public API where it answers as that, else a node's RPC. */
export async function openSecondStacksSource({ stacks }: Config, url: string): Promise<StacksSource> {
  const open = (isApi: boolean): StacksSource =>
    openStacksSource({
      codec: openStacksCodec(),
      nodes: isApi ? [] : [{ url }],
      apis: isApi ? [apiOf(url, stacks.apiKey)] : [],
      chainId: stacks.chainId,
    })
  const api = open(true)
  try {
    await api.tip()
    return api
  } catch (thrown) {
    api[Symbol.dispose]()
    // A node has nothing under the paths of the API.
    if (thrown instanceof NodeError && thrown.code === 'node.reorged') return open(false)
    throw thrown
  }
}

function apiOf(url: string, apiKey: string | undefined): StacksEndpointConfig {
  const isCounted = COUNTS.test(URL.parse(url)?.hostname ?? '')
  return {
    url,
    ...(isCounted && { requestsPerMinute: apiKey === undefined ? REQUESTS_PER_MINUTE : WITH_KEY }),
    ...(apiKey !== undefined && { apiKey }),
  }
}
