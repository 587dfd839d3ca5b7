import { RANGES, UNITS } from '#http/contract.ts'
import type { KindOfName, QueryVerdict } from '#http/pages/queryNames.ts'
import { isDay } from '#kernel/days.ts'
import { isSqlKey, readRef } from './assay/address.ts'
import { EMBED_KEYS } from './blocks/chart/embed.tsx'
import { TABLE_FIELDS } from './blocks/tableView.ts'
import { CHART_FIELDS, KNOWN } from './blocks/view.ts'
import { isApp } from './pages/apps/apps.ts'
import { NUMBERS } from './pages/indices/builder.ts'
import { MOST_CHOSEN } from './pages/yields/specs.ts'
import { CHART_KEY } from './share/cardAddress.ts'

/**
 * Which names of a query each page reads. It stands here and not in the pages, whose other exports would reach the browser.
 * The server takes all other names out, so that they neither draw a page nor fill the cache.
 */

/** Of pages with a range and a unit. */
const FIGURES = ['range', 'from', 'to', 'unit']
/** Of pages of a layer or an application. */
const LAYER = [...FIGURES, 'tab', 'before', 'fall']
/** Read with all its values. */
const TOKENS = 'b.token'
/** Leads from the form of the console to the answer. */
const SEND = 'send'
const BUILDER = [...NUMBERS.map(name => `b.${name}`), 'b.weighting', 'b.rebalance', 'b.from', 'b.to', TOKENS]
const CHOSEN = Array.from({ length: MOST_CHOSEN }, (_, place) => `w${place + 1}`)

/** By the path in `routes.ts`; a page that is not here reads nothing but what all pages read and the state of its cards. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '/': [...FIGURES, 'metric', 'against', 'picks', 'set', 'more', 'main.by', 'main.look'],
  '/analyze/alpha21': [...FIGURES, 'signal', 'composite'],
  '/analyze/bitcoin-defi-indices': [...FIGURES, 'tab', 'moves', ...BUILDER],
  '/analyze/bitcoin-yield': [...FIGURES, 'asset', 'layer', 'custody', 'il', 'floor', 'age', ...CHOSEN],
  '/analyze/bitcoin-treasuries': FIGURES,
  '/analyze/bitcoin-treasuries/:slug': FIGURES,
  '/developer-activity': [...FIGURES, 'of'],
  '/bitcoin': LAYER,
  '/bitcoin/block/:block': ['after'],
  '/bitcoin/l2s': [...FIGURES, 'family', 'status', 'reviewed', 'map.by'],
  '/bitcoin/l2s/:name': FIGURES,
  '/stacks': [...FIGURES, 'before'],
  '/stacks/defi': FIGURES,
  '/stacks/stablecoins': FIGURES,
  '/stacks/meme-coins': FIGURES,
  '/stacks/mining': [...FIGURES, 'before'],
  '/stacks/sip-031': FIGURES,
  '/stacks/sip-033': FIGURES,
  '/stacks/stacking': FIGURES,
  '/stacks/sbtc': [...FIGURES, 'of', 'origin', 'status', 'before', 'earlier'],
  '/stacks/sbtc/:deposit': ['through'],
  '/stacks/yield': ['address'],
  '/stacks/block/:block': ['after'],
  '/:layer': LAYER,
  '/:layer/block/:block': ['after'],
  '/dashboards/hotcontracts': ['span', 'chain'],
  '/dashboards/discovermints': ['chain'],
  '/popularcalls': ['span', 'chain', 'kind'],
  '/contractsdeployed': [...FIGURES, 'chain', 'version', 'deployer', 'before'],
  '/addressbalance': ['address'],
  '/tokens': ['chain'],
  '/collections': ['chain'],
  '/tvl': [...FIGURES, 'count'],
  '/reports': ['topic', 'q'],
  '/reports/:reportKey': FIGURES,
  '/Query': ['id', 'example', 'section', 'title', 'result'],
  '/documentation/console': ['op', 'find', SEND],
  '/search': ['q'],
  '/callback': ['code', 'state', 'error', 'error_description', 'error_uri', 'iss', 'session_state'],
  '/editor': ['text'],
  '/error': ['code'],
  '/subscription-success': ['session_id'],
}
/** Names of pages that are written as those of cards. */
const LISTED_OWN = new Set(['main.by', 'main.look', 'map.by'])
const EMBED = '/embed/chart'
/** Reads SQL and its parameters from its address, in the browser. */
const QUERY_TOOL = '/Query'

const ownOf = (page: string): readonly string[] | undefined =>
  PAGES[page] ?? (isApp(page.slice(1)) ? LAYER : undefined)

/** What a frame reads of its address: its own, and what the page of its chart reads. */
const framed = (page: string): readonly string[] => [...EMBED_KEYS, ...(ownOf(page) ?? LAYER)]

type Admits = (value: string) => boolean
const oneOf =
  (words: readonly string[]): Admits =>
  value =>
    words.includes(value)
const any: Admits = () => true
const day: Admits = value => isDay(value)

/** Values of names that are read in one way on all pages. */
const VALUES: Readonly<Record<string, Admits>> = {
  range: oneOf(RANGES),
  unit: oneOf(UNITS),
  from: day,
  to: day,
}
const CARD_VALUES = new Map<string, Admits>([
  ...Object.entries(CHART_FIELDS).map(([field, words]) => [field, words ? oneOf(words) : any] as const),
  ...TABLE_FIELDS.map(field => [field, any] as const),
  ['at', day],
  ['page', value => /^(?:all|\d{1,6})$/.test(value)],
])

/** Names of cards whose values are on a list: `fees.scale`, but not `fees.filter`. */
const LISTED_FIELDS = new Set(
  Object.entries(CHART_FIELDS).flatMap(([field, words]) => (words ? [field] : [])),
)

/** Names of pages that readers type, or that come from elsewhere. */
const TYPED = new Set([
  'q',
  'address',
  'find',
  'text',
  'deployer',
  'sql',
  ...BUILDER,
  ...(PAGES['/callback'] ?? []),
])

/**
 * What a reader does to set a name. Days and page numbers are on no list: there are too many. Forms of cards hold typed values
 * (`profit.btc`), as their filters do.
 */
export const kindOfName: KindOfName = name => {
  const field = /^[A-Za-z0-9_-]{1,80}\.([A-Za-z0-9_-]{1,80})$/.exec(name)?.[1]
  if (name === 'range' || name === 'unit' || LISTED_FIELDS.has(field ?? '')) return 'choice'
  if (TYPED.has(name)) return 'text'
  if (field === undefined || name.startsWith('assay.') || LISTED_OWN.has(name)) return 'navigation'
  return field !== 'filter' && CARD_VALUES.has(field) ? 'navigation' : 'text'
}

/** The HTML by which a page shows a chart or a table of this name. */
const cardMark = (card: string) => ({ html: `<section id="${card}"` })
/** The HTML by which a page has a form with a field of this name. */
const fieldMark = (name: string) => ({ html: ` name="${name}"` })

/**
 * How a page reads each name of its query with the value that it has there. A value that it cannot read is as good as none.
 * @param page its path in the map of the site, as `/:layer`
 */
export function judgeQuery(
  page: string,
  query: URLSearchParams,
): (name: string, value: string) => QueryVerdict {
  const isFrame = page === EMBED
  const own = new Set(isFrame ? framed(query.get('page') ?? '') : ownOf(page))
  const chart = query.get(CHART_KEY)
  const hasAssay = readRef(query.get('assay')) !== undefined
  return (name, value) => {
    if (own.has(name)) {
      if (name === TOKENS) return 'own list'
      if (name === SEND) return 'aside'
      return (VALUES[name]?.(value) ?? true) && 'own'
    }
    if (name === KNOWN) return 'aside'
    if (name === 'assay') return hasAssay && 'aside'
    if (name === 'assay.day') return hasAssay && isDay(value) && 'aside'
    if (name === 'assay.height') return hasAssay && /^\d{1,10}$/.test(value) && 'aside'
    if (isSqlKey(name)) {
      if (hasAssay || page === QUERY_TOOL) return 'aside'
      return name.includes('.') && !isFrame && fieldMark(name)
    }
    if (name === CHART_KEY) return /^[A-Za-z0-9_-]{1,80}$/.test(value) && cardMark(value)
    const [, card, field] = /^([A-Za-z0-9_-]{1,80})\.([A-Za-z0-9_-]{1,80})$/.exec(name) ?? []
    if (card === undefined || field === undefined) return false
    const admits = CARD_VALUES.get(field)
    // A frame shows the one chart that its address names, and no form.
    if (admits === undefined) return !isFrame && fieldMark(name)
    if (!admits(value)) return false
    return isFrame ? card === chart && 'own' : cardMark(card)
  }
}
