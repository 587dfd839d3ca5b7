import type { Table } from '#kernel/table.ts'
import { CALL_HOUR_TABLES } from '../tables/callHours.ts'
import { INDEX_KEPT_TABLES } from '../tables/indices.ts'
import { evmCoveredDays, LAYER_ROLLUP_TABLES } from '../tables/layerRollups.ts'
import {
  btcBlockRuns,
  btcCoveredDays,
  btcDifficultyEpochs,
  btcUsdDaily,
  ROLLUP_TABLES,
  rollupRuns,
} from '../tables/rollups.ts'
import { STX_DEX_TABLES } from '../tables/stacksDex.ts'
import { STX_ROLLUP_TABLES, stxCoveredDays } from '../tables/stacksRollups.ts'
import { TREASURY_KEPT_TABLES } from '../tables/treasuries.ts'
import { plainView, type View } from '../view.ts'
import {
  btcBlockFactsView,
  btcBlockRunsView,
  btcDaysSinceGenesis,
  btcStatisticsFacts,
  btcWholeDays,
} from './blockFacts.ts'
import { CALL_HOUR_VIEWS } from './callHours.ts'
import { evmBucketSignatures, evmWholeDays } from './layerRollups.ts'
import { btcUsdDailyView, latestObservations, usdCloses } from './market.ts'
import { btcBucketSignatures, rollupsLive, rollupViews } from './rollups.ts'
import { stxBucketSignatures, stxUntoldDays, stxWholeDays } from './stacksRollups.ts'

/** Tables that metrics keep besides the base rows. */
export const METRIC_TABLES: readonly Table[] = [
  ...ROLLUP_TABLES,
  ...STX_ROLLUP_TABLES,
  ...LAYER_ROLLUP_TABLES,
  stxCoveredDays,
  evmCoveredDays,
  rollupRuns,
  btcBlockRuns,
  btcCoveredDays,
  btcDifficultyEpochs,
  btcUsdDaily,
  ...CALL_HOUR_TABLES,
  ...STX_DEX_TABLES,
  ...INDEX_KEPT_TABLES,
  ...TREASURY_KEPT_TABLES,
]

/** What metrics and people read of them, in an order in which each view finds those that it rests on. */
export const METRIC_VIEWS: readonly View[] = [
  plainView(btcDifficultyEpochs),
  plainView(rollupRuns),
  btcStatisticsFacts,
  btcBlockFactsView,
  btcBlockRunsView,
  btcWholeDays,
  btcDaysSinceGenesis,
  btcUsdDailyView,
  usdCloses,
  latestObservations,
  btcBucketSignatures,
  stxBucketSignatures,
  stxWholeDays,
  stxUntoldDays,
  evmBucketSignatures,
  evmWholeDays,
  rollupsLive,
  ...rollupViews,
  ...CALL_HOUR_VIEWS,
]
