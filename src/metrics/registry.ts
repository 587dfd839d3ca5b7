import type { Catalog } from '#catalog/index.ts'
import { appMetrics } from './apps/index.ts'
import { blocksCount, blocksEmpty, blocksInterval, blocksStale, blocksWeightFill } from './bitcoin/blocks.ts'
import {
  addressesActive,
  addressesFunded,
  addressesNew,
  addressesUsed,
  coinDaysDestroyed,
  coinDormancy,
  valueEstimated,
  valueTransferred,
  valueTransferredAdjusted,
} from './bitcoin/coins.ts'
import {
  dataByProtocol,
  dataByProtocolFees,
  dataByProtocolVbytes,
  dataInscriptionBytes,
  dataInscriptions,
  dataOpReturnBytes,
  dataProtocolOverlap,
  dataRunes,
} from './bitcoin/dataCarriers.ts'
import {
  feesBlockRate,
  feesMedianTx,
  feesRate,
  feesShare,
  feesShareClaimable,
  feesTotal,
} from './bitcoin/fees.ts'
import {
  l1CostPerTx,
  l1Deposits,
  l1Fees,
  l1ShareOfBlockspace,
  l1Tx,
  l1Value,
  l1Vbytes,
  l1Withdrawals,
  mergeMiningShare,
  stakeBtc,
  stakeNew,
} from './bitcoin/layers.ts'
import {
  minersClaimable,
  minersDifficulty,
  minersHashprice,
  minersHashrate,
  minersNextAdjustment,
  minersPoolHashrate,
  minersRevenue,
  minersSubsidyClaimed,
} from './bitcoin/miners.ts'
import { outputsByType, outputsByTypeValue } from './bitcoin/outputs.ts'
import {
  etfFlow,
  feesConfirm,
  lightningCapacity,
  lightningChannels,
  lightningNodes,
  mempoolBytes,
  mempoolCount,
  mempoolFeeLadder,
  mempoolVbytes,
} from './bitcoin/outsideOnly.ts'
import {
  minersPoolConcentration,
  minersPoolEmpty,
  minersPoolLuck,
  minersPoolMajority,
  minersPoolShare,
} from './bitcoin/pools.ts'
import {
  supplyInflation,
  supplyIssued,
  supplyScheduled,
  supplySpendable,
  supplyUnclaimed,
  supplyUnspendable,
} from './bitcoin/supply.ts'
import {
  txBatching,
  txCount,
  txCountWithCoinbase,
  txMedianVsize,
  txRbfShare,
  txSegwitShare,
  txTaprootShare,
  txVbytes,
} from './bitcoin/transactions.ts'
import { capRealisedBands, utxoAgeBands, utxoByValue, utxoChange, utxoCount } from './bitcoin/utxo.ts'
import {
  capMarket,
  capMvrv,
  capMvrvZ,
  capNupl,
  capNvt,
  capRealised,
  capRealisedPrice,
  capScheduled,
  capSopr,
  capSoprAdjusted,
  priceClose,
  supplyInProfit,
} from './bitcoin/valuation.ts'
import { developerMetrics } from './developers/metrics.ts'
import { indexMetrics } from './indices/index.ts'
import { layerMetrics } from './layers/index.ts'
import { marketMetrics } from './market/index.ts'
import { ratioMetrics } from './market/ratios.ts'
import type { Metric } from './metric.ts'
import { signalMetrics } from './signals/index.ts'
import { STACKS_METRICS } from './stacks/index.ts'
import { treasuryMetrics } from './treasuries/index.ts'
import { yieldMetrics } from './yields/index.ts'

/** Metrics of the rows of Bitcoin and Stacks, which the code knows. */
export const METRICS: readonly Metric[] = [
  blocksCount,
  blocksInterval,
  blocksWeightFill,
  blocksEmpty,
  blocksStale,
  txCount,
  txCountWithCoinbase,
  txVbytes,
  txMedianVsize,
  txBatching,
  txSegwitShare,
  txTaprootShare,
  txRbfShare,
  outputsByType,
  outputsByTypeValue,
  feesTotal,
  feesMedianTx,
  feesRate,
  feesBlockRate,
  feesShare,
  feesShareClaimable,
  feesConfirm,
  minersRevenue,
  minersClaimable,
  minersSubsidyClaimed,
  minersHashrate,
  minersHashprice,
  minersDifficulty,
  minersNextAdjustment,
  minersPoolHashrate,
  minersPoolShare,
  minersPoolEmpty,
  minersPoolConcentration,
  minersPoolMajority,
  minersPoolLuck,
  supplyScheduled,
  supplyUnclaimed,
  supplyIssued,
  supplyUnspendable,
  supplySpendable,
  supplyInflation,
  utxoCount,
  utxoChange,
  utxoByValue,
  utxoAgeBands,
  capRealisedBands,
  coinDaysDestroyed,
  coinDormancy,
  valueTransferred,
  valueTransferredAdjusted,
  valueEstimated,
  addressesActive,
  addressesUsed,
  addressesNew,
  addressesFunded,
  priceClose,
  capMarket,
  capScheduled,
  capRealised,
  capRealisedPrice,
  capMvrv,
  capMvrvZ,
  capNupl,
  supplyInProfit,
  capSopr,
  capSoprAdjusted,
  capNvt,
  dataInscriptions,
  dataInscriptionBytes,
  dataRunes,
  dataOpReturnBytes,
  dataByProtocol,
  dataByProtocolVbytes,
  dataByProtocolFees,
  dataProtocolOverlap,
  mempoolCount,
  mempoolVbytes,
  mempoolBytes,
  mempoolFeeLadder,
  lightningCapacity,
  lightningChannels,
  lightningNodes,
  etfFlow,
  l1Tx,
  l1Vbytes,
  l1Fees,
  l1ShareOfBlockspace,
  l1CostPerTx,
  l1Value,
  l1Deposits,
  l1Withdrawals,
  mergeMiningShare,
  stakeNew,
  stakeBtc,
  ...STACKS_METRICS,
]

/** Every metric there is, in the order in which catalogues list them: those that publishers give, for whom the catalogue names. */
export function metricsOf(catalog: Catalog): readonly Metric[] {
  const known = [
    ...METRICS,
    ...layerMetrics(catalog),
    ...marketMetrics(catalog),
    ...appMetrics(catalog),
    ...treasuryMetrics(catalog),
    ...indexMetrics(catalog),
    ...yieldMetrics(catalog),
    ...developerMetrics(catalog),
  ]
  const all = [...known, ...ratioMetrics(catalog, known)]
  return [...all, ...signalMetrics(catalog, all)]
}
