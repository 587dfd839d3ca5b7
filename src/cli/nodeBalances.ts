import type { NodeBalances } from '#explorer/index.ts'
import { type Config, PUBLIC_ENDPOINTS } from '../config.ts'
import { catalogDir, followedLayers } from '../main.ts'

export type OpenNodeBalances = AsyncDisposable & { readonly nodes: readonly NodeBalances[] }

/** The nodes of the configuration that know what accounts have now. Loaded with the first question: it brings the codec of EVM chains with it. */
export async function openNodeBalances(config: Config): Promise<OpenNodeBalances> {
  using opening = new DisposableStack()
  const [
    { evmNodeBalances, stacksNodeBalances },
    { openEvmClient },
    { openStacksAccounts },
    { readEvmCatalog },
  ] = await Promise.all([
    import('#explorer/across/balances/nodes.ts'),
    import('#chains/evm/node/index.ts'),
    import('#chains/stacks/node/index.ts'),
    import('#metrics/evmCatalog.ts'),
  ])
  const layers = followedLayers(config)
  const { chains } = layers.length === 0 ? { chains: [] } : await readEvmCatalog(catalogDir(config))
  const ofLayers = layers.flatMap(layer => {
    const facts = chains.find(({ id }) => id === layer)
    const asked = config.layers[layer]
    if (facts === undefined || asked === undefined) return []
    const listed = facts.endpoints.map(({ url, requestsPerMinute }) => ({ url, requestsPerMinute }))
    const endpoints = asked.endpoints.flatMap(url =>
      url === PUBLIC_ENDPOINTS ? listed : [listed.find(each => each.url === url) ?? { url }],
    )
    // One round: a page does not wait for a second.
    const client = opening.use(
      openEvmClient({ chainId: facts.chainId, chainName: facts.name, endpoints, rounds: 1 }),
    )
    return [evmNodeBalances(layer, facts.name, client)]
  })
  const { nodes, apis, apiKey } = config.stacks
  const [url] = [...nodes, ...apis]
  const ofStacks =
    url === undefined
      ? []
      : [
          stacksNodeBalances(
            opening.use(
              openStacksAccounts({ url, ...(apiKey !== undefined && apis.includes(url) && { apiKey }) }),
            ),
          ),
        ]
  const opened = opening.move()
  return { nodes: [...ofStacks, ...ofLayers], [Symbol.asyncDispose]: async () => opened.dispose() }
}
