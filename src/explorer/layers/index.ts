import type { EvmLayer } from '#kernel/evm.ts'
import { lasting } from '#kernel/lasting.ts'
import { unknownLayer } from '../errors.ts'
import type { Reader } from '../readRows.ts'
import { type LayerAccount, readLayerAccount } from './accounts.ts'
import {
  type LayerBlockFull,
  type LayerBlockItem,
  type LayerHeader,
  readLayerBlock,
  readLayerBlocks,
  readLayerHeaders,
  readLayerTip,
} from './blocks.ts'
import { type LayerCatalog, type LayerWords, layerWords } from './facts.ts'
import { type HotContracts, type NewContract, readHotContracts, readNewContracts } from './hot.ts'
import { type LayerTxFull, type LayerTxItem, readLayerBlockTxs, readLayerTx } from './txs.ts'

export type { LayerCatalog } from './facts.ts'

type Listed<Item> = { items: Item[]; next: string | null }
type Below = { before?: number; limit?: number }

/** One EVM layer as pages show it. Each throws ExplorerError for what is not held. */
export type LayerExplorer = {
  tip(): Promise<{ height: number; time: string } | undefined>
  blocks(query: Below): Promise<Listed<LayerBlockItem>>
  headers(query: Below): Promise<Listed<LayerHeader>>
  block(
    heightOrHash: string,
  ): Promise<{ block: LayerBlockFull; header: null } | { block: null; header: LayerHeader }>
  blockTxs(heightOrHash: string, query: { after?: number; limit?: number }): Promise<Listed<LayerTxItem>>
  tx(hash: string): Promise<LayerTxFull>
  account(address: string): Promise<LayerAccount>
  hotContracts(): Promise<HotContracts>
  newContracts(): Promise<NewContract[]>
  /** What the catalogue says of the layer. */
  about(): Promise<LayerWords['facts']>
}

export type LayersExplorer = (layer: string) => LayerExplorer

const HIGHEST = 0xffff_ffff

/** `layers` are those of the catalogue, whose facts are asked for once, with the first question. */
export function createLayersExplorer(
  reader: Reader,
  layers: readonly EvmLayer[],
  catalog: () => Promise<LayerCatalog>,
): LayersExplorer {
  const read = lasting(catalog)
  const words = new Map<EvmLayer, LayerWords>()
  const wordsOf = async (layer: EvmLayer): Promise<LayerWords> => {
    const known = words.get(layer) ?? layerWords(await read(), layer)
    words.set(layer, known)
    return known
  }
  return layer => {
    if (!layers.includes(layer)) throw unknownLayer(layer, layers)
    const asWords = () => wordsOf(layer)
    return {
      tip: async () => readLayerTip(reader, await asWords()),
      blocks: async ({ before = HIGHEST, limit = 20 }) =>
        readLayerBlocks(reader, await asWords(), { before, limit }),
      headers: async ({ before = HIGHEST, limit = 20 }) =>
        readLayerHeaders(reader, await asWords(), { before, limit }),
      block: async id => readLayerBlock(reader, await asWords(), id),
      blockTxs: async (id, { after = -1, limit = 50 }) =>
        readLayerBlockTxs(reader, await asWords(), id, { after, limit }),
      tx: async hash => readLayerTx(reader, await asWords(), hash),
      account: async address => readLayerAccount(reader, await asWords(), address),
      hotContracts: async () => readHotContracts(reader, await asWords()),
      newContracts: async () => readNewContracts(reader, await asWords()),
      about: async () => (await asWords()).facts,
    }
  }
}
