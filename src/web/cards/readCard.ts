import type { AsOf, SourceRef } from '#http/contract.ts'
import type { KnownAssay } from '../assay/loadAssay.server.ts'
import type { AsOfMarkProps } from '../blocks/AsOfMark.tsx'
import { AGE_WORD } from '../blocks/ageWord.ts'
import type { ShownChart } from '../blocks/chart/chartSpec.ts'
import { entityColour } from '../blocks/chart/entityColour.ts'
import type { KpiFigure } from '../blocks/Kpi.tsx'
import type { DrawnChart } from '../blocks/load/loadChart.server.ts'
import { isCounted } from '../format/counted.ts'
import { dayText } from '../format/day.ts'
import { figureText, grouped, type Value } from '../format/figure.ts'
import { recordIn, type Told, withTexts } from '../share/told.ts'
import { existingPages, siteWith } from '../site.ts'
import type { Card, CardFigure } from './card.ts'
import { type ChartOnCard, chartOnCard } from './chartCard.ts'

/** What the card of a page tells: of a figure that is open on it, of one of its charts, or of the page itself. */
export function readCard(told: Told): Card {
  const assay = recordIn(told.shell.assay)
  if (assay.state === 'known') return figureCard(told, assay as unknown as KnownAssay)
  return told.path === '/embed/chart' ? chartCard(told) : pageCard(told)
}

function pageCard(told: Told): Card {
  const { page, path, title } = told
  const kpis = kpisOf(page.kpis)
  const chart = kpis.length === 0 ? firstChart(told) : undefined
  const entity = entityAt(path)
  const name = nameOf(told, entity)
  return {
    title,
    lead: leadOf(told, kpis[0]?.label),
    of: name === undefined || title.startsWith(name) ? undefined : name,
    colour: colourOf(told, entity),
    figures: kpis.slice(0, 3),
    drawing: chart?.drawing,
    asOf: markText(page.mark) ?? asOfText(recordIn(page.asOf ?? recordIn(page.answer).asOf)),
    sources: sourcesOf(page.sources),
    address: shortAddress(told.canonical),
  }
}

/** The page of a frame: one chart, loaded as its own page loads it. */
function chartCard(told: Told): Card {
  const { page, query } = told
  const spec = page.spec as ShownChart
  const loaded = page.chart as DrawnChart | { state: 'empty' | 'uncovered' | 'failed'; reason?: string }
  const path = String(page.page ?? '/')
  const tab = query.get('tab')
  const drawn = loaded.state === 'drawn' ? chartOnCard(spec, loaded, query) : undefined
  const figures = loaded.state === 'drawn' ? dataOf(loaded) : undefined
  const entity = figures?.assay?.split('@')[1]?.split(':')[0] ?? entityAt(path)
  return {
    title: spec.title,
    lead: drawn?.lead ?? reasonOf(loaded),
    of: String(page.name),
    colour: figures?.colour ?? colourOf(told, entity),
    figures: drawn?.newest === undefined ? [] : [newestFigure(drawn.newest, figures?.colour ?? '')],
    drawing: drawn?.drawing,
    asOf: figures && asOfText(figures.asOf),
    sources: sourcesOf(figures?.sources),
    address: shortAddress(`${told.publicUrl}${path}${tab === null ? '' : `?tab=${tab}`}`),
  }
}

/** Why nothing is drawn; what whoever runs the site may do about it is for the page. */
function reasonOf(loaded: { state: string; reason?: string }): string {
  if (loaded.state === 'failed') return 'Couldn’t load these figures.'
  return loaded.reason?.split(': ')[0] ?? 'No data yet.'
}

function newestFigure(
  { value, unit, when, isWhole }: NonNullable<ChartOnCard['newest']>,
  colour: string,
): CardFigure {
  return { ...written('', value, unit), when: isWhole ? when : `${when}, partial`, colour, spark: [] }
}

/** A figure whose assay view the address opens. */
function figureCard(told: Told, { entry, figure, entity, ref, sources }: KnownAssay): Card {
  const { point, unit, asOf, absent, spark } = figure
  return {
    title: entry.name,
    lead: entry.definition,
    of: nameOf(told, entity) ?? entity,
    colour: entityColour(entity),
    figures: [
      {
        ...written('', point?.value, unit),
        when: point ? dayText(point.day) : (absent ?? 'No data yet'),
        colour: entityColour(entity),
        spark,
      },
    ],
    drawing: undefined,
    asOf: asOfText(asOf),
    sources: sourcesOf(sources),
    address: `${shortAddress(told.canonical)}${told.canonical.includes('?') ? '&' : '?'}assay=${ref}`,
  }
}

const written = (
  label: string,
  value: Value,
  unit: string,
): Pick<CardFigure, 'label' | 'number' | 'tail'> => {
  const { number, tail } = figureText(value, unit)
  return { label, number, tail: isCounted(tail) ? '' : tail }
}

/** Key figures of the strip, those first that are known. The home page’s are sums over layers. */
function kpisOf(value: unknown): CardFigure[] {
  return withTexts(value, 'label').flatMap((kpi): CardFigure[] => {
    const sum = recordIn(kpi.sum) as { value?: Value; unit?: string; to?: string; spark?: unknown }
    if (typeof sum.unit === 'string' && sum.value !== undefined && sum.value !== null)
      return [
        {
          ...written(kpi.label, sum.value, sum.unit),
          when: sum.to === undefined ? '' : dayText(sum.to),
          colour: 'series-bitcoin',
          spark: numbersIn(sum.spark),
        },
      ]
    const { value: own, unit, day, state, colour, spark } = kpi as unknown as Partial<KpiFigure>
    if (own === undefined || own === null || unit === undefined) return []
    const whole = state === 'partial' ? ', not over' : state === 'incomplete' ? ', with gaps' : ''
    return [
      {
        ...written(kpi.label, own, unit),
        when: day ? `${dayText(day)}${whole}` : '',
        colour: colour ?? 'series-2',
        spark: numbersIn(spark),
      },
    ]
  })
}

const numbersIn = (value: unknown): (number | null)[] =>
  Array.isArray(value) ? value.map(each => (typeof each === 'number' ? each : null)) : []

/** The first chart that is drawn, of a page that has no strip. */
function firstChart({ page, query }: Told): ChartOnCard | undefined {
  const charts = withTexts(page.charts, 'id', 'state') as unknown as DrawnChart[]
  const specs = withTexts(page.specs ?? recordIn(page.tab).charts, 'id', 'kind') as unknown as ShownChart[]
  const chart = charts.find(({ state }) => state === 'drawn')
  if (chart === undefined) return undefined
  const spec = specs.find(({ id }) => id === chart.id) ?? { id: chart.id, title: '', kind: 'line' as const }
  return chartOnCard(spec, chart, query)
}

type Resting = { asOf: AsOf; sources: unknown; colour: string; assay: string | undefined }

function dataOf(chart: DrawnChart): Resting {
  if ('plot' in chart) {
    const { asOf, sources, lines } = chart.plot
    return { asOf, sources, colour: lines[0]?.colour ?? 'series-2', assay: lines[0]?.assay }
  }
  if ('histogram' in chart) return chart.histogram
  if ('scatter' in chart) {
    const { asOf, sources, points } = chart.scatter
    return { asOf, sources, colour: points[0]?.colour ?? 'series-2', assay: points[0]?.assay.x }
  }
  const { asOf, sources, parts } = chart.whole
  return { asOf, sources, colour: parts[0]?.colour ?? 'series-2', assay: parts[0]?.assay }
}

/** The question that the page answers; of a description only what stands before the figures that the card shows itself. */
function leadOf({ page, description }: Told, firstLabel: string | undefined): string {
  const question = page.question ?? recordIn(page.tab).question
  if (typeof question === 'string' && question !== '') return question
  const end = firstLabel === undefined ? -1 : description.indexOf(` ${firstLabel} `)
  return end < 1 ? description : description.slice(0, end)
}

/** Whose colour a page has: the entity that its address names. */
function entityAt(path: string): string {
  const [first = '', second = '', third = ''] = path.split('/').slice(1)
  if (first === 'bitcoin' && second === 'l2s') return third === '' ? 'bitcoin' : third
  return first
}

/** Pages that are about nobody in particular have the colour of the house. */
const colourOf = (told: Told, entity: string): string =>
  entityColour(entity) === `series-${entity}` || nameOf(told, entity) !== undefined
    ? entityColour(entity)
    : 'accent'

/** What the map of the site calls an entity. */
function nameOf({ shell }: Told, entity: string): string | undefined {
  const { layers = [], applications = [] } = recordIn(shell.named) as Partial<Parameters<typeof siteWith>[0]>
  return existingPages(siteWith({ layers, applications })).find(
    ({ path, place }) => path === `/${entity}` && (place === 'Layers' || place === 'Applications'),
  )?.label
}

/** As the mark of the page says it: `As of 22 Oct 2024 – 31 Jan 2026, overdue · block 934,500`. */
function markText(mark: unknown): string | undefined {
  const { asOf, from, day, blocks } = recordIn(mark) as Partial<AsOfMarkProps>
  if (asOf === undefined) return undefined
  return asOfText({ ...asOf, height: (blocks ?? asOf).height }, day, from)
}

function asOfText(
  asOf: Readonly<Record<string, unknown>> | AsOf,
  day?: string,
  from?: string,
): string | undefined {
  const { state, time, height } = asOf as Partial<AsOf>
  if (state === undefined || time === undefined) return undefined
  const block = height === null || height === undefined ? '' : ` · block ${grouped(String(height))}`
  const days = [...(from === undefined ? [] : [from]), day ?? time].map(dayText)
  return `As of ${days.join(' – ')}${AGE_WORD[state]}${block}`
}

const sourcesOf = (value: unknown): string[] =>
  withTexts(value, 'name').map(source => (source as Pick<SourceRef, 'name'>).name)

const shortAddress = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '')
