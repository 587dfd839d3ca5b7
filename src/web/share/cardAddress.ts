/** Where cards are: a name with a dot, which no layer, application or page of the map can have. */
export const CARD_PATH = '/card.png'
/** What a card is in pixels. */
export const CARD_SIZE = { width: 1200, height: 630 } as const

/** Which chart of a page a shared link means. The page itself does not read it. */
export const CHART_KEY = 'chart'

/** Keys of a page’s address that decide which figures a card tells, in the order in which they are written. */
const STATE_KEYS = ['tab', 'of', 'metric', 'against', 'picks', 'range', 'from', 'to', 'unit'] as const
const ASSAY_KEYS = ['assay', 'assay.day'] as const

/** The state of a page that its card shows, in a stated order; with a chart, the chart’s own state too. */
export function cardState(query: URLSearchParams, chart: string | null): [key: string, value: string][] {
  const own =
    chart === null
      ? []
      : [...query.keys()].filter(key => key.startsWith(`${chart}.`) && !key.startsWith('assay')).sort()
  const present = new Set(query.keys())
  return [...STATE_KEYS, ...ASSAY_KEYS, ...new Set(own)].flatMap((key): [string, string][] => {
    const value = present.has(key) ? query.get(key) : null
    return value === null || value === '' ? [] : [[key, value]]
  })
}

/** Address of the card of a page as it stands, or of one of its charts. */
export function cardAddress(path: string, query: URLSearchParams, chart: string | null = null): string {
  const asked = new URLSearchParams([
    ['page', path],
    ...(chart === null ? [] : [[CHART_KEY, chart] as [string, string]]),
    ...cardState(query, chart),
  ])
  return `${CARD_PATH}?${readable(asked)}`
}

/** The address whose answers a card tells; undefined where the question names no page. */
export function targetOf(asked: URLSearchParams): string | undefined {
  const path = asked.get('page') ?? ''
  if (!/^\/(?!\/)[^?#\s\\]{0,300}$/.test(path)) return undefined
  const chart = asked.get(CHART_KEY)
  if (chart !== null && !/^[A-Za-z0-9_-]{1,80}$/.test(chart)) return undefined
  const state = new URLSearchParams(cardState(asked, chart))
  if (chart === null) return state.size === 0 ? path : `${path}?${readable(state)}`
  return `/embed/chart?${readable(new URLSearchParams([['page', path], [CHART_KEY, chart], ...state]))}`
}

/** Signs that an address may hold as they are. */
export const readable = (query: URLSearchParams): string =>
  query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%40', '@')
