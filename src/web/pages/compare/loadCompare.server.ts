import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { AsOf, Comparison, MetricEntry } from '#http/contract.ts'
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
    const onEveryLayer = api.compare({
      changeRange: asked.changeRange,
      metrics: known([BRIDGED]),
      entities: registry.find(({ id }) => id === BRIDGED)?.entities ?? [],
    })
    const read = await Promise.all([
      compare(columns, NETWORKS),
      api.compare({ changeRange: asked.changeRange, metrics: known(STRIP), entities: NETWORKS }),
      compare(
        CHART_METRICS.map(({ id }) => id),
        NETWORKS,
      ),
      api.compare({ changeRange: '7d', metrics: known(MOVING), entities: NETWORKS }),
    ])
    const newest = newestDayOf(read)
    const [table, strip, charted, week] = read.map(one => recentOf(one, newest)) as typeof read
    const beyond = others(table, charted)
    const layers = [...table.entities, ...beyond].map(({ entity, name }) => ({ entity, name }))
    const slugs = layers.map(({ entity }) => entity)
    const names = new Map(layers.map(({ entity, name }) => [entity, name]))
    const nameOf = (entity: string): string => names.get(entity) ?? entity
    const [bridged, { totals }, more, chart, events] = await Promise.all([
      onEveryLayer,
      api.directory.list(),
      view.showsAll && beyond.length > 0
        ? compare(
            columns,
            beyond.map(({ entity }) => entity),
          ).then(one => recentOf(one, newest))
        : undefined,
      loadCompareChart({ api, page, query, view, registry, charted, slugs }),
      // Of no layer alone: what befell them all.
      api.directory.events('bitcoin'),
    ])
    const found = [table, strip, charted, ...(more ? [more] : [])]
    const sources = sourcesOf([...found, week])
    const today = dayOfPage(page, query)
    const headline = headlineOf(registry)
    const kpis = freshestFirst(
      kpisOf(
        strip,
        bridged,
        totals.of,
        entity => bridged.entities.find(one => one.entity === entity)?.name ?? nameOf(entity),
      ),
      headline,
      today,
    )
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
        kpis.flatMap(kpi => headline(kpi) ?? []),
        today,
        newestOf(found.flatMap(({ asOf }) => asOf ?? [])),
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
    const read = await api.compare({
      changeRange: changeRangeOf(page),
      ...(page.unit !== 'native' && { unit: page.unit }),
      metrics: knownAmong(registry)(CHART_METRICS.map(({ id }) => id)),
      entities: NETWORKS,
    })
    const charted = recentOf(read, newestDayOf([read]))
    const slugs = [...charted.entities, ...charted.others].map(({ entity }) => entity)
    return loadCompareChart({ api, page, query, view: readCompareView(query), registry, charted, slugs })
  })
}

export type LoadedCompare = Awaited<ReturnType<typeof loadCompare>>

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
function markOf(headlines: readonly Headline[], today: string, asOf: AsOf | undefined): AsOfMarkProps {
  const own = asOf && { ...asOf, height: null }
  return (own && headlineMark(headlines, today, own)) ?? { asOf: own }
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
