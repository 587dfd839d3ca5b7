import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { tvlTotal } from './tvl.ts'

/** Metrics whose figures publishers give: of every layer, token and protocol that the catalogue names a publisher for. */
export const marketMetrics = (catalog: Catalog): Metric[] => [tvlTotal(catalog)]
