import type { Log } from '#kernel/log.ts'
import type { SourceDeclaration } from '#sources/source.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { Metric } from './metric.ts'

/** What rollups are computed with. */
export type RollupDeps = {
  readonly warehouse: Pick<Warehouse, 'reader' | 'writer' | 'insertRows'>
  readonly log: Log
}

/** What the functions of this room are handed. */
export type MetricsDeps = RollupDeps & {
  readonly metrics: readonly Metric[]
  readonly sources: readonly SourceDeclaration[]
}
