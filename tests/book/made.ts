import type { AsOf, SourceRef } from '#http/contract.ts'
import type { ChartKind } from '#web/blocks/chart/drawing.ts'
import type { PlotData, PlotLine } from '#web/blocks/chart/plotData.ts'
import type { KpiFigure } from '#web/blocks/Kpi.tsx'

/** Figures and names that were made for the book: nothing here was measured. All of it is the same on every day. */

/** Sixty characters, as the longest names of tokens and applications have. */
export const LONG_NAME = 'Wrapped Bitcoin of the United Lighthouse Keepers of the Seas'
/** A name that has no place to break. */
export const UNBROKEN = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.made-lending-vault-v3-1'
export const TXID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'

/** More than any ledger counts: what a fault of a decoder or a worthless token brings to a page. */
export const HUGE = 1.234e24

export const MADE_DAY = '2026-01-31'
const TIME = `${MADE_DAY}T12:30:00Z`

export const LIVE: AsOf = { time: TIME, height: 934_567, state: 'live' }
export const RECORDED: AsOf = { time: TIME, height: null, state: 'recorded' }
export const STALE: AsOf = { time: '2026-01-29T03:00:00Z', height: 934_211, state: 'stale' }
export const OVERDUE: AsOf = { time: '2025-11-02T03:00:00Z', height: 921_744, state: 'overdue' }

export const MADE_SOURCES = [{ id: 'made', name: 'Made figures' }]

/** A source as "how to read this page" lists it. */
export const sourceOf = (over: Partial<SourceRef>): SourceRef => ({
  id: over.name ?? 'made',
  name: 'Made figures',
  url: 'https://made.example/',
  licence: 'CC0',
  lastSuccess: TIME,
  cadenceSeconds: 3600,
  state: 'live',
  about: 'Made for the book.',
  ...over,
})

/** A shape that goes up and down as figures do, between 0 and 1: each `seed` its own. */
export const wave = (index: number, seed = 0): number =>
  (2 +
    Math.sin(index / 9 + seed * 1.7) +
    Math.sin(index / 3.1 + seed) * 0.6 +
    Math.cos(index / 23 - seed) * 0.4) /
  4

export const waveOf = (count: number, { seed = 0, top = 1, least = 0 } = {}): number[] =>
  Array.from({ length: count }, (_, index) => least + (top - least) * wave(index, seed))

/** Key figures: one that has nothing remarkable, changed where asked. */
export const kpiOf = (over: Partial<KpiFigure>): KpiFigure => ({
  assay: `made.${(over.label ?? 'figure').toLowerCase().replaceAll(/[^a-z]+/g, '_')}@bitcoin`,
  label: 'Fees, day',
  value: 1_234_567_890,
  unit: 'sat',
  day: MADE_DAY,
  state: 'whole',
  change: 0.034,
  changeRange: '30d',
  spark: waveOf(30),
  colour: 'series-bitcoin',
  asOf: LIVE,
  absent: null,
  ...over,
})

const COLOURS = [
  'series-bitcoin',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
  'series-8',
  'series-10',
]

export const lineOf = (over: Partial<PlotLine>, index = 0): PlotLine => ({
  key: over.label ?? `line-${index}`,
  label: `Line ${index + 1}`,
  colour: COLOURS[index % COLOURS.length] ?? 'series-rest',
  values: waveOf(90, { seed: index, top: 400, least: 40 }),
  incomplete: [],
  assay: `made.line@entity-${index}`,
  ...over,
})

/** A chart's figures by day; as many buckets as its longest line. */
export const plotOf = (lines: readonly Partial<PlotLine>[], over: Partial<PlotData> = {}): PlotData => {
  const all = lines.map(lineOf)
  return {
    start: '2025-11-03',
    grain: 'day',
    count: Math.max(0, ...all.map(({ values }) => values.length)),
    isPartial: false,
    lines: all,
    unit: 'tx',
    asOf: LIVE,
    sources: MADE_SOURCES,
    ...over,
  }
}

const without = (values: readonly number[], from: number, to: number): (number | null)[] =>
  values.map((value, index) => (index >= from && index < to ? null : value))

/** The states that every chart over time is seen in. Stacks and bands need several lines of equal kind. */
export function plotStates(kind: ChartKind): { name: string; plot: PlotData; at?: string }[] {
  const isMany = kind === 'stacked' || kind === 'band'
  const linesFor = (values: (seed: number) => (number | null)[], names: readonly string[]) =>
    names.map((label, index) => ({ label, key: `k${index}`, values: ranked(kind, values, index) }))
  const names = isMany ? ['Lowest', 'Middle', 'Highest'] : ['Transactions']
  const usual = (seed: number) => waveOf(90, { seed, top: 412_000, least: 90_000 })
  const states = [
    { name: 'as usual', plot: plotOf(linesFor(usual, names)) },
    {
      name: 'a gap, days with holes in their blocks, a day that is not over',
      plot: plotOf(
        linesFor(seed => without(usual(seed), 30, 48), names).map(line => ({
          ...line,
          incomplete: [60, 61, 74],
        })),
        { isPartial: true },
      ),
    },
    { name: 'one point', plot: plotOf(linesFor(() => [4711], names)) },
    { name: 'nothing known', plot: plotOf(linesFor(() => usual(0).map(() => null), names)) },
    { name: 'zero wherever it is known', plot: plotOf(linesFor(() => usual(0).map(() => 0), names)) },
    {
      name: 'up to 1.2 × 10^24, in dollars, long names',
      plot: plotOf(
        linesFor(
          seed => waveOf(90, { seed, top: HUGE }),
          isMany ? [LONG_NAME, UNBROKEN, 'short'] : [LONG_NAME, UNBROKEN],
        ),
        { unit: 'USD', asOf: OVERDUE },
      ),
    },
    {
      name: 'far below one',
      plot: plotOf(
        linesFor(seed => waveOf(90, { seed, top: 3.2e-9, least: 1e-9 }), names),
        { unit: 'USD', asOf: STALE },
      ),
    },
  ]
  const below = {
    name: 'below zero',
    plot: plotOf(
      linesFor(seed => waveOf(90, { seed, top: 60_000, least: -48_000 }), names),
      { unit: 'USD' },
    ),
  }
  if (kind === 'line') return [...states, below]
  // Where nothing is drawn, and in how numbers are told, one kind is as another.
  const own = states.filter(({ plot }) => !isBare(plot) && plot.unit !== 'USD')
  return kind === 'stacked' ? own : [...own, below]
}

const isBare = ({ lines }: PlotData): boolean =>
  lines.every(({ values }) => values.every(value => !value || value < 1))

/** Percentiles lie above one another; other lines go their own ways. */
function ranked(
  kind: ChartKind,
  values: (seed: number) => (number | null)[],
  index: number,
): (number | null)[] {
  if (kind !== 'band') return values(index)
  return values(0).map(value => (value === null ? null : value * (1 + index * 0.4)))
}
