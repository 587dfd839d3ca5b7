export { ageState } from './age.ts'
export type * from './answers.ts'
export { createMetrics, type Metrics } from './createMetrics.ts'
export { MetricsError } from './errors.ts'
export { type Backtest, backtest, type Rebalancing } from './indices/engine/backtest.ts'
export {
  daysBetween,
  type IndexRules,
  type Market,
  REBALANCES,
  type Rebalance,
  type TokenHistory,
  WEIGHTINGS,
  type Weighting,
} from './indices/engine/market.ts'
export { dailyLogReturns, type LevelStatistics, statisticsOf } from './indices/engine/statistics.ts'
export { INDEX_LIMITS } from './indices/limits.ts'
export {
  DEVELOPERS_MARK,
  type Family,
  familiesOf,
  INDICES_MARK,
  OBSERVED_SQL,
  TREASURIES_MARK,
  YIELDS_MARK,
} from './marks.ts'
export type { RefreshResult, RollupProgress } from './rollups/refresh.ts'
export {
  type Composite,
  correctedOf,
  type Evaluation,
  GOOD_FOR_DAYS,
  HORIZONS,
  LEAST_EVENTS,
  LEAST_MEMBERS,
  type SignalRecord,
  VERDICTS,
  verdictOf,
} from './signals/index.ts'
export type { ReadSignal } from './signals/readSignal.ts'
export { loadSnapshot, type SnapshotProgress } from './snapshot/loadSnapshot.ts'
export type { Standing } from './standing.ts'
