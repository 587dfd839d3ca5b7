import { type Grain, RANGES, UNITS } from '#http/contract.ts'
import { isDay } from '#kernel/days.ts'

/** The only place that knows how a page’s and a chart’s state is written in the address. Defaults are left out. */

/** A closed set; the default comes first. */
const oneOf = <const Name extends string>(...names: [Name, ...Name[]]) => names

const RANGE = oneOf('1y', ...RANGES.filter(range => range !== '1y'), 'custom')
const UNIT = oneOf(...UNITS)
const SCALES = oneOf('linear', 'log')
const MODES = oneOf('absolute', 'indexed', 'share')
const GRAIN_CHOICES = oneOf('auto', 'day', 'week', 'month')
const CHART_RANGES = oneOf('page', ...RANGES)
const FORMS = oneOf('chart', 'table')
const MEASURES = oneOf('one', 'each')

export type PageView = {
  range: (typeof RANGE)[number]
  /** Set with `custom` only. */
  from: string | undefined
  to: string | undefined
  unit: (typeof UNIT)[number]
}

export type ChartView = {
  scale: (typeof SCALES)[number]
  mode: (typeof MODES)[number]
  grain: (typeof GRAIN_CHOICES)[number]
  /** Its own range, or that of the page. */
  range: (typeof CHART_RANGES)[number]
  form: (typeof FORMS)[number]
  /** Scales of the two axes of a scatter. */
  x: (typeof SCALES)[number]
  y: (typeof SCALES)[number]
  /** The day at which a chart of moments stands; its newest where undefined. */
  at: string | undefined
  /** Small charts and rows of colour: one measure for all, or one for each. */
  measure: (typeof MEASURES)[number]
  /** Keys of the lines that the reader took out. */
  hidden: readonly string[]
  /** Switches that the reader turned on. */
  switchedOn: readonly string[]
}

const chosen = <Name extends string>(names: readonly [Name, ...Name[]], text: string | null): Name =>
  names.find(name => name === text) ?? names[0]

/** Key of the UTC day as of which a page is shown; without it as of today. */
export const KNOWN = 'known'

/** Unknown words read as the default; a custom range needs two days in order. */
export function readPageView(query: URLSearchParams): PageView {
  const from = query.get('from')
  const to = query.get('to')
  const isCustom = isDay(from) && isDay(to) && from <= to
  return {
    range: isCustom
      ? 'custom'
      : chosen(RANGE.filter(range => range !== 'custom') as unknown as typeof RANGE, query.get('range')),
    from: isCustom ? from : undefined,
    to: isCustom ? to : undefined,
    unit: chosen(UNIT, query.get('unit')),
  }
}

/** Fields of a chart’s state in the address, as `<chart>.<field>`, with the words that each may hold; null: no closed set. */
export const CHART_FIELDS = {
  scale: SCALES,
  mode: MODES,
  grain: GRAIN_CHOICES,
  range: CHART_RANGES,
  form: FORMS,
  x: SCALES,
  y: SCALES,
  measure: MEASURES,
  at: null,
  hide: null,
  with: null,
} as const

export type ChartDefaults = {
  scale?: ChartView['scale']
  x?: ChartView['scale']
  y?: ChartView['scale']
  measure?: ChartView['measure']
  mode?: ChartView['mode']
  /** Of ranges longer than a quarter, where days are too few or too noisy to read. */
  grain?: 'week' | 'month'
}

/** State of one chart; its keys are `<chart>.<field>`. */
export function readChartView(
  query: URLSearchParams,
  chart: string,
  defaults: ChartDefaults = {},
): ChartView {
  const read = <Name extends string>(
    field: keyof typeof CHART_FIELDS,
    names: readonly [Name, ...Name[]],
    first?: Name,
  ): Name => {
    const text = query.get(`${chart}.${field}`)
    return text === null && first !== undefined ? first : chosen(names, text)
  }
  return {
    scale: read('scale', SCALES, defaults.scale),
    mode: read('mode', MODES, defaults.mode),
    grain: read('grain', GRAIN_CHOICES),
    range: read('range', CHART_RANGES),
    form: read('form', FORMS),
    x: read('x', SCALES, defaults.x),
    y: read('y', SCALES, defaults.y),
    at: dayIn(query, `${chart}.at`),
    measure: read('measure', MEASURES, defaults.measure),
    hidden: listIn(query, `${chart}.hide`),
    switchedOn: listIn(query, `${chart}.with`),
  }
}

const dayIn = (query: URLSearchParams, key: string): string | undefined => {
  const text = query.get(key)
  return isDay(text) ? text : undefined
}

const listIn = (query: URLSearchParams, key: string): string[] =>
  (query.get(key) ?? '').split(',').filter(word => word !== '')

/** The page’s view with a chart’s own range in place of the page’s, where it has one. */
export const viewOfChart = (page: PageView, { range }: Pick<ChartView, 'range'>): PageView =>
  range === 'page' ? page : { ...page, range, from: undefined, to: undefined }

/** Keys whose change needs other figures from the server; all others only redraw what is here. */
export const needsFigures = (key: string): boolean =>
  ['tab', 'range', 'from', 'to', 'unit', 'before'].includes(key) || /\.(?:grain|range|with)$/.test(key)

/** The same page with some keys changed; undefined takes a key out. The order of keys is fixed, so that equal states have one address. */
export function addressWith(search: string, changes: Record<string, string | undefined>): string {
  const query = new URLSearchParams(search)
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(key)
    else query.set(key, value)
  }
  query.sort()
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%40', '@')
  return text === '' ? '?' : `?${text}`
}

/** Grain of a range when the reader has not chosen one: enough points to see, few enough to read. */
export function grainFor(
  view: PageView,
  chosenGrain: ChartView['grain'],
  days: number,
  calm?: 'week' | 'month',
): Grain {
  if (chosenGrain !== 'auto') return chosenGrain
  if (calm === 'month' && days > 92) return calm
  if (view.range === 'max' || view.range === 'custom') {
    if (days > 2200) return 'month'
    if (days > 500) return 'week'
  }
  return calm && days > 120 ? calm : 'day'
}
