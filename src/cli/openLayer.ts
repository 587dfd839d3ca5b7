import {
  createEventIndex,
  type EvmChainFacts,
  eventsOf,
  evmChainOf,
  openEvmCodec,
} from '#chains/evm/index.ts'
import {
  createEvmSource,
  type EndpointConfig,
  type EvmSource,
  openEvmClient,
} from '#chains/evm/node/index.ts'
import { type EvmIngest, openEvmIngest } from '#ingest/evm/index.ts'
import { ConfigError } from '#kernel/errors.ts'
import { type EvmLayer, rpcVariableOf } from '#kernel/evm.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { type Config, PUBLIC_ENDPOINTS } from '../config.ts'
import { catalogDir, type Rooms } from '../main.ts'

/** What a command needs of a layer. Loaded only by commands that were asked for one: it brings the EVM codec with it. */
export type Layer = AsyncDisposable & {
  readonly facts: EvmChainFacts
  readonly source: EvmSource
  /** Takes the lease of the layer's ingest. Throws `ingest.locked` while another process holds it. */
  openIngest(more?: { allowDeepReorg?: boolean }): Promise<EvmIngest>
}

/** The layer as the configuration has it. Throws a ConfigError that names its variable where that is not set. */
export async function openLayer({ config, warehouse, log }: Rooms, layer: EvmLayer): Promise<Layer> {
  const { facts, events } = await factsOf(config, layer)
  const settings = config.layers[layer]
  if (settings === undefined)
    throw new ConfigError('config.no_node', `No endpoint of ${facts.name} is configured.`, {
      hint: `Set ${rpcVariableOf(layer)}: addresses of JSON-RPC, or \`${PUBLIC_ENDPOINTS}\` for those of the catalog.`,
    })
  const codec = openEvmCodec(evmChainOf(facts))
  const source = sourceOf(facts, settings.endpoints)
  return {
    facts,
    source,
    openIngest: (more = {}) =>
      openEvmIngest({
        warehouse,
        home: config.home,
        layer,
        name: facts.name,
        codec,
        events,
        source,
        log,
        genesisHash: facts.genesis.hash,
        startHeight: settings.startHeight,
        pollMs: pollMsOf(facts),
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      source[Symbol.dispose]()
    },
  }
}

/** A source of a layer at one address, for a second opinion. */
export async function openSecondSource(config: Config, layer: EvmLayer, url: string): Promise<EvmSource> {
  const { facts } = await factsOf(config, layer)
  return sourceOf(facts, [url])
}

async function factsOf(config: Config, layer: EvmLayer) {
  const { chains, events } = await readEvmCatalog(catalogDir(config))
  // The catalogue was read for all layers, in their order; its reader vouches for each.
  const facts = chains.find(({ id }) => id === layer)!
  return { facts, events: createEventIndex(eventsOf(events, facts)) }
}

function sourceOf(facts: EvmChainFacts, endpoints: readonly string[]): EvmSource {
  const listed = facts.endpoints.map(({ url, requestsPerMinute }) => ({ url, requestsPerMinute }))
  const configs = endpoints.flatMap((url): EndpointConfig[] =>
    url === PUBLIC_ENDPOINTS ? listed : [listed.find(each => each.url === url) ?? { url }],
  )
  if (configs.length === 0)
    throw new ConfigError('config.no_node', `The catalog lists no public endpoint of ${facts.name}.`, {
      hint: `Name an address in ${rpcVariableOf(facts.id)}.`,
    })
  const client = openEvmClient({ chainId: facts.chainId, chainName: facts.name, endpoints: configs })
  return createEvmSource(openEvmCodec(evmChainOf(facts)), client, { traces: true })
}

const SLOWEST_POLL_MS = 5_000
const FASTEST_POLL_MS = 1_000

/** Twice a block, so that the tip lags by less than one. */
const pollMsOf = ({ blockSeconds }: EvmChainFacts): number =>
  Math.min(SLOWEST_POLL_MS, Math.max(FASTEST_POLL_MS, (blockSeconds ?? 2) * 500))
