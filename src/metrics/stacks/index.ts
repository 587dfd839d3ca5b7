import type { Metric } from '../metric.ts'
import { stacksBlocksCount, stacksBlockTime, tenuresBlocksPer, tenuresCount, tenuresEmpty } from './blocks.ts'
import { BOND_METRICS } from './bonds.ts'
import { CLARITY_METRICS } from './clarity.ts'
import { callsByContract, callsByFunction, contractsDeployed, contractsKnown } from './contracts.ts'
import { EXIT_METRICS } from './exits.ts'
import { MINER_METRICS } from './miners.ts'
import {
  minersActive,
  minersBid,
  minersCommits,
  minersHhi,
  minersSpend,
  stacksMinersReward,
} from './mining.ts'
import { NFT_METRICS } from './nfts.ts'
import {
  poolCycle,
  poolPaidOut,
  poolReward,
  poolStacked,
  poolStackedForStx,
  poolStackers,
  poolYield,
  poxSigners,
  poxStacked,
  poxStackers,
} from './pox.ts'
import { POX_CYCLE_METRICS } from './poxCycles.ts'
import { SBTC_METRICS } from './sbtc.ts'
import { SIGNING_METRICS } from './signing.ts'
import { sip031External, sip031Inflow, sip031Internal } from './sip031.ts'
import { SIP031_METRICS } from './sip031Emission.ts'
import { supplyEmitted, supplyPlanned } from './supply.ts'
import { TOKEN_METRICS } from './tokens.ts'
import {
  stacksFeesMedian,
  stacksFeesTotal,
  stacksSenders,
  stacksTxCount,
  stacksTxFailedShare,
} from './transactions.ts'
import { VOTE_METRICS } from './votes.ts'

/** Metrics of Stacks, in the order in which catalogues list them. */
export const STACKS_METRICS: readonly Metric[] = [
  stacksTxCount,
  stacksTxFailedShare,
  stacksFeesTotal,
  stacksFeesMedian,
  stacksSenders,
  stacksBlocksCount,
  stacksBlockTime,
  tenuresCount,
  tenuresBlocksPer,
  tenuresEmpty,
  callsByContract,
  callsByFunction,
  contractsDeployed,
  contractsKnown,
  ...CLARITY_METRICS,
  supplyEmitted,
  supplyPlanned,
  minersBid,
  minersSpend,
  minersCommits,
  minersActive,
  minersHhi,
  stacksMinersReward,
  poxStacked,
  poxStackers,
  poxSigners,
  poolStacked,
  poolStackers,
  poolCycle,
  poolStackedForStx,
  poolPaidOut,
  poolReward,
  poolYield,
  sip031Inflow,
  sip031Internal,
  sip031External,
  ...POX_CYCLE_METRICS,
  ...SIGNING_METRICS,
  ...BOND_METRICS,
  ...SBTC_METRICS,
  ...EXIT_METRICS,
  ...TOKEN_METRICS,
  ...NFT_METRICS,
  ...MINER_METRICS,
  ...SIP031_METRICS,
  ...VOTE_METRICS,
]
