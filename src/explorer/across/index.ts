import type { Catalog } from '#catalog/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { lasting } from '#kernel/lasting.ts'
import { unknownLayer } from '../errors.ts'
import type { LayerCatalog } from '../layers/index.ts'
import type { Reader } from '../readRows.ts'
import { type Balances, type NodeBalances, readBalances } from './balances/index.ts'
import { readBlocksAt } from './blocksAt.ts'
import type { ChainHeld, ChainId } from './chains.ts'
import { chainsOf, readHeld } from './chains.ts'
import { type Collections, readCollections } from './collections.ts'
import {
  type DeployedContract,
  type DeployedQuery,
  type DeployedSummary,
  readDeployed,
  readDeployedSummary,
} from './deployed.ts'
import { type ContractFamilies, readFamilies } from './families.ts'
import { type HotContracts, readHotContracts } from './hotContracts.ts'
import type { Span } from './hours.ts'
import { type Mints, readMints } from './mints.ts'
import { type Names, namesOf, tokensOf } from './names.ts'
import { type PopularCalls, readPopularCalls } from './popularCalls.ts'

import { type FungibleTokens, readFungibleTokens } from './tokens.ts'
import { readValueLocked, type ValueLocked } from './valueLocked.ts'

type Spanned = { span: Span; chain?: ChainId }

type OfChain = { chain?: ChainId }

/** What is asked of all chains at once. */
export type AcrossExplorer = {
  /** The chains of which blocks are held. */
  held(): Promise<ChainHeld[]>
  /** Which of them hold a block of this height. */
  blocksAt(height: number): Promise<ChainId[]>
  hotContracts(query: Spanned): Promise<HotContracts>
  popularCalls(query: Spanned): Promise<PopularCalls>
  /** Throws `explorer.cursor`. */
  deployed(query: DeployedQuery): Promise<{ items: DeployedContract[]; next: string | null }>
  deployedSummary(query: { chain?: ChainId }): Promise<DeployedSummary>
  families(): Promise<ContractFamilies>
  tokens(query: OfChain): Promise<FungibleTokens>
  collections(query: OfChain): Promise<Collections>
  mints(query: OfChain): Promise<Mints>
  valueLocked(): Promise<ValueLocked>
  /** Of up to a thousand lines, an address each. */
  balances(lines: readonly string[]): Promise<Balances>
}

type Deps = {
  readonly reader: Reader
  readonly catalog: Pick<Catalog, 'evm' | 'tokens' | 'protocols' | 'collections'>
  /** Facts of the EVM layers, asked for with the first question. */
  readonly layers: () => Promise<LayerCatalog>
  readonly network: Network
  /** Nodes that know what accounts have now, asked for with the first question. */
  readonly nodes?: () => Promise<readonly NodeBalances[]>
}

export function createAcrossExplorer({ reader, catalog, layers, network, nodes }: Deps): AcrossExplorer {
  const words = lasting(async () => {
    const facts = await layers()
    return { names: namesOf(catalog, facts), tokens: tokensOf(catalog, facts) }
  })
  const chains = chainsOf(catalog)
  /** What is asked of one chain, where that is one. Throws `explorer.layer`. */
  const known = <Query extends OfChain>(query: Query): Query => {
    if (query.chain !== undefined && !chains.includes(query.chain)) throw unknownLayer(query.chain, chains)
    return query
  }
  const names = async (): Promise<Names> => (await words()).names
  return {
    held: () => readHeld(reader, chains),
    blocksAt: height => readBlocksAt(reader, height),
    hotContracts: async query => readHotContracts(reader, chains, await names(), known(query)),
    popularCalls: async query => readPopularCalls(reader, chains, await names(), known(query)),
    deployed: async query => readDeployed(reader, await names(), known(query)),
    deployedSummary: async query => readDeployedSummary(reader, chains, known(query)),
    families: () => readFamilies(reader),
    tokens: async query => readFungibleTokens(reader, chains, await names(), catalog, known(query)),
    collections: async query => readCollections(reader, chains, await names(), known(query)),
    valueLocked: () => readValueLocked(reader, chains, catalog),
    mints: async query => readMints(reader, chains, await names(), known(query)),
    balances: async lines =>
      readBalances(
        { reader, chains, network, tokenOf: (await words()).tokens, nodes: (await nodes?.()) ?? [] },
        lines,
      ),
  }
}
