import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { betweenMetrics } from './between.ts'
import { cdpMetrics } from './cdp.ts'
import { dexMetrics } from './dex.ts'
import { dollarCoinMetrics } from './dollarCoins.ts'
import { healthMetrics } from './health.ts'
import { lendingMetrics } from './lending.ts'
import { liquidStakingMetrics } from './liquidStaking.ts'
import { memeTokenMetrics } from './memeTokens.ts'
import { pooledTokenMetrics } from './pooledTokens.ts'
import { poolMetrics } from './pools.ts'
import { stacksWideMetrics } from './stacksWide.ts'
import { userMetrics } from './users.ts'

/** Figures of applications on Stacks that the catalogue names: from their rows, and from what their contracts answer. */
export const appMetrics = (catalog: Catalog): Metric[] => [
  ...dexMetrics(catalog),
  ...poolMetrics(catalog),
  ...userMetrics(catalog),
  ...betweenMetrics(catalog),
  ...stacksWideMetrics(catalog),
  ...lendingMetrics(catalog),
  ...healthMetrics(catalog),
  ...cdpMetrics(catalog),
  ...liquidStakingMetrics(catalog),
  ...dollarCoinMetrics(catalog),
  ...memeTokenMetrics(catalog),
  ...pooledTokenMetrics(catalog),
]
