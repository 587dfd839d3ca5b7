/** Cards of shared links would have cut-off or missing text. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'
import type { PlotData } from '../blocks/chart/plotData.ts'
import type { DrawnChart } from '../blocks/load/loadChart.server.ts'
import type { Card, CardFigure } from './card.ts'
import { chartOnCard } from './chartCard.ts'
import { createCardDrawer } from './drawCard.ts'
import { sourceLine } from './layout.ts'
import { writable } from './node.ts'
import { readCard } from './readCard.ts'

const PAPER = [0xfb, 0xfa, 0xf7] as const

let draw: (card: Card) => Promise<string>
before(async () => {
  const face = (subset: string, weight: number) =>
    readFile(
      createRequire(import.meta.url).resolve(`@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`),
    )
  const tokens = await readFile(fileURLToPath(new URL('../ui/tokens.css', import.meta.url)), 'utf8')
  draw = createCardDrawer(tokens, {
    regular: await face('latin', 400),
    regularExt: await face('latin-ext', 400),
    strong: await face('latin', 600),
    strongExt: await face('latin-ext', 600),
  })
})

const figure = (more: Partial<CardFigure> = {}): CardFigure => ({
  label: 'Fees, day',
  number: '3.041',
  tail: 'BTC',
  when: '31 Jan 2026',
  colour: 'series-bitcoin',
  spark: [1, 2, null, 4, 3],
  ...more,
})
const card = (more: Partial<Card> = {}): Card => ({
  title: 'Bitcoin',
  lead: 'What does block space cost?',
  of: undefined,
  colour: 'series-bitcoin',
  figures: [figure()],
  drawing: undefined,
  asOf: 'As of 31 Jan 2026 · block 934,541',
  sources: ['Bitcoin’s own blocks'],
  address: 'localhost:4400/bitcoin',
  ...more,
})

async function pixelsOf(drawn: Card) {
  const image = new Resvg(await draw(drawn), { font: { loadSystemFonts: false } }).render()
  const { pixels, width, height } = image
  const isInk = (x: number, y: number) =>
    PAPER.some((value, channel) => Math.abs((pixels[(y * width + x) * 4 + channel] ?? 0) - value) > 6)
  const inkIn = (left: number, top: number, right: number, bottom: number): number => {
    let count = 0
    for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) if (isInk(x, y)) count += 1
    return count
  }
  return { width, height, inkIn, png: image.asPng() }
}

/** What lies outside the frame that a card keeps free at its edges. */
const outside = ({ inkIn }: Awaited<ReturnType<typeof pixelsOf>>): number =>
  inkIn(0, 0, 40, 630) + inkIn(1160, 0, 1200, 630) + inkIn(0, 0, 1200, 20) + inkIn(0, 612, 1200, 630)

const plot = (lines: readonly { key: string; label: string; values: (number | null)[] }[]): PlotData => ({
  start: '2026-01-01',
  grain: 'day',
  count: lines[0]?.values.length ?? 0,
  isPartial: false,
  lines: lines.map(line => ({
    ...line,
    colour: 'series-stacks',
    incomplete: [],
    assay: `tx.count@${line.key}`,
  })),
  unit: 'USD',
  asOf: { time: '2026-01-31T00:00:00Z', height: null, state: 'live' },
  sources: [{ id: 'a', name: 'A publisher' }],
})
const drawn = (data: PlotData): DrawnChart => ({
  id: 'c',
  state: 'drawn',
  csvHref: '',
  missing: [],
  plot: data,
})

test('a card is a picture of 1200 × 630 px with a head, a body, a foot and free edges', async () => {
  const made = await pixelsOf(card())
  assert.deepEqual([made.width, made.height], [1200, 630])
  assert.deepEqual([...made.png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  assert.ok(made.inkIn(48, 30, 1150, 80) > 500, 'mark and age')
  assert.ok(made.inkIn(48, 150, 1150, 540) > 5000, 'title and figures')
  assert.ok(made.inkIn(48, 555, 1150, 610) > 1000, 'sources and address')
  assert.equal(outside(made), 0)
})

test('names and numbers of any length stay within the frame', async () => {
  const long = 'Unreasonably long name of a metric '.repeat(12)
  const made = await pixelsOf(
    card({
      title: long,
      lead: long.repeat(3),
      of: long,
      asOf: 'As of 22 Oct 2024 – 31 Jan 2026, overdue · block 999,999,999',
      sources: [long, long.toUpperCase(), 'B'],
      address: `localhost:4400/${'very-long-'.repeat(30)}`,
      figures: [
        figure({ label: long, number: '−115,792,089,237,316,195', tail: 'USD/PH/s/day', when: long }),
        figure({ number: '$999.9999999P' }),
        figure({ number: 'x'.repeat(60) }),
      ],
    }),
  )
  assert.equal(outside(made), 0)
  assert.ok(made.inkIn(48, 150, 1150, 540) > 5000)
})

test('a chart stands on its card with its lines, and long names of lines leave room for the foot', async () => {
  const rising = Array.from({ length: 31 }, (_, index) => index * 1e15)
  const lines = Array.from({ length: 12 }, (_, index) => ({
    key: `k${index}`,
    label: `A line with a name that is much too long ${index}`,
    values: rising.map(value => value * (index + 1)),
  }))
  const { drawing, lead, newest } = chartOnCard(
    { id: 'c', title: 'TVL', kind: 'line' },
    drawn(plot(lines)),
    new URLSearchParams(),
  )
  assert.equal(newest, undefined)
  assert.match(lead, /daily, 1 Jan 2026 to 31 Jan 2026/)
  // The largest first; the others are counted, never cut off in silence.
  assert.equal(drawing.legend[0]?.label, 'A line with a name that is much too long 7')
  assert.equal(drawing.legend.at(-1)?.label, 'and 4 more')
  const made = await pixelsOf(card({ drawing, figures: [], title: 'T'.repeat(90) }))
  assert.equal(outside(made), 0)
  const colours = new Set(drawing.shapes.map(({ colour }) => colour))
  assert.deepEqual([...colours], ['series-stacks'])
  assert.ok(made.inkIn(160, 240, 1150, 470) > 3000)
})

test('a chart of one line tells the figure of its newest whole day, and whether there is none', () => {
  const one = plot([{ key: 'bitcoin', label: 'Price', values: [1, 2, 3, null] }])
  const told = (data: PlotData) =>
    chartOnCard({ id: 'c', title: 'Price', kind: 'line' }, drawn(data), new URLSearchParams()).newest
  assert.deepEqual(told(one), { value: 3, unit: 'USD', when: '3 Jan 2026', isWhole: true })
  const running = plot([{ key: 'bitcoin', label: 'Price', values: [1, 2, 3] }])
  assert.deepEqual(told({ ...running, isPartial: true }), {
    value: 2,
    unit: 'USD',
    when: '2 Jan 2026',
    isWhole: true,
  })
  const only = plot([{ key: 'bitcoin', label: 'Price', values: [3] }])
  assert.equal(told({ ...only, isPartial: true })?.isWhole, false)
})

test('signs that no face has are left out, never drawn as empty boxes', () => {
  assert.equal(writable('🚀 Welsh 柴犬 coin ₿'), 'Welsh coin ₿')
  assert.equal(writable('0.7\u202f%'), '0.7 %')
  assert.equal(writable('柴犬'), '?')
  assert.equal(writable('Šiška, naïve B²'), 'Šiška, naïve B²')
})

test('sources are named while there is room, the others are counted', () => {
  assert.equal(sourceLine([]), '')
  assert.equal(sourceLine(['A', 'A']), 'Source: A')
  assert.equal(
    sourceLine(['Bitcoin’s own blocks', 'Another publisher of figures', 'C'.repeat(40)]),
    'Sources: Bitcoin’s own blocks, Another publisher of figures and 1 more',
  )
})

test('the card of a page has its first known figures, with their days and units', () => {
  const { kpis, title } = readTold({
    kpis: [
      { label: 'Unknown', value: null, unit: 'sat', day: null },
      { label: 'Fees, day', value: 304_100_000, unit: 'sat', day: '2026-01-31', state: 'whole', spark: [1] },
      { label: 'Transactions', value: 12, unit: 'tx', day: '2026-02-01', state: 'partial', spark: [] },
      { label: 'Price', value: 78_294, unit: 'USD', day: '2026-02-01', state: 'whole', spark: [] },
      { label: 'Fourth', value: 1, unit: 'USD', day: '2026-02-01', state: 'whole', spark: [] },
    ],
  })
  assert.equal(title, 'Bitcoin: Fees')
  assert.deepEqual(kpis, [
    ['Fees, day', '3.041', 'BTC', '31 Jan 2026'],
    ['Transactions', '12', '', '1 Feb 2026, not over'],
    ['Price', '$78,294', '', '1 Feb 2026'],
  ])
})

function readTold(page: Record<string, unknown>) {
  const read = readCard({
    path: '/bitcoin',
    query: new URLSearchParams(),
    title: 'Bitcoin: Fees',
    description: 'What does it cost? Fees, day 3.041 BTC.',
    canonical: 'https://assay.example/bitcoin?tab=fees',
    page,
    shell: {},
    publicUrl: 'https://assay.example',
  })
  assert.equal(read.lead, 'What does it cost?')
  assert.equal(read.address, 'assay.example/bitcoin?tab=fees')
  return {
    title: read.title,
    kpis: read.figures.map(({ label, number, tail, when }) => [label, number, tail, when]),
  }
}
