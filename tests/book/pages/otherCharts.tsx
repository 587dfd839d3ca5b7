import type { Point, Series } from '#http/contract.ts'
import { ChartCard } from '#web/blocks/ChartCard.tsx'
import type { ShownChart } from '#web/blocks/chart/chartSpec.ts'
import type { ScatterPoint } from '#web/blocks/chart/scatterData.ts'
import type { WholePart } from '#web/blocks/chart/wholeData.ts'
import { histogramOf } from '#web/blocks/load/histogramOf.server.ts'
import type { ChartFigures } from '#web/blocks/load/loadChart.server.ts'
import { addDays } from '#web/format/day.ts'
import type { BookPage, BookState } from '../bookPage.ts'
import {
  HUGE,
  LIVE,
  LONG_NAME,
  MADE_DAY,
  MADE_SOURCES,
  OVERDUE,
  plotOf,
  UNBROKEN,
  wave,
  waveOf,
} from '../made.ts'

const chart = (spec: ShownChart, figures: ChartFigures, missing: string[] = []) => (
  <ChartCard spec={spec} chart={{ id: spec.id, state: 'drawn', csvHref: '/made.csv', missing, ...figures }} />
)

const rows = (count: number, top: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: `r${index}`,
    label: index === 1 ? LONG_NAME : index === 2 ? UNBROKEN : `Layer ${index + 1}`,
    values: waveOf(52, { seed: index, top }).map((value, at) => (index === 4 && at < 20 ? null : value)),
  }))

const NOTHING = [{ values: waveOf(52).map(() => null) }]

/** What every chart of lines on a grid of buckets is seen with. */
const gridStates = (kind: 'multiples' | 'heat', name: string): BookState[] => [
  {
    name: 'as usual, one row without its first weeks',
    draw: () =>
      chart(
        { id: `${kind}-usual`, title: `Made ${name}`, kind },
        { plot: plotOf(rows(5, 90_000), { grain: 'week' }) },
      ),
  },
  {
    name: 'up to 1.2 × 10^24, each by its own measure',
    at: `?${kind}-huge.measure=each`,
    draw: () =>
      chart(
        { id: `${kind}-huge`, title: `Made ${name}`, kind },
        { plot: plotOf(rows(3, HUGE), { grain: 'week', unit: 'USD', asOf: OVERDUE }) },
      ),
  },
  {
    name: 'one row, one week',
    draw: () =>
      chart(
        { id: `${kind}-one`, title: `Made ${name}`, kind },
        { plot: plotOf([{ label: 'Only one', values: [42] }], { grain: 'week' }) },
      ),
  },
  {
    name: 'nothing known',
    draw: () =>
      chart(
        { id: `${kind}-none`, title: `Made ${name}`, kind },
        { plot: plotOf(NOTHING, { grain: 'week' }) },
      ),
  },
  {
    name: 'below zero',
    draw: () =>
      chart(
        { id: `${kind}-negative`, title: `Made ${name}`, kind },
        {
          plot: plotOf(
            [
              { values: waveOf(52, { top: 0.4, least: -0.6 }) },
              { values: waveOf(52, { seed: 3, top: 4, least: -3 }) },
            ],
            { grain: 'week', unit: 'ratio' },
          ),
        },
      ),
  },
]

const calendarOf = (days: number, top: number, unit = 'sat') =>
  plotOf(
    [{ label: 'Fees', values: waveOf(days, { top }).map((value, at) => (at % 41 === 7 ? null : value)) }],
    {
      start: addDays(MADE_DAY, 1 - days),
      unit,
    },
  )

const calendar = (id: string) => ({ id, title: 'Made days', kind: 'calendar' }) as const

const point = (over: Partial<ScatterPoint>, index: number): ScatterPoint => ({
  key: `p${index}`,
  label: `Layer ${index + 1}`,
  colour: `series-${(index % 10) + 1}`,
  x: waveOf(8, { seed: index, top: 90_000, least: 1000 * index }),
  y: waveOf(8, { seed: index + 5, top: 4e9, least: 1e7 }),
  size: waveOf(8, { seed: index + 9, top: 300, least: 1 }),
  assay: { x: `made.x@e${index}`, y: `made.y@e${index}`, size: `made.size@e${index}` },
  ...over,
})
const scatter = (id: string, points: ScatterPoint[], count = 8): ReturnType<typeof chart> =>
  chart(
    {
      id,
      title: 'Made layers against each other',
      kind: 'scatter',
      axes: { x: 'Users', y: 'Value held', size: 'Age' },
    },
    {
      scatter: {
        start: '2025-12-08',
        grain: 'week',
        count,
        isPartial: false,
        sources: MADE_SOURCES,
        units: { x: 'addresses', y: 'USD', size: 'contracts' },
        asOf: LIVE,
        points,
      },
    },
  )

/** A series of days with these values; of its metric only what is read here. */
const seriesOf = (values: readonly number[], unit: string): Series =>
  ({
    metric: { id: 'made.sizes', name: 'Sizes' },
    entity: 'bitcoin',
    unit,
    points: values.map(
      (value, index): Point => ({
        day: addDays('2025-01-01', index),
        value,
        key: '',
        source: 'made',
        state: 'whole',
      }),
    ),
    asOf: LIVE,
    sources: MADE_SOURCES,
  }) as unknown as Series

const histogram = (id: string, values: readonly number[], unit: string) => {
  const counted = histogramOf(seriesOf(values, unit), 'Fees of a day')
  return counted && chart({ id, title: 'Made spread', kind: 'histogram', of: 'day' }, { histogram: counted })
}

const part = (label: string, value: number, over: Partial<WholePart> = {}): WholePart => ({
  key: label,
  label,
  value,
  colour: `series-${(label.length % 10) + 1}`,
  assay: `made.part@${label.length}`,
  ...over,
})
const whole = (spec: ShownChart, parts: WholePart[], unit = 'USD') =>
  chart(spec, {
    whole: { parts, span: '31 Jan 2026', to: MADE_DAY, gaps: 0, unit, asOf: LIVE, sources: MADE_SOURCES },
  })
const PARTS = [LONG_NAME, 'Liquid', UNBROKEN, 'Rootstock', 'Merlin', 'BOB', 'Core', 'Spiderchain'].map(
  (label, index) => part(label, 9e8 / (index + 1) ** 2, { colour: `series-${index + 1}` }),
)
const flow = (from: string, to: string, value: number, index = 0) =>
  part(`${from} to ${to}`, value, { flow: { from, to }, colour: `series-${(index % 10) + 1}` })

const tree = (id: string) => ({ id, title: 'Made parts of a whole', kind: 'tree', over: 'newest' }) as const
const sankey = (id: string) => ({ id, title: 'Made flows', kind: 'sankey', over: 'sum' }) as const
const waterfall = (id: string) =>
  ({ id, title: 'Made steps', kind: 'waterfall', over: 'sum', end: 'left for holders' }) as const

export const OTHER_CHART_PAGES: readonly BookPage[] = [
  {
    name: 'chart-multiples',
    title: 'Small multiples',
    component: 'src/web/blocks/chart/MultiplesChart.tsx',
    isPaired: true,
    states: gridStates('multiples', 'small charts'),
  },
  {
    name: 'chart-heat',
    title: 'Heat map',
    component: 'src/web/blocks/chart/HeatChart.tsx',
    isPaired: true,
    states: gridStates('heat', 'heat map'),
  },
  {
    name: 'chart-calendar',
    title: 'Calendar of days',
    component: 'src/web/blocks/chart/HeatChart.tsx',
    isPaired: true,
    states: [
      {
        name: 'a year and a half with days that are not known',
        draw: () => chart(calendar('days-usual'), { plot: calendarOf(540, 4e9) }),
      },
      {
        name: 'a year up to 1.2 × 10^24, steps in equal ratios',
        at: '?days-huge.scale=log',
        draw: () => chart(calendar('days-huge'), { plot: calendarOf(365, HUGE, 'USD') }),
      },
      { name: 'one day', draw: () => chart(calendar('days-one'), { plot: calendarOf(1, 5) }) },
    ],
  },
  {
    name: 'chart-scatter',
    title: 'Two figures against each other',
    component: 'src/web/blocks/chart/ScatterChart.tsx',
    isPaired: true,
    states: [
      {
        name: 'as usual, one without a size, one with a long name',
        draw: () =>
          scatter(
            'scatter-usual',
            Array.from({ length: 7 }, (_, index) =>
              point(
                index === 2 ? { size: Array(8).fill(null) } : index === 4 ? { label: LONG_NAME } : {},
                index,
              ),
            ),
          ),
      },
      {
        name: 'up to 1.2 × 10^24, logarithmic, one at zero, two in one place',
        at: '?scatter-huge.x=log&scatter-huge.y=log',
        draw: () =>
          scatter('scatter-huge', [
            point({ label: LONG_NAME, x: Array(8).fill(HUGE), y: Array(8).fill(HUGE) }, 0),
            point({ label: UNBROKEN, x: Array(8).fill(1), y: Array(8).fill(1e-6) }, 1),
            point({ label: 'At zero', x: Array(8).fill(0) }, 2),
            point({ label: 'Here', x: Array(8).fill(5e4), y: Array(8).fill(2e9) }, 3),
            point({ label: 'Here too', x: Array(8).fill(5e4), y: Array(8).fill(2e9) }, 4),
          ]),
      },
      {
        name: 'one point at one moment',
        draw: () => scatter('scatter-one', [point({ x: [5], y: [7], size: [3] }, 0)], 1),
      },
      {
        name: 'nothing known at the moment',
        draw: () => scatter('scatter-none', [point({ x: Array(8).fill(null) }, 0)]),
      },
    ],
  },
  {
    name: 'chart-histogram',
    title: 'How often values of each size come',
    component: 'src/web/blocks/chart/HistogramChart.tsx',
    isPaired: true,
    states: [
      {
        name: 'as usual',
        draw: () => histogram('spread-usual', waveOf(300, { top: 9e8, least: 2e7 }), 'sat'),
      },
      {
        name: 'up to 1.2 × 10^24, logarithmic, some at zero',
        at: '?spread-huge.scale=log',
        draw: () =>
          histogram(
            'spread-huge',
            Array.from({ length: 200 }, (_, index) => (index % 20 === 0 ? 0 : 10 ** (24 * wave(index)))),
            'USD',
          ),
      },
      {
        name: 'below zero',
        draw: () => histogram('spread-negative', waveOf(200, { top: 0.2, least: -0.3 }), 'ratio'),
      },
      { name: 'two equal values', draw: () => histogram('spread-two', [7, 7], 'tx') },
    ],
  },
  {
    name: 'chart-tree',
    title: 'Parts of a whole as areas',
    component: 'src/web/blocks/chart/WholeChart.tsx',
    isPaired: true,
    states: [
      { name: 'as usual, long names', draw: () => whole(tree('tree-usual'), PARTS) },
      {
        name: 'one part of 1.2 × 10^24 that dwarfs all others',
        draw: () => whole(tree('tree-huge'), [part(LONG_NAME, HUGE), ...PARTS.slice(1)]),
      },
      { name: 'one part', draw: () => whole(tree('tree-one'), [part('All of it', 12)], 'tx') },
      {
        name: 'forty parts',
        draw: () =>
          whole(
            tree('tree-many'),
            Array.from({ length: 40 }, (_, index) =>
              part(`Contract ${index + 1}`, 1000 / (index + 1), { colour: `series-${(index % 10) + 1}` }),
            ),
            'tx',
          ),
      },
    ],
  },
  {
    name: 'chart-waterfall',
    title: 'Steps to what is left',
    component: 'src/web/blocks/chart/WholeChart.tsx',
    isPaired: true,
    states: [
      {
        name: 'as usual',
        draw: () =>
          whole(waterfall('steps-usual'), [
            part('Interest', 4.2e6),
            part('Fees', 9e5),
            part(LONG_NAME, -2.1e6),
            part('Rewards', -6e5),
          ]),
      },
      {
        name: 'more taken than there was, 1.2 × 10^24',
        draw: () =>
          whole(waterfall('steps-huge'), [
            part('Interest', HUGE / 3),
            part('Losses', -HUGE),
            part(UNBROKEN, HUGE / 10),
          ]),
      },
    ],
  },
  {
    name: 'chart-sankey',
    title: 'What goes from where to where',
    component: 'src/web/blocks/chart/WholeChart.tsx',
    isPaired: true,
    states: [
      {
        name: 'as usual, long names',
        draw: () =>
          whole(sankey('flows-usual'), [
            flow('Bitcoin', 'Rootstock', 900, 0),
            flow('Bitcoin', LONG_NAME, 400, 1),
            flow('Ethereum', 'Rootstock', 300, 2),
            flow(UNBROKEN, 'BOB', 250, 3),
            flow('Rootstock', 'BOB', 200, 4),
            flow('BOB', 'Bitcoin', 20, 5),
          ]),
      },
      {
        name: '1.2 × 10^24 beside very little',
        draw: () =>
          whole(sankey('flows-huge'), [
            flow('Minted', 'Held', HUGE),
            flow('Bought', 'Held', 1),
            flow('Bought', 'Burnt', 2),
          ]),
      },
      { name: 'one flow', draw: () => whole(sankey('flows-one'), [flow('Miners', 'Stackers', 12)], 'BTC') },
      {
        name: 'as a table',
        at: '?flows-table.form=table',
        draw: () =>
          whole(sankey('flows-table'), [flow(LONG_NAME, UNBROKEN, HUGE), flow('Bought', 'Held', 1)]),
      },
    ],
  },
]
