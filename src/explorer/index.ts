import type { Catalog } from '#catalog/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import type { NodeBalances } from './across/balances/index.ts'
import { type AcrossExplorer, createAcrossExplorer } from './across/index.ts'
import { type AppRow, readAppTable } from './apps/index.ts'
import { type BlockFull, readBlock } from './block.ts'
import { type BlockList, type BlockOrigin, readBlocks } from './blocks.ts'
import { readBlockTxs, type TxItem } from './blockTxs.ts'
import { type IndexMarket, readIndexMarket } from './indices/index.ts'
import type { LayerCatalog, LayersExplorer } from './layers/index.ts'
import { createLazyLayers } from './layers/lazy.ts'
import type { Reader } from './readRows.ts'
import { createStacksExplorer, type StacksExplorer } from './stacks/index.ts'
import type { Sentences } from './stacks/sentences/index.ts'
import { readTx, type TxFull } from './tx.ts'

export type { NodeBalances } from './across/balances/index.ts'
export type { AcrossExplorer } from './across/index.ts'
export { APP_TABLES, type AppColumn, type AppRow, type AppTable, appOf, CELL_FORMS } from './apps/index.ts'
export type { BlockFull } from './block.ts'
export type { BlockItem, BlockList } from './blocks.ts'
export type { TxItem } from './blockTxs.ts'
export { DEVELOPER_TABLES, type DeveloperTable } from './developers/index.ts'
export {
  INDEX_TABLES,
  INDICES_TABLES,
  type IndexMarket,
  type IndexTable,
  inputsSql,
} from './indices/index.ts'
export type { LayerExplorer, LayersExplorer } from './layers/index.ts'
export type { StacksExplorer } from './stacks/index.ts'
export { readSentences, type Sentences, transactionSentence } from './stacks/sentences/index.ts'
export { STACKS_TABLES, type StacksTable } from './stacks/tables/index.ts'
export { TREASURIES_TABLES, TREASURY_TABLES, type TreasuryTable } from './treasuries/index.ts'
export type { TxFull } from './tx.ts'
export { OPPORTUNITY_TABLES, type OpportunityTable } from './yields/index.ts'

/** Blocks and transactions as pages show them. Each throws ExplorerError for what is not held. */
export type Explorer = {
  blocks(query: { before?: number; limit?: number; origin?: BlockOrigin }): Promise<BlockList>
  block(heightOrHash: string): Promise<BlockFull>
  blockTxs(
    heightOrHash: string,
    query: { after?: number; limit?: number },
  ): Promise<{ items: TxItem[]; next: string | null }>
  tx(txid: string): Promise<TxFull>
  readonly stacks: StacksExplorer
  /** Rows of a table of an application’s page. */
  appTable(sql: string): Promise<AppRow[]>
  /** What an index may be built from. */
  indexMarket(): Promise<IndexMarket>
  /** Throws `explorer.layer` for a name that is none. */
  readonly layer: LayersExplorer
  readonly across: AcrossExplorer
}

const HIGHEST = 0xffff_ffff

export function createExplorer({
  warehouse,
  network,
  layers,
  catalog,
  nodes,
  sentences,
}: {
  warehouse: { reader: Reader }
  network: Network
  /** The facts of the EVM layers, asked for with the first question about one. */
  layers: () => Promise<LayerCatalog>
  /** Which layers there are, and what contracts of all chains are called. */
  catalog: Pick<Catalog, 'evm' | 'tokens' | 'protocols' | 'collections' | 'tokenRules'>
  /** Nodes that know what accounts have now, asked for with the first question. */
  nodes?: () => Promise<readonly NodeBalances[]>
  /** How calls and prints of Stacks read, asked for with the first question about one. */
  sentences: () => Promise<Sentences>
}): Explorer {
  const { reader } = warehouse
  return {
    blocks: ({ before = HIGHEST, limit = 20, origin }) => readBlocks(reader, { before, limit, origin }),
    block: heightOrHash => readBlock(reader, heightOrHash),
    blockTxs: (heightOrHash, { after = -1, limit = 50 }) =>
      readBlockTxs(reader, heightOrHash, { after, limit }),
    tx: txid => readTx(reader, network, txid.toLowerCase()),
    stacks: createStacksExplorer(reader, sentences, catalog),
    appTable: sql => readAppTable(reader, sql),
    indexMarket: () => readIndexMarket(reader),
    layer: createLazyLayers(
      reader,
      catalog.evm.map(({ id }) => id),
      layers,
    ),
    across: createAcrossExplorer({ reader, catalog, layers, network, ...(nodes && { nodes }) }),
  }
}
