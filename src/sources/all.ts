import type { Catalog } from '#catalog/index.ts'
import { assessments } from './assessments.ts'
import { BITCOIN_RECORDINGS, BITCOIN_SOURCES } from './bitcoin.ts'
import { defillamaTvl } from './defillama.ts'
import { DEVELOPER_RECORDINGS, developersGit } from './developers.ts'
import { LAYER_RECORDINGS, layerSources } from './layers.ts'
import { alexPools } from './live/alexPools.ts'
import { arkadikoTickers } from './live/arkadikoTickers.ts'
import { bitcoinLayersSupplies } from './live/bitcoinLayers.ts'
import { bitflowPools } from './live/bitflowPools.ts'
import { bitflowTicker } from './live/bitflowTicker.ts'
import { blockscoutStats } from './live/blockscout.ts'
import { coingeckoChart, coingeckoMarkets } from './live/coingecko.ts'
import { coreStaking } from './live/coreStaking.ts'
import { defillamaCoins } from './live/defillamaCoins.ts'
import { defillamaDexs } from './live/defillamaDexs.ts'
import { defillamaFees } from './live/defillamaFees.ts'
import { defillamaProtocols } from './live/defillamaProtocols.ts'
import { defillamaStables } from './live/defillamaStables.ts'
import { defillamaYieldCharts, defillamaYields } from './live/defillamaYields.ts'
import { graniteApi } from './live/graniteApi.ts'
import { growthepieMetrics } from './live/growthepie.ts'
import { l2beatActivity, l2beatTvs } from './live/l2beat.ts'
import { mempoolSpaceLightning, mempoolSpaceMempool } from './live/mempoolSpace.ts'
import { pythHermes } from './live/pythHermes.ts'
import { secFacts } from './live/secFacts.ts'
import { stackingDaoStats } from './live/stackingDao.ts'
import { stacksNfts } from './live/stacksNfts.ts'
import { stacksPox } from './live/stacksPox.ts'
import { stacksReads } from './live/stacksReads.ts'
import { stacksSigners } from './live/stacksSigners.ts'
import { stacksSupply } from './live/stacksSupply.ts'
import { stacksTokens } from './live/stacksTokens.ts'
import { teneroTokens } from './live/teneroTokens.ts'
import { velarPools } from './live/velarPools.ts'
import type { LiveSource } from './live.ts'
import { MARKET_RECORDINGS } from './market.ts'
import { TREASURY_RECORDINGS, treasuryAddresses, treasurySaid } from './recorded/treasuries.ts'
import type { Recording } from './recording.ts'
import type { SourceDeclaration } from './source.ts'
import { STACKS_RECORDINGS, stacksChain } from './stacks.ts'
import { yieldsStated } from './yieldsStated.ts'

/** Recorded series of every chain. */
export const RECORDINGS: readonly Recording[] = [
  ...BITCOIN_RECORDINGS,
  ...STACKS_RECORDINGS,
  ...LAYER_RECORDINGS,
  ...MARKET_RECORDINGS,
  ...TREASURY_RECORDINGS,
  ...DEVELOPER_RECORDINGS,
]

/** Publishers that are asked again and again. */
export const LIVE_SOURCES: readonly LiveSource[] = [
  defillamaTvl,
  defillamaProtocols,
  defillamaStables,
  defillamaDexs,
  defillamaFees,
  defillamaCoins,
  defillamaYields,
  defillamaYieldCharts,
  alexPools,
  bitflowTicker,
  bitflowPools,
  velarPools,
  coingeckoMarkets,
  coingeckoChart,
  bitcoinLayersSupplies,
  l2beatTvs,
  l2beatActivity,
  growthepieMetrics,
  blockscoutStats,
  mempoolSpaceLightning,
  mempoolSpaceMempool,
  coreStaking,
  stacksReads,
  graniteApi,
  arkadikoTickers,
  stackingDaoStats,
  secFacts,
  stacksPox,
  stacksSupply,
  stacksTokens,
  stacksNfts,
  stacksSigners,
  pythHermes,
  teneroTokens,
]

/** Every source that figures may come from, with the chains of the catalogue. */
export const sourcesOf = ({ evm }: Pick<Catalog, 'evm'>): readonly SourceDeclaration[] => [
  ...BITCOIN_SOURCES,
  stacksChain,
  ...STACKS_RECORDINGS,
  ...layerSources(evm),
  ...MARKET_RECORDINGS,
  ...TREASURY_RECORDINGS,
  ...DEVELOPER_RECORDINGS,
  developersGit,
  treasurySaid,
  treasuryAddresses,
  assessments,
  yieldsStated,
  ...LIVE_SOURCES,
]
