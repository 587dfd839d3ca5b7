import type { EvmLayer } from '#kernel/evm.ts'
import { lasting } from '#kernel/lasting.ts'
import type { Reader } from '../readRows.ts'
import type { LayerCatalog, LayerExplorer, LayersExplorer } from './index.ts'

/** The layers' explorer, loaded with the first question: the codec of EVM chains takes half a second to load. */
export function createLazyLayers(
  reader: Reader,
  layers: readonly EvmLayer[],
  catalog: () => Promise<LayerCatalog>,
): LayersExplorer {
  const load = lasting(async () => (await import('./index.ts')).createLayersExplorer(reader, layers, catalog))
  const open = async (layer: string): Promise<LayerExplorer> => (await load())(layer)
  return layer => ({
    tip: async () => (await open(layer)).tip(),
    blocks: async query => (await open(layer)).blocks(query),
    headers: async query => (await open(layer)).headers(query),
    block: async id => (await open(layer)).block(id),
    blockTxs: async (id, query) => (await open(layer)).blockTxs(id, query),
    tx: async hash => (await open(layer)).tx(hash),
    account: async address => (await open(layer)).account(address),
    hotContracts: async () => (await open(layer)).hotContracts(),
    newContracts: async () => (await open(layer)).newContracts(),
    about: async () => (await open(layer)).about(),
  })
}
