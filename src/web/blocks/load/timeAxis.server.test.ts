/** Charts of one page would end on different days. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestSite, type TestSite } from '#http/testing.ts'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import { bucketDay, type PlotData } from '../chart/plotData.ts'
import { type PageView, readPageView } from '../view.ts'
import { createFigureReader, type Subject } from './figureReader.server.ts'
import { loadCharts } from './loadChart.server.ts'
import { loadKpi } from './loadKpi.server.ts'

const DAY_MS = 86_400_000
const dayAfter = (first: string, days: number): string =>
  new Date(Date.parse(first) + days * DAY_MS).toISOString().slice(0, 10)

const SUBJECTS: Subject[] = [
  { metric: 'tvl.total', entity: 'stacks' },
  { metric: 'stables.cap', entity: 'stacks' },
  { metric: 'token.price', entity: 'stx' },
]

let site: TestSite
before(async () => {
  site = await openTestSite()
  const days = (metric: string, entity: string, source: string, first: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      metric,
      entity,
      day: dayAfter(first, index),
      value: 100 + index,
      source,
    }))
  await writeMadeFigures(
    site.warehouse,
    [
      // Until 10 July 2026, until 5 January 2026, and only of a year before.
      ...days('tvl.total', 'stacks', 'defillama.tvl', '2025-06-01', 405),
      ...days('stables.cap', 'stacks', 'defillama.stables', '2025-12-01', 36),
      ...days('token.price', 'stx', 'coingecko.markets', '2025-01-01', 20),
    ],
    [],
  )
  await site.version.refresh()
})
after(() => site[Symbol.asyncDispose]())

async function loaded(search: string) {
  const query = new URLSearchParams(search)
  const view: PageView = readPageView(query)
  const reader = createFigureReader(site.apiFor({ address: 'test' }), view)
  const newest = await reader.newestDay(SUBJECTS)
  const charts = await loadCharts(
    { reader, entity: 'stacks', view, query, newest },
    SUBJECTS.map(({ metric, entity }) => ({
      id: metric.split('.')[0] ?? '',
      title: metric,
      kind: 'line',
      lines: [{ metric, entity }],
    })),
  )
  const [tvl] = SUBJECTS
  assert.ok(tvl)
  return { charts, kpi: await loadKpi({ reader, view, newest }, tvl, 'TVL') }
}

const axisOf = (plot: PlotData) => [plot.start, bucketDay(plot, plot.count - 1)]
const axes = (charts: Awaited<ReturnType<typeof loaded>>['charts']) =>
  charts.flatMap(chart => (chart.state === 'drawn' && 'plot' in chart ? [axisOf(chart.plot)] : []))

test('charts of a page have one axis that ends on its newest day, whenever their own data ends', async () => {
  for (const [range, first] of [
    ['1y', '2025-07-11'],
    ['90d', '2026-04-12'],
    ['7d', '2026-07-04'],
  ] as const) {
    const { charts } = await loaded(`range=${range}`)
    const drawn = axes(charts)
    assert.ok(drawn.length > 0)
    for (const axis of drawn) assert.deepEqual(axis, [first, '2026-07-10'], range)
  }
})

test('a chart without data in the range says until when it has some', async () => {
  const { charts } = await loaded('range=1y')
  assert.deepEqual(
    charts.map(chart => (chart.state === 'empty' ? chart.reason : chart.state)),
    ['drawn', 'drawn', 'No data in this range. Data ends 20 Jan 2025.'],
  )
})

test('a custom range draws its days, and whole histories have one axis from the first day of the page to its last', async () => {
  const custom = await loaded('from=2025-12-01&to=2026-02-28')
  assert.deepEqual(axes(custom.charts), [
    ['2025-12-01', '2026-02-28'],
    ['2025-12-01', '2026-02-28'],
  ])
  const whole = await loaded('range=max')
  assert.deepEqual(
    axes(whole.charts),
    [
      ['2025-01-01', '2026-07-01'],
      ['2025-01-01', '2026-07-01'],
      ['2025-01-01', '2026-07-01'],
    ],
    'by months',
  )
  assert.deepEqual(
    whole.charts.map(chart => chart.state === 'drawn' && new URLSearchParams(chart.csvHref).get('to')),
    ['2026-07-10', '2026-07-10', '2026-07-10'],
  )
  const own = await loaded('tvl.range=max&stables.range=max&stables.grain=week')
  assert.deepEqual(
    axes(own.charts),
    [
      ['2025-06-01', '2026-07-01'],
      // The week of 1 June 2025.
      ['2025-05-26', '2026-07-06'],
    ],
    'charts with the whole history as their own range',
  )
})

test('the spark of a figure covers the range of its change, both ends included', async () => {
  for (const [range, points, first] of [
    ['7d', 8, 497],
    ['30d', 31, 474],
    ['90d', 46, 414],
    ['1y', 74, 139],
  ] as const) {
    const { kpi } = await loaded(`range=${range}`)
    assert.deepEqual([kpi?.spark.length, kpi?.spark[0], kpi?.spark.at(-1)], [points, first, 504], range)
    assert.equal(kpi?.change, 504 / first - 1)
  }
  const custom = await loaded('from=2025-12-01&to=2026-02-28')
  assert.deepEqual([custom.kpi?.spark.length, custom.kpi?.spark[0], custom.kpi?.spark.at(-1)], [31, 342, 372])
})
