import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { fundMetrics } from './funds.ts'
import { holdingMetrics } from './holdings.ts'
import { marketMetrics } from './market.ts'
import { togetherMetrics } from './together.ts'

/** What holders of bitcoin have, and what the market makes of it: for whom the catalogue names. */
export const treasuryMetrics = (catalog: Catalog): Metric[] => [
  ...holdingMetrics(catalog),
  ...togetherMetrics(catalog),
  ...fundMetrics(catalog),
  ...marketMetrics(catalog),
]
