import { isFramed, siteWith } from '../site.ts'
import { CARD_SIZE, CHART_KEY, cardAddress, cardState, readable } from './cardAddress.ts'
import { structuredData } from './structuredData.ts'
import { recordIn, type Told, withTexts } from './told.ts'

/**
 * What the head of a page tells those who show links to it and those who list data, as HTML. No browser needs it, so it is
 * no part of what is hydrated: only the server writes it. A link that names a chart, or opens a figure, shows that one.
 */
export function shareHead(told: Told): string {
  const { path, publicUrl } = told
  const { width, height } = CARD_SIZE
  const { title, description, page, chart } = sharedOf(told)
  const tags: [kind: 'property' | 'name', name: string, content: string][] = [
    ['property', 'og:site_name', 'Assay'],
    ['property', 'og:type', /^\/reports\/./.test(path) ? 'article' : 'website'],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:url', sharedUrl(told, page, chart)],
    ['property', 'og:image', `${publicUrl}${cardAddress(page, told.query, chart)}`],
    ['property', 'og:image:width', String(width)],
    ['property', 'og:image:height', String(height)],
    ['name', 'twitter:card', 'summary_large_image'],
  ]
  const metas = tags
    .filter(([, , content]) => content !== '')
    .map(([kind, name, content]) => `<meta ${kind}="${name}" content="${inAttribute(content)}"/>`)
  const data = structuredData(told)
  const script = `<script type="application/ld+json">${inScript(data.length === 1 ? data[0] : data)}</script>`
  return `${metas.join('')}${data.length === 0 ? '' : script}`
}

type Shared = {
  title: string
  description: string
  /** Path of the page that it is on. */
  page: string
  chart: string | null
}

/** What a link shows: a figure that it opens, a chart that it names, or the page. */
function sharedOf(told: Told): Shared {
  const { title, description, path, query, shell } = told
  const assay = recordIn(shell.assay)
  if (assay.state === 'known') {
    const { name, definition } = recordIn(assay.entry)
    return { title: `${name}: ${title}`, description: String(definition), page: path, chart: null }
  }
  if (path === '/embed/chart')
    return { title, description, page: query.get('page') ?? '/', chart: query.get(CHART_KEY) }
  const chart = chartIn(told)
  const named = specsOf(told).find(({ id }) => id === chart)
  return { title: named ? `${title}: ${named.title}` : title, description, page: path, chart }
}

/** What the page knows of its charts before their figures. */
const specsOf = ({ page }: Told) => [
  ...withTexts(page.specs ?? recordIn(page.tab).charts, 'id', 'title'),
  ...withTexts([recordIn(page.chart).shown], 'id', 'title'),
]

/** Which of the page’s charts the link means; null where it names none that stands in frames. */
function chartIn(told: Told): string | null {
  const { path, query, shell } = told
  const id = query.get(CHART_KEY)
  if (id === null || !specsOf(told).some(chart => chart.id === id)) return null
  const { layers = [], applications = [] } = recordIn(shell.named) as Partial<Parameters<typeof siteWith>[0]>
  return isFramed(siteWith({ layers, applications }), path) ? id : null
}

/** Those who show links count them by this address: the page, and what of its state the card tells. */
function sharedUrl({ canonical, path, query, publicUrl }: Told, page: string, chart: string | null): string {
  const state = cardState(query, chart)
  if (path === page && chart === null && state.every(([key]) => key === 'tab')) return canonical
  const asked: [key: string, value: string][] = chart === null ? state : [[CHART_KEY, chart], ...state]
  return `${publicUrl}${page}${asked.length === 0 ? '' : `?${readable(new URLSearchParams(asked))}`}`
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }
export const inAttribute = (text: string): string => text.replace(/[&"<>]/g, sign => SIGNS[sign] ?? sign)

/** JSON that ends no script, whatever names it holds. */
export const inScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const HEAD_END = '</head>'

/** Puts text before the end of the head. */
export function withHead(html: string, head: string): string {
  const at = html.indexOf(HEAD_END)
  return at === -1 ? html : `${html.slice(0, at)}${head}${html.slice(at)}`
}
