import type { MetricEntry, Report, SourceRef } from '#http/contract.ts'
import type { PlotData } from '../blocks/chart/plotData.ts'
import { bucketDay } from '../blocks/chart/plotData.ts'
import { existingPages, type SitePage, siteWith } from '../site.ts'
import { cardAddress } from './cardAddress.ts'
import { recordIn, type Told, withTexts } from './told.ts'

/** https://schema.org, as JSON-LD. */
type Thing = Readonly<Record<string, unknown>>

const CONTEXT = 'https://schema.org'
const HOUSE = { '@type': 'Organization', name: 'Assay' } as const
/** A page may rest on thirty publishers: those that list data read the first. */
const MOST_SOURCES = 12

/**
 * What a page is to those who list data: a `Dataset` where it has charts of metrics or documents one, an `Article` where it
 * is a report, and its place among the pages above it.
 */
export function structuredData(told: Told): Thing[] {
  return [articleOf(told) ?? metricOf(told) ?? datasetOf(told), crumbsOf(told)].flatMap(thing =>
    thing === undefined ? [] : [{ '@context': CONTEXT, ...thing }],
  )
}

/** The figures of a page that come as one file. */
function datasetOf({ title, description, canonical, page, path, publicUrl }: Told): Thing | undefined {
  const { csvHref } = page
  if (path === '/embed/chart' || typeof csvHref !== 'string' || !/[?&]figures=[^&]/.test(csvHref))
    return undefined
  const plots = withTexts(page.charts, 'id', 'state').flatMap(chart =>
    chart.state === 'drawn' && 'plot' in chart ? [chart.plot as PlotData] : [],
  )
  if (plots.length === 0) return undefined
  const sources = withTexts(page.sources, 'name', 'url', 'licence') as unknown as SourceRef[]
  return {
    '@type': 'Dataset',
    name: title,
    description,
    url: canonical,
    creator: HOUSE,
    isAccessibleForFree: true,
    ...licenceOf(sources),
    ...coverageOf(plots),
    distribution: [
      download('text/csv', `${publicUrl}${csvHref}`),
      download('application/json', `${publicUrl}${csvHref.replace('format=csv', 'format=json')}`),
    ],
    ...basedOn(sources),
  }
}

/** One metric, as its page documents it. */
function metricOf({ path, canonical, page, publicUrl, description }: Told): Thing | undefined {
  if (!path.startsWith('/documentation/metrics/')) return undefined
  const [first] = withTexts(page.kinds, 'id', 'name', 'definition', 'unit') as unknown as MetricEntry[]
  if (first === undefined) return undefined
  const series = (format: 'csv' | 'json') =>
    `${publicUrl}/api/v1/metrics/${first.id}?entity=${first.entities[0]}&range=max&format=${format}`
  return {
    '@type': 'Dataset',
    name: first.name,
    description,
    url: canonical,
    variableMeasured: { '@type': 'PropertyValue', name: first.id, unitText: first.unit },
    creator: HOUSE,
    isAccessibleForFree: true,
    ...licenceOf(first.sources),
    distribution: [download('text/csv', series('csv')), download('application/json', series('json'))],
    ...basedOn(first.sources),
  }
}

const download = (encodingFormat: string, contentUrl: string): Thing => ({
  '@type': 'DataDownload',
  encodingFormat,
  contentUrl,
})

/** Only where all sources state one and the same: a page of several licences has none as a whole. */
function licenceOf(sources: readonly Pick<SourceRef, 'licence'>[]): Thing {
  const stated = [...new Set(sources.map(({ licence }) => licence))]
  const [only] = stated
  return stated.length === 1 && only !== undefined && only !== '' ? { license: only } : {}
}

/** From the first to the last day that is drawn: ISO 8601, as a span. */
function coverageOf(plots: readonly PlotData[]): Thing {
  const starts = plots.map(({ start }) => start).sort()
  const ends = plots.map(plot => bucketDay(plot, plot.count - 1)).sort()
  return { temporalCoverage: `${starts[0]}/${ends.at(-1)}` }
}

function basedOn(sources: readonly Pick<SourceRef, 'url'>[]): Thing {
  const urls = [...new Set(sources.map(({ url }) => url).filter(url => /^https?:/.test(url)))]
  return urls.length === 0 ? {} : { isBasedOn: urls.slice(0, MOST_SOURCES) }
}

function articleOf({ page, canonical, path, publicUrl }: Told): Thing | undefined {
  const report = recordIn(page.report) as Partial<Report>
  if (!path.startsWith('/reports/') || report.title === undefined) return undefined
  return {
    '@type': 'Article',
    headline: report.title,
    description: report.summary,
    articleSection: report.topic,
    datePublished: report.published,
    dateModified: report.updated ?? report.published,
    url: canonical,
    image: `${publicUrl}${cardAddress(path, new URLSearchParams())}`,
    author: HOUSE,
    publisher: HOUSE,
  }
}

/** The pages above this one that exist; a page right under the home page has no such way. */
function crumbsOf({ path, title, canonical, shell, publicUrl }: Told): Thing | undefined {
  if (path === '/embed/chart') return undefined
  const { layers = [], applications = [] } = recordIn(shell.named) as Partial<Parameters<typeof siteWith>[0]>
  const known = existingPages(siteWith({ layers, applications }))
  const parts = path.split('/').filter(part => part !== '')
  const above = parts.slice(0, -1).flatMap((_, index): SitePage[] => {
    const found = known.find(page => page.path === `/${parts.slice(0, index + 1).join('/')}`)
    return found ? [found] : []
  })
  if (above.length === 0) return undefined
  const crumbs = [
    ...above.map(page => ({ name: page.label, item: `${publicUrl}${page.path}` })),
    { name: title, item: canonical },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map((crumb, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      ...crumb,
    })),
  }
}
