import type { Catalog } from '#catalog/index.ts'
import type { Reader } from '../readRows.ts'
import {
  readStacksAddress,
  readStacksContract,
  type StacksAddressFull,
  type StacksContractFull,
} from './accounts.ts'
import {
  type BurnBlockItem,
  readBurnBlocks,
  readStacksBlock,
  readStacksBlocks,
  readStacksTip,
  type StacksBlockFull,
  type StacksBlockItem,
} from './blocks.ts'
import { type CoinKind, type Coins, createCoins } from './coins/index.ts'
import { createNameBooks, type StacksName } from './names.ts'
import { createSbtcExplorer, type SbtcExplorer } from './sbtc/index.ts'
import type { Sentences } from './sentences/index.ts'
import type { Speaker } from './speak.ts'
import { readStacksBlockTxs, readStacksTx, type StacksTxFull, type StacksTxItem } from './txs.ts'

import { readYield, type YieldFull } from './yields/index.ts'

type Listed<Item> = { items: Item[]; next: string | null }

/** Stacks as pages show it. Each throws ExplorerError for what is not held. */
export type StacksExplorer = {
  tip(): Promise<{ height: number; time: string } | undefined>
  blocks(query: { before?: number; limit?: number }): Promise<Listed<StacksBlockItem>>
  block(heightOrHash: string): Promise<StacksBlockFull>
  blockTxs(heightOrHash: string, query: { after?: number; limit?: number }): Promise<Listed<StacksTxItem>>
  tx(txid: string): Promise<StacksTxFull>
  contract(contract: string): Promise<StacksContractFull>
  address(address: string): Promise<StacksAddressFull>
  burnBlocks(query: { before?: number; limit?: number }): Promise<Listed<BurnBlockItem>>
  /** Who has a name such as `muneeb.btc`. */
  name(name: string): Promise<StacksName>
  /** All names of an address in the blocks held, the primary one first. */
  namesOf(address: string): Promise<readonly StacksName[]>
  /** Coins of a kind with their holders, trades and flags, as of a minute ago at most. */
  coins(kind: CoinKind): Promise<Coins>
  readonly sbtc: SbtcExplorer
  yield(address: string): Promise<YieldFull>
}

const HIGHEST = 0xffff_ffff

export function createStacksExplorer(
  reader: Reader,
  sentences: () => Promise<Sentences>,
  catalog: Pick<Catalog, 'tokens' | 'tokenRules'>,
): StacksExplorer {
  const names = createNameBooks(reader)
  return {
    ...createSpeaking({ reader, sentences, names }),
    coins: createCoins({ reader, sentences, names, catalog }),
  }
}

const createSpeaking = (speaker: Speaker): Omit<StacksExplorer, 'coins'> => ({
  tip: () => readStacksTip(speaker.reader),
  blocks: ({ before = HIGHEST, limit = 20 }) => readStacksBlocks(speaker.reader, { before, limit }),
  block: id => readStacksBlock(speaker.reader, id),
  blockTxs: (id, { after = -1, limit = 50 }) => readStacksBlockTxs(speaker, id, { after, limit }),
  tx: txid => readStacksTx(speaker, txid),
  contract: contract => readStacksContract(speaker, contract),
  address: address => readStacksAddress(speaker, address),
  burnBlocks: ({ before = HIGHEST, limit = 20 }) => readBurnBlocks(speaker.reader, { before, limit }),
  name: async name => (await speaker.names()).find(name),
  namesOf: async address => (await speaker.names()).of(address),
  sbtc: createSbtcExplorer(speaker.reader),
  yield: address => readYield(speaker.reader, address),
})
