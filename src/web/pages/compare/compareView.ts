import { addressWith, type ChartView } from '../../blocks/view.ts'
import { COLUMN_SETS, DIVISORS, type Divisor, MOST_LAYERS, setOf } from './lists.ts'

/** The chart's key in the address. */
export const CHART = 'main'
/** Id of the strip of sums. */
export const STRIP = 'sums'
export const TABLE = 'layers'

export type CompareView = {
  /** Metric of the chart; undefined: the first that has figures. */
  metric: string | undefined
  /** Layers of the chart; undefined: those of the sidebar that have figures. */
  picks: readonly string[] | undefined
  /** Layers that the address names beyond what a chart can show. */
  left: number
  look: 'lines' | 'stacked' | 'scatter'
  /** The other metric of a scatter. */
  against: string | undefined
  by: Divisor | undefined
  set: string
  /** Rows beyond the networks of the sidebar. */
  showsAll: boolean
}

/** The only place that knows how the page’s state is written in the address. Unknown words read as the default. */
export function readCompareView(query: URLSearchParams): CompareView {
  const named = [
    ...new Set((query.get('picks') ?? '').split(',').filter(slug => /^[a-z0-9-]{1,60}$/.test(slug))),
  ]
  const by = query.get(`${CHART}.by`) ?? ''
  return {
    metric: metricIn(query, 'metric'),
    picks: named.length === 0 ? undefined : named.slice(0, MOST_LAYERS),
    left: Math.max(0, named.length - MOST_LAYERS),
    look: LOOKS.find(look => look === query.get(`${CHART}.look`)) ?? 'lines',
    against: metricIn(query, 'against'),
    by: Object.hasOwn(DIVISORS, by) ? (by as Divisor) : undefined,
    set: setOf(query.get('set') ?? '').key,
    showsAll: query.get('more') === 'on',
  }
}

const LOOKS = ['lines', 'stacked', 'scatter'] as const

function metricIn(query: URLSearchParams, key: string): string | undefined {
  const text = query.get(key) ?? ''
  return /^[a-z0-9_.]{1,60}$/.test(text) ? text : undefined
}

/** How the chart tells its values: the keys that each choice sets and those it takes out. `first` is how it tells them unasked. */
export function changesFor(
  choice: 'absolute' | 'indexed' | 'share' | Divisor,
  first: ChartView['mode'],
): Record<string, string | undefined> {
  const mode = choice === 'user' || choice === 'tvl' ? undefined : choice
  return {
    [`${CHART}.mode`]: mode === first ? undefined : mode,
    [`${CHART}.by`]: mode === undefined ? choice : undefined,
    ...(choice === 'share' && { [`${CHART}.look`]: 'stacked' }),
    ...(choice !== 'share' && choice !== 'absolute' && { [`${CHART}.look`]: undefined }),
  }
}

/** Another set of columns: what was picked and sorted among the old ones stays behind. */
export const addressOfSet = (search: string, set: string): string =>
  addressWith(search, {
    set: set === COLUMN_SETS[0].key ? undefined : set,
    [`${TABLE}.columns`]: undefined,
    [`${TABLE}.sort`]: undefined,
  })

/** The chart with a layer taken in or out. */
export const addressOfPick = (search: string, picks: readonly string[], entity: string): string =>
  addressWith(search, {
    picks: (picks.includes(entity) ? picks.filter(one => one !== entity) : [...picks, entity]).join(','),
    [`${CHART}.hide`]: undefined,
  })

/** Whether a key of the address asks for other figures; all others only redraw what is here. */
export const needsComparison = (key: string): boolean =>
  ['metric', 'against', 'picks', 'set', 'more', 'range', 'from', 'to', 'unit'].includes(key) ||
  [`${CHART}.by`, `${CHART}.look`, `${CHART}.grain`, `${CHART}.range`].includes(key)
