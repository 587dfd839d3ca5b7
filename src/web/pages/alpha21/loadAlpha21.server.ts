import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { SignalSummary } from '#http/contract.ts'
import { type ChartSpec, shownPart } from '../../blocks/chart/chartSpec.ts'
import { dayOfPage, headlineMark } from '../../blocks/load/headlines.server.ts'
import { readPageView } from '../../blocks/view.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'

const CHARTS = (name: string): readonly ChartSpec[] => [
  {
    id: 'price',
    title: 'Price under its states',
    kind: 'line',
    wide: true,
    lines: [{ metric: 'price.close', entity: 'bitcoin', label: 'price' }],
    defaults: { scale: 'log' },
    note: 'Bullish days are marked along the top, bearish ones along the bottom; on the others it was neutral or had no reading.',
  },
  {
    id: 'reading',
    title: 'Reading and its thresholds',
    kind: 'line',
    wide: true,
    lines: [{ metric: 'signal.reading', label: name }],
    note: 'Dashed: where a side begins.',
  },
]

/** The whole history by weeks unless the reader asks for something else: events are years apart. */
function withWholeHistory(url: URL): URL {
  const whole = new URL(url)
  const defaults = { range: 'max', 'price.grain': 'week', 'reading.grain': 'week' }
  for (const [key, value] of Object.entries(defaults))
    if (!whole.searchParams.has(key)) whole.searchParams.set(key, value)
  return whole
}

/** @param days of the states that are current: the charts reach as far */
async function loadSignal(
  id: string,
  url: URL,
  context: Readonly<RouterContextProvider>,
  days: Promise<readonly string[]>,
) {
  const { signals } = context.get(apiContext)
  return answering('Alpha21', async () => {
    const signal = await signals.signal(id)
    const page = { question: '', kpis: [], charts: signal.day === null ? [] : CHARTS(signal.name) }
    const [record, figures] = await Promise.all([
      signals.table(id),
      loadFigures(page, id, withWholeHistory(url), context, { days }),
    ])
    const { charts, asOfDays, csvHref, sqlHref, sources } = figures
    return { signal, record, charts, asOfDays, csvHref, sqlHref, sources, specs: page.charts.map(shownPart) }
  })
}

const currentDays = ({ items }: { items: readonly SignalSummary[] }): string[] =>
  items.flatMap(({ isCurrent, day }) => (isCurrent && day !== null ? day : []))

/** Everything that the page shows; `signal` in the address opens one, `composite` the composite. */
export async function loadAlpha21(url: URL, context: Readonly<RouterContextProvider>) {
  const { signals } = context.get(apiContext)
  const id = url.searchParams.get('signal')
  const isShown = url.searchParams.get('composite') === 'show'
  const asking = answering('Alpha21', () => signals.list())
  const days = asking.then(currentDays)
  // The list is awaited below; nobody awaits its days where the signal cannot be read.
  days.catch(() => {})
  const [list, records, open, composite] = await Promise.all([
    asking,
    answering('Alpha21', () => signals.records()),
    id === null ? null : loadSignal(id, url, context, days),
    isShown ? answering('Alpha21', () => signals.composite()) : null,
  ])
  const { asOf, ...shown } = list
  const mark = headlineMark(
    currentDays(list).map(day => ({ from: day, to: day, cadenceDays: 1 })),
    dayOfPage(readPageView(url.searchParams), url.searchParams),
    asOf,
    open?.asOfDays[0],
  )
  return {
    ...shown,
    mark,
    records: records.items,
    open,
    composite,
    description: descriptionOf(list.items),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export type OpenSignal = NonNullable<Awaited<ReturnType<typeof loadAlpha21>>['open']>

const descriptionOf = (items: readonly SignalSummary[]): string => {
  const now = (state: SignalSummary['state']) =>
    items.filter(item => item.isCurrent && item.state === state).length
  return `${items.length} signals of bitcoin with fixed rules and a public record: ${now('bullish')} bullish, ${now('bearish')} bearish, ${now('neutral')} neutral. Not advice.`
}
