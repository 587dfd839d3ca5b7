import { feesTotal } from './bitcoin/feesTotal.ts'
import type { Metric } from './metric.ts'

/** Every metric there is, in the order in which catalogues list them. */
export const METRICS: readonly Metric[] = [feesTotal]
