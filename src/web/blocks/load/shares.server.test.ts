/** Share charts would show parts of something that is not the whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draw } from '../chart/drawing.ts'
import type { PlotData, PlotLine } from '../chart/plotData.ts'
import { coverageText, summaryText } from '../chart/summary.ts'
import { readPageView } from '../view.ts'
import type { FigureReader, Subject } from './figureReader.server.ts'
import { loadChart } from './loadChart.server.ts'
import { wholeOf } from './wholeOf.server.ts'

const lineOf = (label: string, values: (number | null)[]): PlotLine => ({
  key: label,
  label,
  colour: 'series-1',
  values,
  incomplete: [],
  assay: 'tvl.by_protocol@core',
})

/** Protocols of a layer by day, and its TVL by another source. */
const plotOf = (lines: readonly PlotLine[], totals?: (number | null)[]): PlotData => ({
  start: '2026-08-01',
  grain: 'day',
  count: lines[0]?.values.length ?? 0,
  isPartial: false,
  lines: [...lines],
  unit: 'USD',
  asOf: { time: '2026-08-05T00:00:00Z', height: null, state: 'recorded' },
  sources: [],
  ...(totals && { totals }),
})

const tree = (plot: PlotData) => wholeOf(plot, { kind: 'tree', over: 'newest' }, [])

const drawnShares = (plot: PlotData, hidden: string[] = []) =>
  draw(plot, {
    kind: 'stacked',
    view: { scale: 'linear', mode: 'share', hidden },
    height: 200,
    events: [],
  })

const sharesIn = (plot: PlotData, hidden: string[] = []) =>
  drawnShares(plot, hidden).shown.map(({ label, values }) => [label, values])

test('a protocol that is a fragment of the TVL of its layer is no map of it', () => {
  assert.equal(tree(plotOf([lineOf('pell', [11_770])], [4_700_000])), undefined)
  assert.equal(tree(plotOf([lineOf('zest', [87])], [null])), undefined)
})

test('what no protocol accounts for is unattributed, on the newest day with enough coverage', () => {
  const plot = plotOf([lineOf('a', [60, 50]), lineOf('b', [30, null])], [100, 100])
  const found = tree(plot)
  assert.equal(found?.to, '2026-08-01')
  assert.deepEqual(
    found?.parts.map(({ label, value }) => [label, value]),
    [
      ['a', 60],
      ['b', 30],
      ['Unattributed', 10],
    ],
  )
})

test('a stack by share shows no share of a fragment', () => {
  const plot = plotOf([lineOf('a', [50, 10]), lineOf('b', [30, 10])], [100, 100])
  assert.deepEqual(sharesIn(plot), [
    ['a', [0.5, null]],
    ['b', [0.3, null]],
    ['Unattributed', [0.2, null]],
  ])
})

/** Two days of 2025 without USDC, whose total is the sum of the others; on the third all are known. */
const stablecoins = plotOf(
  [lineOf('USDH', [76, 75, 20]), lineOf('USDT', [24, 25, 4]), lineOf('USDC', [null, null, 76])],
  [100, 100, 100.000_04],
)

test('a day without one of the parts has no share where its total is the sum of the others', () => {
  assert.deepEqual(sharesIn(stablecoins), [
    ['USDH', [null, null, 0.2]],
    ['USDT', [null, null, 0.04]],
    ['USDC', [null, null, 0.76]],
  ])
  const text = summaryText('Stablecoins by token', stablecoins, drawnShares(stablecoins))
  assert.match(text, /USDH: latest 20\s%.*highest 20\s%/)
  assert.doesNotMatch(text, /76\s% \([12] Aug|Unattributed/)
  assert.equal(coverageText(stablecoins, drawnShares(stablecoins)), '1 day · 2 missing')
  // A hidden part is no less unknown.
  for (const [, values] of sharesIn(stablecoins, ['USDC']))
    assert.deepEqual(values?.slice(0, 2), [null, null])
})

test('no map of parts is of such a day', () => {
  assert.equal(tree(stablecoins)?.to, '2026-08-03')
  assert.equal(tree(plotOf([lineOf('a', [76]), lineOf('b', [24]), lineOf('c', [null])], [100])), undefined)
  // Of several lines that are summed as one, one may be unknown.
  const summed = { ...lineOf('3 others', [24]), lacking: [0] }
  assert.equal(tree(plotOf([lineOf('a', [76]), summed], [100])), undefined)
  assert.deepEqual(sharesIn(plotOf([lineOf('a', [76]), summed], [100])), [
    ['a', [null]],
    ['3 others', [null]],
  ])
})

test('without a total of their own the lines are the whole, where all of them are known', () => {
  assert.deepEqual(sharesIn(plotOf([lineOf('a', [1, 1]), lineOf('b', [3, null])])), [
    ['a', [0.25, null]],
    ['b', [0.75, null]],
  ])
})

/** Answers of an API that knows protocols of a layer and its TVL on one day. */
function readerOf(protocols: Readonly<Record<string, number>>, tvl: number | null): FigureReader {
  const day = '2026-08-01'
  const asOf = { time: `${day}T12:00:00Z`, height: null, state: 'recorded' as const }
  const point = (value: number, key = '') => ({ day, key, value, state: 'whole', source: 'defillama' })
  const entries = {
    'tvl.by_protocol': { breakdown: { name: 'protocol', values: [], isComplete: false, total: 'tvl.total' } },
    'tvl.total': { breakdown: null },
  }
  const points = {
    'tvl.by_protocol': Object.entries(protocols).map(([key, value]) => point(value, key)),
    'tvl.total': tvl === null ? [] : [point(tvl)],
  }
  const entry = (id: string) => ({ id, name: id, sources: [], ...entries[id as keyof typeof entries] })
  return {
    entry: async ({ metric }: Subject) => entry(metric),
    figure: async ({ metric }: Subject) => ({ point: points[metric as keyof typeof points][0] ?? null }),
    series: async ({ metric, entity }: Subject) => ({
      metric: entry(metric),
      entity,
      unit: 'USD',
      points: points[metric as keyof typeof points],
      asOf,
      sources: [],
    }),
    keyNames: async () => undefined,
    newestDay: async () => day,
  } as unknown as FigureReader
}

const mapOf = (reader: FigureReader) => {
  const query = new URLSearchParams()
  const ask = { reader, entity: 'core', view: readPageView(query), query, newest: '2026-08-01' }
  return loadChart(ask, {
    id: 'map',
    title: 'Map',
    kind: 'tree',
    over: 'newest',
    lines: [{ metric: 'tvl.by_protocol' }],
  })
}

test('a map of protocols is drawn against the TVL of the layer, or says why it is not', async () => {
  const drawn = await mapOf(readerOf({ zest: 60, granite: 30 }, 100))
  assert.ok(drawn.state === 'drawn' && 'whole' in drawn, JSON.stringify(drawn))
  assert.deepEqual(
    drawn.whole.parts.map(({ label, value }) => [label, value]),
    [
      ['zest', 60],
      ['granite', 30],
      ['Unattributed', 10],
    ],
  )
  const fragment = await mapOf(readerOf({ pell: 11_770 }, 4_700_000))
  assert.ok(fragment.state === 'empty', JSON.stringify(fragment))
  assert.match(fragment.reason, /less than 80%/)
  assert.equal((await mapOf(readerOf({ zest: 87 }, null))).state, 'empty')
})
