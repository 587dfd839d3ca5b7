import type { LayerExplorer, LayersExplorer } from '#explorer/index.ts'
import { headOf, type Part } from './cache/parts.ts'
import type { AsOf, LayerAbout, LayerApi, SourceRef } from './contract.ts'

type Deps = {
  readonly explorer: LayersExplorer
  readonly sources: () => Promise<readonly SourceRef[]>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

/** The answers about an EVM layer, each with the age of its newest block. */
export const createLayersApi =
  ({ explorer, sources, ask }: Deps) =>
  (layer: string): LayerApi => {
    const own = explorer(layer)
    const parts = partsOf(layer)
    const asOf = () => ask(['layer', layer, 'asOf'], parts, () => readAsOf(layer, own, sources))
    const answer = <T extends object>(
      question: unknown[],
      read: () => Promise<T>,
    ): Promise<T & { asOf: AsOf }> =>
      ask(['layer', layer, ...question], parts, async () => ({ ...(await read()), asOf: await asOf() }))
    return {
      about: () => ask(['layer', layer, 'about'], ['layers'], async () => aboutOf(await own.about())),
      blocks: query => answer(['blocks', query.before, query.limit], () => own.blocks(query)),
      headers: query => answer(['headers', query.before, query.limit], () => own.headers(query)),
      block: id => answer(['block', id.toLowerCase()], () => own.block(id)),
      blockTxs: (id, query) =>
        answer(['blockTxs', id.toLowerCase(), query.after, query.limit], () => own.blockTxs(id, query)),
      tx: hash => answer(['tx', hash.toLowerCase()], () => own.tx(hash)),
      // By its spelling: a checksum that does not fit is refused.
      account: address => answer(['account', address], () => own.account(address)),
      contracts: () =>
        answer(['contracts'], async () => {
          const [hot, newest] = await Promise.all([own.hotContracts(), own.newContracts()])
          return { ...hot, newest }
        }),
    }
  }

/** Rootstock’s blocks stand beside the Bitcoin blocks that were mined for them. */
const partsOf = (layer: string): readonly Part[] => [
  headOf(layer),
  ...(layer === 'rootstock' ? (['bitcoin'] as const) : []),
]

function aboutOf(facts: Awaited<ReturnType<LayerExplorer['about']>>): LayerAbout {
  const { id, name, chainId, stack, coin, genesis, blockSeconds, reserve } = facts
  return {
    id,
    name,
    chainId,
    is: facts.about.is,
    onBitcoin: facts.about.onBitcoin,
    stack,
    coin: { symbol: coin.symbol, name: coin.name },
    genesisTime: genesis.timeS === null ? null : new Date(genesis.timeS * 1000).toISOString(),
    blockSeconds,
    takenAtItsWord: facts.headerFormWhy ?? null,
    endpoints: facts.endpoints.map(({ url }) => url),
    explorers: facts.explorers,
    systemContracts: facts.systemContracts.map(({ name, address, role }) => ({ name, address, role })),
    tokens: facts.tokens.map(({ symbol, address, decimals, kind }) => ({ symbol, address, decimals, kind })),
    bridges: facts.bridges.map(bridge => ({
      name: bridge.name,
      kind: bridge.kind,
      addresses: bridge.addresses,
      eventCount: bridge.events.length,
      note: bridge.note ?? null,
    })),
    dapps: facts.dapps.map(({ name, kind, contracts }) => ({
      name,
      kind,
      contracts: contracts.map(({ name, address, role }) => ({ name, address, role })),
    })),
    reserve: {
      asset: reserve.asset,
      addresses: reserve.addresses,
      how: reserve.how ?? null,
      why: reserve.why ?? null,
      note: reserve.note ?? null,
    },
    links: facts.links,
  }
}

/** How old the newest block is, and whether its source still publishes. */
async function readAsOf(layer: string, explorer: LayerExplorer, sources: Deps['sources']): Promise<AsOf> {
  const [tip, known] = await Promise.all([explorer.tip(), sources()])
  if (tip === undefined) return { time: new Date(0).toISOString(), height: null, state: 'recorded' }
  const source = known.find(({ id }) => id === `${layer}.chain`)
  const state =
    source === undefined || source.cadenceSeconds === null || source.state === 'never'
      ? 'recorded'
      : source.state
  return { time: tip.time, height: tip.height, state }
}
