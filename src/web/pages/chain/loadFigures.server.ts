import type { RouterContextProvider } from 'react-router'
import { apiContext } from '#http/context.ts'
import type { AsOf, MetricEntry, SourceRef } from '#http/contract.ts'
import { freshestFirst, type Headline } from '#kernel/freshness.ts'
import type { AsOfMarkProps } from '../../blocks/AsOfMark.tsx'
import type { ChartSpec } from '../../blocks/chart/chartSpec.ts'
import { bucketDay, type PlotData } from '../../blocks/chart/plotData.ts'
import type { KpiFigure } from '../../blocks/Kpi.tsx'
import {
  createFigureReader,
  type FigureReader,
  isLongAgo,
  type Subject,
  windowOf,
} from '../../blocks/load/figureReader.server.ts'
import { dayOfPage, headlineMark, newestOf } from '../../blocks/load/headlines.server.ts'
import { withKpiRatios } from '../../blocks/load/kpiRatios.ts'
import { type ChartFigures, type LoadedChart, loadCharts } from '../../blocks/load/loadChart.server.ts'
import { loadKpi } from '../../blocks/load/loadKpi.server.ts'
import { figureNames, seriesHref, spanOf } from '../../blocks/load/seriesHref.ts'
import { type PageView, readPageView } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'

/** What a page of figures asks for, as data: the catalogue decides what is drawn. */
export type FigurePage = {
  question: string
  kpis: readonly { metric: string; label: string; entity?: string; isQuiet?: boolean }[]
  charts: readonly ChartSpec[]
}

/** What a page shows beside its strip and charts. */
type Beside = {
  /** Figures that only tell what "now" is. */
  readonly now?: readonly Subject[]
  /** Days of what its lists show: the time axis of its charts reaches as far. */
  readonly days?: Promise<readonly string[]>
}

/**
 * Strip, charts, files and sources of one page, asked for side by side. Every chart ends on the newest day that
 * the page has, and so does its mark.
 */
export async function loadFigures(
  page: FigurePage,
  entity: string,
  url: URL,
  context: Readonly<RouterContextProvider>,
  { now: also = [], days = Promise.resolve([]) }: Beside = {},
) {
  const query = url.searchParams
  const view = readPageView(query)
  const reader = createFigureReader(context.get(apiContext), view)
  const subjects = subjectsOf(page, entity)
  const [own, now, listed] = await Promise.all([
    reader.newestDay(subjects),
    reader.newestDay([...also, ...subjects]),
    days,
  ])
  const newest = [...listed, ...(own ? [own] : [])].sort().at(-1)
  const [kpis, charts, entries] = await Promise.all([
    Promise.all(
      page.kpis.map(async ({ metric, entity: of = entity, label, isQuiet }) => {
        const kpi = await loadKpi({ reader, view, newest: now }, { metric, entity: of }, label)
        return kpi && isQuiet ? { ...kpi, isQuiet } : kpi
      }),
    ),
    loadCharts({ reader, entity, view, query, newest }, page.charts),
    Promise.all(subjects.map(subject => reader.entry(subject))),
  ])
  const today = dayOfPage(view, query)
  const cadences = cadencesOf(subjects, entries)
  const known = freshestFirst(
    withKpiRatios(kpis.filter(kpi => kpi !== undefined)),
    kpi => headlineOf(kpi, cadences),
    today,
  )
  const restings = charts.flatMap(chart => (chart.state === 'drawn' ? [restingOf(chart)] : []))
  // Figures that rest on the chain’s own blocks, if only on their statistics.
  const ofChain = new Set(
    subjects.flatMap((subject, index) =>
      entries[index]?.sources.some(({ id }) => id === `${entity}.chain`)
        ? `${subject.metric}@${subject.entity}`
        : [],
    ),
  )
  const newestBlocks = await Promise.all(
    subjects
      .filter(({ metric, entity: of }) => ofChain.has(`${metric}@${of}`))
      .map(subject => blockOf(reader, subject, now)),
  )
  const names = subjects.flatMap((subject, index) => (entries[index] ? figureNames(subject) : []))
  // A custom range ends on a day of the reader’s own.
  const asOfDay = restings.length > 0 && view.range !== 'custom' ? newest : undefined
  const mark = markOf(known, restings, {
    ofChain,
    cadences,
    today,
    asOfDay,
    blocks: view.range === 'custom' ? undefined : newestBlocks.filter(block => block !== undefined),
  })
  return {
    csvHref: seriesHref('csv', names, spanOf(view), view.unit),
    sqlHref: seriesHref('sql', names, spanOf(view), view.unit),
    kpis: known,
    charts,
    /** The day on which all charts end; none where nothing is drawn, or up to a day of the reader’s own. */
    asOfDays: asOfDay === undefined ? [] : [asOfDay],
    mark: mark && withHeld(mark, heldDays(view, newest ?? mark.day, charts)),
    sources: sourcesOf(entries.flatMap(entry => entry?.sources ?? [])),
    description: descriptionOf(page.question, known),
  }
}

const withHeld = (mark: AsOfMarkProps, held: AsOfMarkProps['held']): AsOfMarkProps =>
  held === undefined ? mark : { ...mark, held }

/** The days of the page as its address would say them: those of its range, or of all that it draws. */
function heldDays(
  view: PageView,
  newest: string | undefined,
  charts: readonly LoadedChart[],
): AsOfMarkProps['held'] {
  const drawn = charts.flatMap(chart =>
    chart.state === 'drawn' ? [new URLSearchParams(chart.csvHref.split('?')[1])] : [],
  )
  const daysOf = (key: 'from' | 'to') => drawn.flatMap(query => query.get(key) ?? []).sort()
  const last = daysOf('to').at(-1) ?? newest
  if (last === undefined) return undefined
  const { from = daysOf('from')[0], to = last } = windowOf(view, last)
  return from === undefined ? undefined : { range: undefined, from, to }
}

/** Every metric that the page speaks of, by strip and by chart. */
export const subjectsOf = (page: Pick<FigurePage, 'kpis' | 'charts'>, entity: string): Subject[] =>
  [...page.kpis, ...page.charts.flatMap(chart => chart.lines)].map(({ metric, entity: of = entity }) => ({
    metric,
    entity: of,
  }))

/** Days between two figures, by `fees.total@bitcoin`. */
type Cadences = ReadonlyMap<string, number>

const cadencesOf = (subjects: readonly Subject[], entries: readonly (MetricEntry | undefined)[]): Cadences =>
  new Map(
    subjects.map(({ metric, entity }, index) => [`${metric}@${entity}`, entries[index]?.cadenceDays ?? 1]),
  )

/** A key figure with its day; undefined where it has no value. */
const headlineOf = ({ assay, value, day }: KpiFigure, cadences: Cadences): Headline | undefined =>
  value === null || day === null ? undefined : { from: day, to: day, cadenceDays: cadences.get(assay) ?? 1 }

type MarkAsk = {
  ofChain: ReadonlySet<string>
  cadences: Cadences
  today: string
  /** On which its charts end. */
  asOfDay: string | undefined
  /** Marks of the newest whole figures that rest on blocks, whatever range is drawn; undefined: of those drawn. */
  blocks: readonly AsOf[] | undefined
}

/** The mark of the newest whole figure: a day of which a part is indexed is not what the page is as of. */
async function blockOf(
  reader: FigureReader,
  subject: Subject,
  now: string | undefined,
): Promise<AsOf | undefined> {
  const figure = await reader.figure(subject).catch(() => undefined)
  return !figure?.point || isLongAgo(figure.point.day, now) ? undefined : figure.asOf
}

/**
 * How fresh the page is: the days of its key figures, or of its charts where it has none, up to that on which its charts
 * end, and the highest block that any whole figure rests on. Of blocks those of the page's own chain alone: what rests on Bitcoin's beside the word of others
 * has no block of its own.
 */
function markOf(
  kpis: readonly KpiFigure[],
  restings: readonly Resting[],
  { ofChain, cadences, today, asOfDay, blocks: newestBlocks }: MarkAsk,
): AsOfMarkProps | undefined {
  const ofKpis = kpis.filter(({ value, day }) => value !== null && day !== null)
  const asOf = newestOf((ofKpis.length > 0 ? ofKpis : restings).flatMap(part => part.asOf ?? []))
  if (asOf === undefined) return undefined
  const headlines =
    ofKpis.length > 0
      ? ofKpis.flatMap(kpi => headlineOf(kpi, cadences) ?? [])
      : restings.map(({ asOf: { time }, day = time.slice(0, 10), from = day, assays }) => ({
          from,
          to: day,
          cadenceDays: cadences.get(assays[0] ?? '') ?? 1,
        }))
  const drawnBlocks = [
    ...kpis.filter(({ assay }) => ofChain.has(assay)),
    ...restings.filter(({ assays }) => assays.some(assay => ofChain.has(assay))),
  ].flatMap(part => part.asOf ?? [])
  const mark = headlineMark(headlines, today, asOf, asOfDay)
  const block = highestOf(newestBlocks ?? drawnBlocks)
  return mark && { ...mark, blocks: block ?? { ...mark.asOf, height: null } }
}

/** What a chart rests on: how fresh, its newest day where it draws days, and by which figures. */
type Resting = { asOf: AsOf; from?: string | undefined; day: string | undefined; assays: string[] }

function restingOf(chart: ChartFigures): Resting {
  if ('histogram' in chart) {
    const { asOf, to, assay } = chart.histogram
    return { asOf, day: to, assays: [assay] }
  }
  if ('whole' in chart) {
    const { asOf, to, parts } = chart.whole
    return { asOf, day: to, assays: parts.map(({ assay }) => assay) }
  }
  const grid = 'plot' in chart ? chart.plot : chart.scatter
  return {
    asOf: grid.asOf,
    ...('plot' in chart ? drawnDays(chart.plot) : { day: undefined }),
    assays:
      'plot' in chart
        ? chart.plot.lines.map(({ assay }) => assay)
        : chart.scatter.points.flatMap(({ assay }) => Object.values(assay)),
  }
}

/** The last days of a plot's lines, the oldest and the newest: the axis reaches as far as the page does. */
function drawnDays(plot: PlotData): Pick<Resting, 'from' | 'day'> {
  if (plot.grain !== 'day') return { day: undefined }
  const last = plot.lines
    .map(({ values }) => values.findLastIndex(value => value !== null))
    .filter(index => index >= 0)
  if (last.length === 0) return { day: undefined }
  return { from: bucketDay(plot, Math.min(...last)), day: bucketDay(plot, Math.max(...last)) }
}

/** The mark of the highest block that any figure rests on: its day may lie before that of the newest outside figure. */
const highestOf = (marks: readonly AsOf[]): AsOf | undefined =>
  marks.filter(mark => mark.height !== null).toSorted((a, b) => (b.height ?? 0) - (a.height ?? 0))[0]

function sourcesOf(sources: readonly SourceRef[]): SourceRef[] {
  return [...new Map(sources.map(source => [source.id, source])).values()]
}

/** The question, and the first figures: what a search result or a shared link says. */
function descriptionOf(
  question: string,
  kpis: readonly { label: string; value: unknown; unit: string; day: string | null }[],
): string {
  const said = kpis
    .filter(kpi => kpi.value !== null)
    .slice(0, 3)
    .map(
      kpi =>
        `${kpi.label} ${figureText(kpi.value as number, kpi.unit).text}${kpi.day ? ` (${dayText(kpi.day)})` : ''}`,
    )
  return said.length === 0 ? question : `${question} ${said.join(', ')}.`
}
