import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { Api, AsOf, Comparison, MetricEntry } from '#http/contract.ts'
import { freshestFirst, type Headline } from '#kernel/freshness.ts'
import type { AsOfMarkProps } from '../../blocks/AsOfMark.tsx'
import { changeRangeOf, isLongAgo } from '../../blocks/load/figureReader.server.ts'
import { dayOfPage, headlineMark, newestOf } from '../../blocks/load/headlines.server.ts'
import { nowFor } from '../../blocks/load/nowFor.server.ts'
import { seriesHref, spanOf } from '../../blocks/load/seriesHref.ts'
import { readPageView } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { answering } from '../answering.server.ts'
import { loadCompareChart } from './compareChart.server.ts'
import { readCompareView } from './compareView.ts'
import { kpisOf, type LayerKpi } from './kpis.ts'
import { CHART_GROUPS, CHART_METRICS, MOVING, NETWORKS, RISKS, setOf } from './lists.ts'
import { movesOf } from './moves.ts'
import { tableOf } from './tableOf.ts'

/** What the strip adds up beside the columns. */
const BRIDGED = 'btc.bridged'
const STRIP = ['tvl.total', 'addresses.senders', 'l1.fees', 'peg.reserve', 'peg.supply', 'supply.issued']

/** Everything that the compare page shows, asked for side by side. */
export async function loadCompare(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const query = url.searchParams
  const page = readPageView(query)
  const view = readCompareView(query)
  return answering('The comparison', async () => {
    const registry = await api.metrics()
    const known = knownAmong(registry)
    const set = setOf(view.set)
    const columns = [...set.columns.map(({ key }) => key), ...RISKS]
    const asked = { changeRange: changeRangeOf(page), ...(page.unit !== 'native' && { unit: page.unit }) }
    const compare = (metrics: readonly string[], entities: readonly string[]): Promise<Comparison> =>
      api.compare({ ...asked, metrics: known(metrics), entities })
    const newestReport = api.content.reports().then(
      ({ items }) => items[0],
      // The comparison stands without it.
      () => undefined,
    )
    const [askedStrip, ...read] = await Promise.all([
      askStrip(api, registry, asked.changeRange),
      compare(columns, NETWORKS),
      compare(
        CHART_METRICS.map(({ id }) => id),
        NETWORKS,
      ),
      api.compare({ changeRange: '7d', metrics: known(MOVING), entities: NETWORKS }),
    ])
    const newest = newestDayOf([askedStrip.strip, ...read])
    const [table, charted, week] = read.map(one => recentOf(one, newest)) as typeof read
    const strip = recentOf(askedStrip.strip, newest)
    const beyond = others(table, charted)
    const layers = [...table.entities, ...beyond].map(({ entity, name }) => ({ entity, name }))
    const slugs = layers.map(({ entity }) => entity)
    const names = new Map(layers.map(({ entity, name }) => [entity, name]))
    const nameOf = (entity: string): string => names.get(entity) ?? entity
    const today = dayOfPage(page, query)
    const { kpis, headlines } = stripOf({ ...askedStrip, strip }, registry, today, nameOf)
    const newestHeadline = newestToOf(headlines)
    const [more, chart, events] = await Promise.all([
      view.showsAll && beyond.length > 0
        ? compare(
            columns,
            beyond.map(({ entity }) => entity),
          ).then(one => recentOf(one, newest))
        : undefined,
      loadCompareChart({ api, page, query, view, registry, charted, slugs, newestHeadline }),
      // Of no layer alone: what befell them all.
      api.directory.events('bitcoin'),
    ])
    const found = [table, strip, charted, ...(more ? [more] : [])]
    const sources = sourcesOf([...found, week])
    return {
      view,
      layers,
      slugs,
      groups: groupsOf(registry, charted),
      events,
      chart,
      sqlHref: seriesHref('sql', chart.names, spanOf(page), page.unit),
      csvHref: seriesHref('csv', chart.names, spanOf(page), page.unit),
      kpis,
      table: tableOf(
        set,
        found.filter(one => one === table || one === more).flatMap(({ figures }) => figures),
        [...table.entities, ...(more?.entities ?? [])],
        asked.changeRange,
      ),
      week: movesOf(week.figures, {
        nameOf,
        labelOf: id => CHART_METRICS.find(metric => metric.id === id)?.label ?? id,
      }),
      report: await newestReport,
      sources,
      mark: markOf(
        headlines,
        today,
        newestOf(found.flatMap(({ asOf }) => asOf ?? [])),
        // A custom range ends on a day of the reader’s own.
        chart.chart.state === 'drawn' && page.range !== 'custom' ? chart.asOfDay : undefined,
      ),
      now: nowFor(sources),
      publicUrl: context.get(siteContext).publicUrl,
    }
  })
}

/** The page’s chart alone, in the state that the address has. */
export async function loadComparedChart(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const query = url.searchParams
  const page = readPageView(query)
  return answering('The comparison', async () => {
    const registry = await api.metrics()
    const [askedStrip, read] = await Promise.all([
      askStrip(api, registry, changeRangeOf(page)),
      api.compare({
        changeRange: changeRangeOf(page),
        ...(page.unit !== 'native' && { unit: page.unit }),
        metrics: knownAmong(registry)(CHART_METRICS.map(({ id }) => id)),
        entities: NETWORKS,
      }),
    ])
    const newest = newestDayOf([askedStrip.strip, read])
    const charted = recentOf(read, newest)
    const strip = recentOf(askedStrip.strip, newest)
    const { headlines } = stripOf(
      { ...askedStrip, strip },
      registry,
      dayOfPage(page, query),
      entity => entity,
    )
    const newestHeadline = newestToOf(headlines)
    const slugs = [...charted.entities, ...charted.others].map(({ entity }) => entity)
    const view = readCompareView(query)
    return loadCompareChart({ api, page, query, view, registry, charted, slugs, newestHeadline })
  })
}

export type LoadedCompare = Awaited<ReturnType<typeof loadCompare>>

/** What the strip is of: figures of the layers, bitcoin on every layer of the directory, and how many layers it has. */
type AskedStrip = { strip: Comparison; bridged: Comparison; usableLayers: number }

async function askStrip(
  api: Api,
  registry: readonly MetricEntry[],
  changeRange: Comparison['changeRange'],
): Promise<AskedStrip> {
  const known = knownAmong(registry)
  const [strip, bridged, { totals }] = await Promise.all([
    api.compare({ changeRange, metrics: known(STRIP), entities: NETWORKS }),
    api.compare({
      changeRange,
      metrics: known([BRIDGED]),
      entities: registry.find(({ id }) => id === BRIDGED)?.entities ?? [],
    }),
    api.directory.list(),
  ])
  return { strip, bridged, usableLayers: totals.of }
}

/** The key figures, the freshest first, and the days of those that are known. */
function stripOf(
  { strip, bridged, usableLayers }: AskedStrip,
  registry: readonly MetricEntry[],
  today: string,
  nameOf: (entity: string) => string,
): { kpis: LayerKpi[]; headlines: Headline[] } {
  const headline = headlineOf(registry)
  const nameOfAny = (entity: string): string =>
    bridged.entities.find(one => one.entity === entity)?.name ?? nameOf(entity)
  const kpis = freshestFirst(kpisOf(strip, bridged, usableLayers, nameOfAny), headline, today)
  return { kpis, headlines: kpis.flatMap(kpi => headline(kpi) ?? []) }
}

const newestToOf = (headlines: readonly Headline[]): string | undefined =>
  headlines
    .map(({ to }) => to)
    .sort()
    .at(-1)

/** A sum of the strip: the days of its oldest and newest part. */
const headlineOf =
  (registry: readonly MetricEntry[]) =>
  ({ sum }: LayerKpi): Headline | undefined => {
    if (sum === undefined) return undefined
    const [id = '', of = ''] = sum.addends[0]?.assay.split('@') ?? []
    const entry = registry.find(known => known.id === id && known.entities.includes(of))
    return { from: sum.from, to: sum.to, cadenceDays: entry?.cadenceDays ?? 1 }
  }

/** The page compares chains, so that its mark names no block. */
function markOf(
  headlines: readonly Headline[],
  today: string,
  asOf: AsOf | undefined,
  drawn: string | undefined,
): AsOfMarkProps {
  const own = asOf && { ...asOf, height: null }
  return (own && headlineMark(headlines, today, own, drawn)) ?? { asOf: own }
}

/** Layers beyond the sidebar of which there are figures, in the order of their names. */
const others = (...found: readonly Comparison[]): Comparison['others'] =>
  [
    ...new Map(found.flatMap(comparison => comparison.others).map(other => [other.entity, other])).values(),
  ].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))

/** Of `metric` or `metric:grain`, those that the registry has. */
const knownAmong =
  (registry: readonly MetricEntry[]) =>
  (keys: readonly string[]): { id: string; grain: 'day' | 'week' | 'month' }[] => {
    const ids = new Set(registry.map(({ id }) => id))
    return [...new Set(keys)].flatMap(key => {
      const [id = '', grain] = key.split(':')
      return ids.has(id) ? [{ id, grain: grain === 'week' || grain === 'month' ? grain : 'day' }] : []
    })
  }

const sourcesOf = (found: readonly Comparison[]): Comparison['sources'] => [
  ...new Map(found.flatMap(({ sources }) => sources).map(source => [source.id, source])).values(),
]

/** The metrics of the chart that the registry has, and whether any layer has a figure of each. */
const groupsOf = (registry: readonly MetricEntry[], { figures }: Comparison) => {
  const ids = new Set(registry.map(({ id }) => id))
  const filled = new Set(figures.flatMap(({ metric, value }) => (value === null ? [] : metric)))
  return CHART_GROUPS.map(({ label, metrics }) => ({
    label,
    metrics: metrics
      .filter(({ id }) => ids.has(id))
      .map(({ id, label }) => ({ id, label, hasFigures: filled.has(id) })),
  })).filter(({ metrics }) => metrics.length > 0)
}

const newestDayOf = (found: readonly Comparison[]): string | undefined =>
  found
    .flatMap(({ figures }) => figures.flatMap(({ day }) => day ?? []))
    .sort()
    .at(-1)

/** A figure of years before the others would pass for one of theirs: it is told as what it is. */
const recentOf = (comparison: Comparison, newest: string | undefined): Comparison => ({
  ...comparison,
  figures: comparison.figures.map(figure =>
    figure.day !== null && isLongAgo(figure.day, newest)
      ? {
          ...figure,
          value: null,
          day: null,
          missing: null,
          coverage: null,
          change: null,
          changeOver: null,
          spark: [],
          absent: `Data ends ${dayText(figure.day)}`,
        }
      : figure,
  ),
})
