import type { Catalog } from '#catalog/index.ts'
import type { Log } from '#kernel/log.ts'
import { sourcesOf } from '#sources/all.ts'
import { type FileFormat, schemaOf, type Warehouse } from '#warehouse/index.ts'
import type {
  Comparison,
  ComparisonQuery,
  Figure,
  FigureQuery,
  MetricEntry,
  Series,
  SeriesQuery,
  SourceRef,
} from './answers.ts'
import { checkRegistry } from './checkRegistry.ts'
import { readComparison } from './comparison.ts'
import type { MetricsDeps } from './deps.ts'
import { refreshDevelopers } from './developers/refresh.ts'
import { entryOf, metricOfKind } from './entry.ts'
import { readFigure } from './figure.ts'
import { readSources } from './readSources.ts'
import { metricsOf } from './registry.ts'
import { refreshCallHours } from './rollups/callHours.ts'
import { whenChanged } from './rollups/changes.ts'
import { type RefreshResult, type RollupProgress, refreshRollups } from './rollups/refresh.ts'
import { readNewestDay, readSeries } from './series.ts'
import { readSeriesFile } from './seriesFile.ts'
import type { Composite, Evaluation } from './signals/index.ts'
import { type ReadSignal, readComposite, readSignal } from './signals/readSignal.ts'
import { createHistories, readStanding, type Standing } from './standing.ts'
import { type Watchable, type Watched, watchedOf } from './watches.ts'
import { whileUnchanged } from './whileUnchanged.ts'

export type Metrics = {
  /** The catalogue. */
  list(standing?: Standing): Promise<MetricEntry[]>
  /** One entry; `entityKind`, or the entity itself, where several share the id. Throws `metrics.unknown_metric`, `metrics.unknown_entity`. */
  entry(id: string, entityKind?: string, entity?: string, standing?: Standing): Promise<MetricEntry>
  /** What all answers of one data version share; read here unless handed in. */
  standing(): Promise<Standing>
  series(query: SeriesQuery, signal?: AbortSignal, standing?: Standing): Promise<Series>
  /** The rows of a series as a file. */
  seriesFile(
    series: Pick<Series, 'sql' | 'parameters'>,
    format: FileFormat,
    signal?: AbortSignal,
  ): Promise<Buffer>
  /** The newest day of a series with a figure, null without one; undefined where it is not at hand without reading it. */
  newestDay(query: SeriesQuery, standing: Standing): Promise<string | null | undefined>
  figure(query: FigureQuery, signal?: AbortSignal, standing?: Standing): Promise<Figure>
  /** Newest figures of many metrics of many layers, one a cell. */
  comparison(query: ComparisonQuery, standing: Standing, signal?: AbortSignal): Promise<Comparison>
  /** A signal of the catalogue over what is held; undefined where there is none of that id, or nothing known for it to read. */
  signal(id: string, standing: Standing): Promise<ReadSignal | undefined>
  /** Signals taken together. */
  composite(evaluations: readonly Evaluation[], standing: Standing): Promise<Composite>
  /** Recomputes what base rows have outdated. Call it after a commit, a reorg, a load. */
  refreshRollups(onProgress?: (progress: RollupProgress) => void): Promise<RefreshResult>
  /** Recomputes the hours of calls that base rows have outdated: the newest ones after each commit, all of them now and then. Gives how many. */
  refreshCallHours(scope: 'newest' | 'all'): Promise<number>
  /** Counts developers anew where histories or the catalogue have changed. Returns whether it did. */
  refreshDevelopers(): Promise<boolean>
  /** What alerts on the metric’s watches would have told over the days of a series. */
  watchedOf(series: Watchable): Watched[]
  sources(): Promise<SourceRef[]>
}

/** Builds the metrics on a warehouse; the catalogue says of whom there are figures. Throws `metrics.registry` with every fault of the registry. */
export function createMetrics(given: {
  warehouse: Pick<Warehouse, 'reader' | 'writer' | 'insertRows' | 'insertColumns' | 'changeMark'>
  catalog: Catalog
  /** Every metric there is; the program's own unless given. */
  registry?: typeof metricsOf
  log: Log
}): Metrics {
  const { warehouse } = given
  const declared = sourcesOf(given.catalog)
  const deps: MetricsDeps = {
    ...given,
    metrics: (given.registry ?? metricsOf)(given.catalog),
    sources: declared,
    currentStanding: whileUnchanged(warehouse, () => readStanding({ warehouse, sources: declared })),
  }
  checkRegistry(
    deps.metrics,
    new Set(schemaOf(given.catalog).views.map(({ name }) => name)),
    new Set(deps.sources.map(({ id }) => id)),
  )
  const histories = createHistories()
  const sources = whileUnchanged(warehouse, () => readSources(warehouse.reader, declared))
  const refresh = whenChanged<RefreshResult>(deps.warehouse.reader, { buckets: 0, rollups: 0 })
  return {
    async list(standing) {
      const known = standing?.sources ?? (await sources())
      return deps.metrics.map(entry => entryOf(entry, known))
    },
    async entry(id, entityKind, entity, standing) {
      const entry = metricOfKind(deps.metrics, id, entityKind, entity)
      return entryOf(entry, standing?.sources ?? (await sources()))
    },
    standing: () => readStanding(deps, histories),
    series: (query, signal, standing) => readSeries(deps, query, signal, standing),
    seriesFile: (series, format, signal) => readSeriesFile(deps, series, format, signal),
    newestDay: (query, standing) => readNewestDay(deps, query, standing),
    figure: (query, signal, standing) => readFigure(deps, query, signal, standing),
    comparison: (query, standing, signal) =>
      readComparison({ ...deps, catalog: given.catalog }, query, standing, signal),
    async signal(id, standing) {
      const signal = given.catalog.signals.find(known => known.id === id)
      return signal && readSignal(deps, signal, standing)
    },
    composite: (evaluations, standing) => readComposite(deps, given.catalog.signals, evaluations, standing),
    refreshRollups: onProgress => refresh(() => refreshRollups(deps, onProgress)),
    refreshCallHours: scope => refreshCallHours(deps, scope),
    refreshDevelopers: () => refreshDevelopers(deps),
    watchedOf: series => watchedOf(deps.metrics, series),
    sources: async () => [...(await sources()).values()],
  }
}
