import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { exitMetrics } from './exits.ts'
import { rateMetrics } from './rates.ts'
import { realisedMetrics } from './realised.ts'

/** What a bitcoin can earn, what it earned, and what one takes on: for the opportunities of the catalogue. */
export const yieldMetrics = (catalog: Catalog): Metric[] => [
  ...rateMetrics(catalog),
  ...realisedMetrics(catalog),
  ...exitMetrics(catalog),
]
