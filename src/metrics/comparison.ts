import type { Catalog, CatalogLayer } from '#catalog/index.ts'
import { sourcesNamed } from '#kernel/sourceNames.ts'
import type {
  AsOf,
  ComparedEntity,
  ComparedFigure,
  ComparedMetric,
  Comparison,
  ComparisonQuery,
} from './answers.ts'
import { figureOf } from './ask.ts'
import { addDays, nextBucket } from './days.ts'
import type { MetricsDeps } from './deps.ts'
import { mayDiffer } from './differences.ts'
import { entryOf, metricOf, metricOfKind, metricsNamed } from './entry.ts'
import { MetricsError } from './errors.ts'
import { readFigure } from './figure.ts'
import { type Metric, SUM_OF_KEYS } from './metric.ts'
import { readPriceSources } from './pricedBy.ts'
import { questionOf } from './question.ts'
import { isBlank, readWhole } from './readRows.ts'
import type { Standing } from './standing.ts'

type Deps = MetricsDeps & { readonly catalog: Catalog }

/** The chain that all layers stand on: compared as a yardstick. */
const BITCOIN: ComparedEntity = {
  entity: 'bitcoin',
  name: 'Bitcoin',
  status: 'mainnet',
  kind: 'the chain that layers stand on',
  trust: null,
  assessment: null,
}

/**
 * The newest figures of many metrics of many layers, one a cell, in the order of the question. What a metric does not know
 * of a layer is a cell without a value that says why; a metric of tokens or pegs answers for the layer that has them.
 * Throws `metrics.unknown_metric`, `metrics.unknown_entity`.
 */
export async function readComparison(
  deps: Deps,
  query: ComparisonQuery,
  standing: Standing,
  signal?: AbortSignal,
): Promise<Comparison> {
  const { metrics, catalog } = deps
  const named = query.metrics.map(({ id }) => metricOfKind(metrics, id))
  const entities = query.entities.map(entity => entityOf(deps, entity))
  const figures = await Promise.all(
    query.entities.flatMap(entity =>
      query.metrics.map(metric => readCell(deps, query, metric, entity, standing, signal)),
    ),
  )
  const prices = await Promise.all(figures.map(figure => readPricesOf(deps, query, figure, standing)))
  const used = new Set([
    ...figures.flatMap(({ source, differs }) => [...sourcesNamed(source ?? ''), differs?.source]),
    ...prices.flat(),
  ])
  return {
    changeRange: query.changeRange,
    metrics: named.map(metric => {
      const { id, name, unit, definition, misleads, direction, aggregate } = entryOf(metric, new Map())
      return { id, name, unit, definition, misleads, direction, aggregate }
    }),
    entities,
    figures,
    others: catalog.layers
      .filter(({ slug }) => !query.entities.includes(slug) && hasFigure(deps, slug, query.metrics, standing))
      .map(({ slug, name }) => ({ entity: slug, name })),
    sources: [...standing.sources.values()].filter(({ id }) => used.has(id)),
    asOf: newestOf(figures),
  }
}

async function readCell(
  deps: Deps,
  { changeRange, unit }: ComparisonQuery,
  { id, grain }: ComparedMetric,
  entity: string,
  standing: Standing,
  signal: AbortSignal | undefined,
): Promise<ComparedFigure> {
  const found = metricFor(deps, id, entity)
  const blank = {
    ...{ metric: id, grain, entity, day: null, value: null },
    ...{ missing: null, coverage: null, change: null, changeOver: null, spark: [], asOf: null },
  }
  if (found === undefined) {
    const absent = 'No source reports it.'
    return { ...blank, of: null, unit: '', source: null, differs: null, absent }
  }
  const { entry, of } = found
  if (!answersBy(entry, grain)) {
    const absent = `It is counted by the day alone: a ${grain} would count the same address again.`
    return { ...blank, of, unit: entry.unit, source: null, differs: null, absent }
  }
  const asked = unit !== undefined && mayBe(entry.unit, unit) ? { unit } : {}
  const figure = await readFigure(deps, { id, entity: of, changeRange, grain, ...asked }, signal, standing)
  const { point } = figure
  if (point === null) {
    return { ...blank, of, unit: figure.unit, source: null, differs: null, absent: figure.absent }
  }
  return {
    ...blank,
    of,
    unit: figure.unit,
    day: point.day,
    value: point.value,
    missing: figure.missing,
    coverage: figure.coverage,
    change: figure.change,
    changeOver: figure.changeOver,
    spark: figure.spark.map(value => (value === null ? null : Number(value.toPrecision(5)))),
    asOf: figure.asOf,
    source: point.source,
    differs: grain === 'day' ? await differenceOf(deps, entry, of, point, asked, standing) : null,
    absent: null,
  }
}

/** Sources of the closes that a figure is valued at. */
async function readPricesOf(
  { metrics, warehouse }: Deps,
  { unit }: ComparisonQuery,
  { metric, grain, of, day }: ComparedFigure,
  standing: Standing,
): Promise<string[]> {
  if (of === null || day === null) return []
  const entry = metricOf(metrics, metric, of)
  const { drawn } = questionOf([entry], {
    ...{ id: metric, entity: of, grain },
    ...(unit !== undefined && mayBe(entry.unit, unit) ? { unit } : {}),
  })
  const to = addDays(nextBucket(day, grain), -1)
  return readPriceSources(warehouse.reader, drawn, { entity: of, from: day, to }, standing)
}

/** Another source's figure of the same day, where one may have it. */
async function differenceOf(
  deps: Deps,
  entry: Metric,
  entity: string,
  { day, source }: { readonly day: string; readonly source: string },
  { unit = 'native' }: Pick<ComparisonQuery, 'unit'>,
  standing: Standing,
): Promise<ComparedFigure['differs']> {
  const { besideSql, headline } = entry
  // A sum over parts of which a source may have some only is no other figure of the same thing.
  if (besideSql === undefined || unit !== 'native' || headline === SUM_OF_KEYS) return null
  if (!mayDiffer(entry, entity, { from: day, to: day }, standing)) return null
  const { whole } = questionOf([{ ...entry, sql: besideSql }], { id: entry.id, entity })
  const rows = await readWhole(deps, besideSql, whole, standing)
  const other = rows.find(
    row =>
      row.day === day &&
      !sourcesNamed(source).includes(row.source) &&
      row.value !== null &&
      row.state === 'whole' &&
      row.key === (headline ?? ''),
  )
  return other === undefined ? null : { source: other.source, value: figureOf(other.value) }
}

/** Money is told in dollars where its unit has a price of the day; everything else keeps its own unit. */
const mayBe = (unit: string, wanted: NonNullable<ComparisonQuery['unit']>): boolean =>
  ['sat', 'wei.BTC', 'wei.RBTC'].includes(unit) || (wanted === 'usd' && unit === 'uSTX')

/** A distinct count is known by longer buckets only where it is counted anew for each. */
const answersBy = ({ aggregate, parameters }: Metric, grain: ComparedMetric['grain']): boolean =>
  grain === 'day' || aggregate !== 'distinct' || parameters.some(({ name }) => name === 'grain')

/** The entry that knows a layer, by the name under which it does. */
function metricFor(deps: Deps, id: string, entity: string): { entry: Metric; of: string } | undefined {
  const entries = metricsNamed(deps.metrics, id)
  for (const of of namesOf(deps.catalog, entity)) {
    const entry = entries.find(({ entities }) => entities.includes(of))
    if (entry !== undefined) return { entry, of }
  }
  return undefined
}

/** Names under which figures of a layer are kept: its own, that of its token, that of the asset its peg gives. */
function namesOf({ layers }: Catalog, entity: string): string[] {
  if (entity === BITCOIN.entity) return [entity, 'btc']
  const layer = layers.find(({ slug }) => slug === entity)
  return [
    entity,
    ...(layer?.token ? [layer.token] : []),
    ...(layer?.btcAsset ? [slugOf(layer.btcAsset)] : []),
  ]
}

const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

function entityOf({ catalog }: Deps, entity: string): ComparedEntity {
  const layer = catalog.layers.find(({ slug }) => slug === entity)
  if (layer !== undefined) return aboutLayer(layer)
  if (entity === BITCOIN.entity) return BITCOIN
  throw new MetricsError('metrics.unknown_entity', `there is no layer ${JSON.stringify(entity)}`, {
    facts: { parameter: 'entities', value: entity },
    hint: `Available: ${[BITCOIN.entity, ...catalog.layers.map(({ slug }) => slug)].join(', ')}.`,
  })
}

function aboutLayer({ slug, name, status, kind, trust, assessments }: CatalogLayer): ComparedEntity {
  const newest = assessments.toSorted((a, b) => b.day.localeCompare(a.day))[0]
  const { custody, data, operators, finality } = trust ?? {}
  return {
    entity: slug,
    name,
    status,
    kind,
    trust: trust && {
      ...(custody && { custody }),
      ...(data && { data }),
      ...(operators && { operators }),
      ...(finality && { finality }),
    },
    assessment: newest
      ? { by: newest.by, url: newest.url, day: newest.day, isReviewed: newest.isReviewed }
      : null,
  }
}

/** Whether any of the metrics may have a figure of the layer. */
const hasFigure = (
  deps: Deps,
  entity: string,
  metrics: readonly ComparedMetric[],
  standing: Standing,
): boolean =>
  metrics.some(({ id }) => {
    const found = metricFor(deps, id, entity)
    return (
      found !== undefined &&
      !isBlank(found.entry, found.of, standing) &&
      (standing.outside.has(`${found.entry.observedAs} ${found.of}`) ||
        found.entry.sources.some(name => name.endsWith('.chain')))
    )
  })

/** The newest figure's mark; one that is late makes the comparison late. */
function newestOf(figures: readonly ComparedFigure[]): AsOf | null {
  const marks = figures.flatMap(({ asOf }) => asOf ?? [])
  const newest = marks.toSorted((a, b) => b.time.localeCompare(a.time))[0]
  const late = (['overdue', 'stale'] as const).find(state => marks.some(mark => mark.state === state))
  return newest === undefined ? null : { ...newest, state: late ?? newest.state }
}
