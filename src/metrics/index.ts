export type * from './answers.ts'
export { createMetrics, type Metrics } from './createMetrics.ts'
export { MetricsError } from './errors.ts'
export type { RefreshResult, RollupProgress } from './rollups/refresh.ts'
