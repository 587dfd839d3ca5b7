import type { Table } from '#kernel/table.ts'
import type { Fill } from './ddl.ts'
import {
  BTC_BATCH_TABLES,
  btcBatches,
  btcBlockStats,
  btcIngestStates,
  btcRefusedBlocks,
  btcStaleBlocks,
} from './tables/bitcoin.ts'
import { observations, prices, sources } from './tables/observations.ts'
import { committedView, plainView, type View } from './view.ts'
import { btcCoverage, btcLiveBatches, btcOutpointsFill } from './views/bitcoin.ts'
import { METRIC_TABLES, METRIC_VIEWS } from './views/metrics.ts'

const PLAIN_TABLES: readonly Table[] = [
  btcBatches,
  btcBlockStats,
  btcIngestStates,
  btcRefusedBlocks,
  btcStaleBlocks,
  observations,
  prices,
  sources,
]

/** What a warehouse holds, in the order in which it is made. */
export type Schema = {
  readonly tables: readonly Table[]
  /** Views of the database `base`, for our own statements and for the views below. */
  readonly baseViews: readonly View[]
  /** What the engine does at each insert. */
  readonly fills: readonly Fill[]
  /** Views of the database `default`. */
  readonly views: readonly View[]
}

export const SCHEMA: Schema = {
  tables: [...BTC_BATCH_TABLES, ...PLAIN_TABLES, ...METRIC_TABLES],
  baseViews: [btcLiveBatches],
  fills: [btcOutpointsFill],
  views: [
    ...BTC_BATCH_TABLES.map(committedView),
    ...PLAIN_TABLES.map(plainView),
    btcCoverage,
    ...METRIC_VIEWS,
  ],
}
