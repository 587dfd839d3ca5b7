import type { Catalog } from '#catalog/index.ts'
import type { Table } from '#kernel/table.ts'
import { familyViews } from './batchFamily.ts'
import type { Fill } from './ddl.ts'
import { BATCH_FAMILIES } from './families.ts'
import { btcBlockStats, btcRefusedBlocks } from './tables/bitcoin.ts'
import { DEVELOPER_TABLES } from './tables/developers.ts'
import { evmHeaders, evmTokens } from './tables/evm.ts'
import { FOLLOWING_TABLES } from './tables/following.ts'
import { INDEX_TABLES } from './tables/indices.ts'
import { observations, prices, sources } from './tables/observations.ts'
import { STX_FACT_TABLES } from './tables/stacksBurn.ts'
import { stxReads } from './tables/stacksReads.ts'
import { STX_RECORD_TABLES } from './tables/stacksRecords.ts'
import { stxBlockSigners } from './tables/stacksSigners.ts'
import { stxTokenMetadata } from './tables/stacksTokenMetadata.ts'
import { stxTokens } from './tables/stacksTokens.ts'
import { TREASURY_TABLES } from './tables/treasuries.ts'
import { YIELD_TABLES, yieldListings } from './tables/yields.ts'
import { factView, plainView, type View } from './view.ts'
import { appViews } from './views/apps.ts'
import { btcOutpointsFill } from './views/bitcoin.ts'
import { BNS_VIEWS } from './views/bns.ts'
import { chainViews } from './views/chains.ts'
import { DEVELOPER_VIEWS } from './views/developers.ts'
import { dexViews } from './views/dex.ts'
import { EVM_VIEWS } from './views/evm.ts'
import { FOOTPRINT_VIEWS } from './views/footprint.ts'
import { INDEX_VIEWS } from './views/indices.ts'
import { METRIC_TABLES, METRIC_VIEWS } from './views/metrics.ts'
import { NFT_VIEWS } from './views/nfts.ts'
import { POX_VIEWS } from './views/pox.ts'
import { POX5_VIEWS } from './views/pox5.ts'
import { SBTC_VIEWS } from './views/sbtc.ts'
import { STX_TOKEN_VIEWS } from './views/stacksTokens.ts'
import { TREASURY_VIEWS } from './views/treasuries.ts'
import { YIELD_VIEWS } from './views/yields.ts'

const PLAIN_TABLES: readonly Table[] = [
  btcBlockStats,
  btcRefusedBlocks,
  evmHeaders,
  observations,
  prices,
  sources,
  ...STX_RECORD_TABLES,
  stxReads,
  ...TREASURY_TABLES,
  ...INDEX_TABLES,
  ...YIELD_TABLES,
  stxTokenMetadata,
]

/** What a warehouse holds, in the order in which it is made. */
export type Schema = {
  /** The EVM layers of the catalogue, in its order; absent where no table names one. */
  readonly layers?: readonly string[]
  readonly tables: readonly Table[]
  /** Views of the database `base`, for our own statements and for the views below. */
  readonly baseViews: readonly View[]
  /** What the engine does at each insert. */
  readonly fills: readonly Fill[]
  /** Views of the database `default`. */
  readonly views: readonly View[]
}

/** Of a catalogue: its EVM layers, what its applications print, and tokens of pools. */
export type Declared = {
  readonly evm: readonly { readonly id: string }[]
  readonly stacksApps: Catalog['stacksApps']
  /** Absent: no token is listed. */
  readonly dexTokens?: Catalog['dexTokens']
}

/** Everything, for a catalogue. */
export const schemaOf = ({ evm, stacksApps, dexTokens }: Declared): Schema => ({
  layers: evm.map(({ id }) => id),
  tables: [
    ...BATCH_FAMILIES.flatMap(({ tables, log, stale, states }) => [...tables, log, stale, states]),
    ...PLAIN_TABLES,
    evmTokens,
    stxTokens,
    stxBlockSigners,
    ...FOLLOWING_TABLES,
    ...STX_FACT_TABLES,
    yieldListings,
    ...METRIC_TABLES,
    ...DEVELOPER_TABLES,
  ],
  baseViews: BATCH_FAMILIES.map(({ live }) => live),
  fills: [btcOutpointsFill],
  views: [
    ...BATCH_FAMILIES.flatMap(familyViews),
    ...PLAIN_TABLES.map(plainView),
    ...EVM_VIEWS,
    ...chainViews(evm.map(({ id }) => id)),
    ...[...STX_FACT_TABLES, yieldListings].map(factView),
    ...SBTC_VIEWS,
    ...POX_VIEWS,
    ...POX5_VIEWS,
    ...STX_TOKEN_VIEWS,
    ...BNS_VIEWS,
    ...NFT_VIEWS,
    ...FOOTPRINT_VIEWS,
    ...METRIC_VIEWS,
    ...dexViews(dexTokens?.tokens ?? []),
    ...TREASURY_VIEWS,
    ...DEVELOPER_VIEWS,
    ...INDEX_VIEWS,
    ...appViews(stacksApps),
    ...YIELD_VIEWS,
  ],
})
