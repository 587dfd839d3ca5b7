import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { cdpMetrics } from './cdp.ts'
import { dollarCoinMetrics } from './dollarCoins.ts'
import { lendingMetrics } from './lending.ts'
import { liquidStakingMetrics } from './liquidStaking.ts'

/** Figures of lenders, vaults, liquid staking and dollars on Stacks, of those that the catalogue names. */
export const appMetrics = (catalog: Catalog): Metric[] => [
  ...lendingMetrics(catalog),
  ...cdpMetrics(catalog),
  ...liquidStakingMetrics(catalog),
  ...dollarCoinMetrics(catalog),
]
