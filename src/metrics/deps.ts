import type { Catalog } from '#catalog/index.ts'
import type { Log } from '#kernel/log.ts'
import type { SourceDeclaration } from '#sources/source.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { Metric } from './metric.ts'
import type { Standing } from './standing.ts'

/** The exchanges whose prints are read, and tokens of their pools. */
export type Exchanges = Pick<Catalog, 'exchanges' | 'dexTokens'>

/** What rollups are computed with. */
export type RollupDeps = {
  readonly warehouse: Pick<Warehouse, 'reader' | 'writer' | 'insertRows' | 'insertColumns'>
  readonly log: Log
  readonly catalog: Exchanges
}

/** What the functions of this room are handed. */
export type MetricsDeps = RollupDeps & {
  /** The standing of rows as they are now, for callers that bring none. */
  readonly currentStanding: () => Promise<Standing>
  readonly metrics: readonly Metric[]
  readonly sources: readonly SourceDeclaration[]
}
