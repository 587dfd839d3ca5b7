import { ChartCard } from '#web/blocks/ChartCard.tsx'
import type { ShownTimeChart } from '#web/blocks/chart/chartSpec.ts'
import type { ChartEvent, ChartGround, ChartKind } from '#web/blocks/chart/drawing.ts'
import type { PlotData } from '#web/blocks/chart/plotData.ts'
import { type BookPage, type BookState, opensDetails } from '../bookPage.ts'
import { HUGE, LONG_NAME, plotOf, plotStates, UNBROKEN, wave, waveOf } from '../made.ts'

type Drawn = {
  spec: ShownTimeChart
  plot: PlotData
  missing?: string[]
  events?: readonly ChartEvent[]
  ground?: ChartGround
}

const timeChart = ({ spec, plot, missing = [], events = [], ground }: Drawn) => (
  <ChartCard
    spec={spec}
    chart={{ id: spec.id, state: 'drawn', csvHref: '/made.csv', missing, plot }}
    events={events}
    ground={ground}
  />
)

/** All states of a chart over time, of one kind. */
function kindPage(kind: ChartKind, title: string, further: readonly BookState[] = []): BookPage {
  const states = plotStates(kind).map(({ name, plot }, index): BookState => {
    const spec = { id: `${kind}-${index}`, title: `Made ${kind}: ${name}`, kind }
    return { name, draw: () => timeChart({ spec, plot }) }
  })
  return {
    name: `chart-${kind}`,
    title,
    component: 'src/web/blocks/chart/TimeChart.tsx',
    isPaired: true,
    states: [...states, ...further],
  }
}

const many = plotOf(
  Array.from({ length: 8 }, (_, index) => ({
    key: `m${index}`,
    label: index === 3 ? LONG_NAME : `Layer ${index + 1}`,
    values: waveOf(90, { seed: index, top: 10 ** (index + 1), least: 10 ** index }),
  })),
  { unit: 'wei.RBTC' },
)

const EVENTS: ChartEvent[] = [
  { day: '2025-11-20', label: 'Halving', note: 'the subsidy falls by half' },
  { day: '2025-11-22', label: LONG_NAME, note: 'two days later' },
  { day: '2025-12-20', to: '2026-01-05', label: 'Holidays', note: 'lasts seventeen days' },
  { day: '2026-01-30', label: 'At the end', note: 'words turn to the left' },
]

const further: BookState[] = [
  {
    name: 'an area, above and below zero',
    draw: () =>
      timeChart({
        spec: { id: 'area', title: 'Made area', kind: 'area' },
        plot: plotOf([{ values: waveOf(90, { top: 60_000, least: -48_000 }) }], { unit: 'USD' }),
      }),
  },
  {
    name: 'eight lines over eight orders of magnitude, logarithmic',
    at: '?many.scale=log',
    draw: () => timeChart({ spec: { id: 'many', title: 'Made lines', kind: 'line' }, plot: many }),
  },
  {
    name: 'flags, bands and a level',
    draw: () =>
      timeChart({
        spec: { id: 'flags', title: 'Made line with what happened', kind: 'line', wide: true },
        plot: plotOf([{ label: 'Transactions' }]),
        events: EVENTS,
        ground: {
          bands: [
            { from: '2025-11-10', to: '2025-11-17', side: 'up' },
            { from: '2026-01-10', to: '2026-01-20', side: 'down' },
          ],
          levels: [200],
        },
      }),
  },
  {
    name: 'quiet bars, a faint line and marks that have sizes',
    draw: () =>
      timeChart({
        spec: { id: 'bubbles', title: 'Made holdings', kind: 'line' },
        plot: plotOf(
          [
            { key: 'bars', label: 'By itself', isBars: true },
            { key: 'faint', label: 'Each day', isFaint: true },
            {
              key: 'sized',
              label: 'Mean of a week',
              sized: {
                label: 'Bought',
                unit: 'BTC',
                assay: 'made.bought@made',
                values: waveOf(90).map((_, index) =>
                  index % 13 === 5 ? (index % 2 === 0 ? -900 : 4000 * wave(index)) : null,
                ),
              },
            },
          ],
          { unit: 'BTC' },
        ),
      }),
  },
]

export const TIME_CHART_PAGES: readonly BookPage[] = [
  kindPage('line', 'Lines over time'),
  { ...kindPage('line', 'Lines over time, of many kinds'), name: 'chart-lines', states: further },
  kindPage('bars', 'Bars over time', [
    {
      name: 'one bar that dwarfs all others',
      draw: () =>
        timeChart({
          spec: { id: 'dwarf', title: 'Made bars', kind: 'bars' },
          plot: plotOf([{ values: waveOf(40).map((value, index) => (index === 17 ? HUGE : value)) }], {
            unit: 'sat',
          }),
        }),
    },
  ]),
  kindPage('stacked', 'Stacks over time', [
    {
      name: 'as shares of the total',
      at: '?shares.mode=share',
      draw: () => timeChart({ spec: { id: 'shares', title: 'Made shares', kind: 'stacked' }, plot: many }),
    },
  ]),
  kindPage('band', 'Bands over time'),
]

/** What stands around any chart. */
export const CHART_FRAME_PAGE: BookPage = {
  name: 'chart-frame',
  title: 'What stands around a chart',
  component: 'src/web/blocks/chart/ChartFrame.tsx',
  isPaired: true,
  states: [
    {
      name: 'long title and note, lines that are missing, more figures than have a link',
      draw: () =>
        timeChart({
          spec: {
            id: 'frame',
            title: `${LONG_NAME}: what it holds and what it owes`,
            note: `A note that says what must be known: ${UNBROKEN} is counted with what it lends.`,
            kind: 'line',
          },
          plot: many,
          missing: [LONG_NAME, UNBROKEN, 'Bitlayer'],
        }),
    },
    {
      name: 'choices open, with a way of counting that may be turned on',
      room: 460,
      step: opensDetails('summary[aria-label="Range, scale, values and grain"]'),
      draw: () =>
        timeChart({
          spec: {
            id: 'choices',
            title: 'Made line',
            kind: 'line',
            switches: [{ name: 'own', label: 'Own transfers', off: 'Left out', on: 'Counted' }],
          },
          plot: plotOf([{ label: 'Transactions' }]),
        }),
    },
    {
      name: 'ways to share open',
      room: 460,
      step: opensDetails('summary[aria-label="Share or embed"]'),
      draw: () => timeChart({ spec: { id: 'share', title: 'Made line', kind: 'line' }, plot: plotOf([{}]) }),
    },
    {
      name: 'as a table, up to 1.2 × 10^24',
      at: '?table.form=table',
      draw: () =>
        timeChart({
          spec: { id: 'table', title: 'Made lines', kind: 'line' },
          plot: plotOf(
            [
              { key: 'a', label: LONG_NAME, values: waveOf(90, { top: HUGE }) },
              {
                key: 'b',
                label: 'Short',
                values: waveOf(90).map((value, index) => (index > 80 ? null : -value)),
              },
            ],
            { unit: 'USD' },
          ),
        }),
    },
    {
      name: 'a day that is pointed at, with long names and a flag',
      step: pointAt(0.2),
      draw: () =>
        timeChart({
          spec: { id: 'pointed', title: 'Made lines', kind: 'line' },
          plot: plotOf(
            [
              { key: 'a', label: LONG_NAME, values: waveOf(90, { top: HUGE }), incomplete: [17] },
              { key: 'b', label: UNBROKEN, values: waveOf(90, { top: HUGE / 3, seed: 4 }) },
            ],
            { unit: 'USD' },
          ),
          events: EVENTS,
        }),
    },
  ],
}

/** Points at a place of the drawing, as a share of its width. */
function pointAt(share: number) {
  return (stage: HTMLElement): boolean => {
    if (stage.querySelector('[data-crosshair-words]') !== null) return true
    const ground = stage.querySelector('figure svg')?.parentElement?.querySelector('div[class*="hit"]')
    const box = ground?.getBoundingClientRect()
    if (!ground || !box) return false
    const place = { clientX: box.left + box.width * share, clientY: box.top + 40 }
    ground.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'touch', ...place }))
    return false
  }
}
