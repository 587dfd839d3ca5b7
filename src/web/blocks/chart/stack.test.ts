/** Stacked charts would draw an unknown part as zero. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Point, Series } from '#http/contract.ts'
import { chartOnCard } from '../../cards/chartCard.ts'
import { figureText } from '../../format/figure.ts'
import { plotOf } from '../load/plotOf.server.ts'
import { wholeOf } from '../load/wholeOf.server.ts'
import { draw } from './drawing.ts'
import { bucketIndex, type PlotData, type PlotLine, partialSums } from './plotData.ts'
import { stackEdges } from './shape.ts'
import { partsText, unknownParts } from './summary.ts'

/** Members of a stack as publishers give them: any may be without a figure on any day. */
const stacks = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 200 }))
  .chain(([members, days]) =>
    fc.array(
      fc.array(fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: null }), {
        minLength: days,
        maxLength: days,
      }),
      { minLength: members, maxLength: members },
    ),
  )

const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)

/** The plot of such figures, drawn as a page loads it; undefined where it has none. */
function plotted(
  values: readonly (readonly (number | null)[])[],
  kind: 'stacked' | 'tree' = 'stacked',
): PlotData | undefined {
  const points = values.flatMap((ofMember, member) =>
    ofMember.flatMap((value, index): Point[] =>
      value === null
        ? []
        : [{ day: dayOf(index), value, key: `member-${member}`, source: 'publisher', state: 'whole' }],
    ),
  )
  const series = {
    metric: {
      id: 'tvl.by_protocol',
      name: 'TVL',
      breakdown: { name: 'protocol', values: [], isComplete: false },
    },
    entity: 'stacks',
    unit: 'USD',
    points,
    asOf: { time: '2026-01-31T00:00:00Z', height: null, state: 'recorded' },
    sources: [],
  } as unknown as Series
  return plotOf([{ series, line: { metric: 'tvl.by_protocol' } }], 'day', { kind })
}

const viewOf = (mode: 'absolute' | 'share') => ({ scale: 'linear', mode, hidden: [] }) as const
const drawn = (plot: PlotData, mode: 'absolute' | 'share') =>
  draw(plot, { kind: 'stacked', view: viewOf(mode), height: 264, events: [] })

const eachUnknown = (plot: PlotData, check: (line: PlotLine, index: number) => void) => {
  for (const line of plot.lines)
    for (const [index, value] of line.values.entries()) if (value === null) check(line, index)
}

test('a member without a figure keeps none, and no edge of the stack is drawn for it', () => {
  fc.assert(
    fc.property(stacks, values => {
      const plot = plotted(values)
      if (!plot) return
      for (const [member, ofMember] of values.entries()) {
        const line: PlotLine | undefined = plot.lines.find(({ key }) => key === `member-${member}`)
        const first = values.flatMap(each => each.findIndex(value => value !== null)).filter(at => at >= 0)
        const shift = Math.min(...first)
        for (const [index, value] of (line?.values ?? []).entries())
          assert.equal(value, ofMember[index + shift] ?? null)
      }
      const edges = stackEdges(plot.lines.map(line => line.values))
      for (const [at, line] of plot.lines.entries())
        for (const [index, value] of line.values.entries()) {
          const { low, high } = edges[at] ?? { low: [], high: [] }
          assert.equal(value === null, high[index] === null)
          if (value !== null) assert.equal(high[index], (low[index] ?? 0) + value)
        }
    }),
  )
})

test('a bucket that lacks a member is drawn hollow, has no share, and says which member is unknown', () => {
  fc.assert(
    fc.property(stacks, values => {
      const plot = plotted(values)
      if (!plot) return
      const partial = partialSums(plot.lines)
      const absolute = drawn(plot, 'absolute')
      const shares = drawn(plot, 'share')
      const wholeBuckets = Array.from({ length: plot.count }, (_, index) => index).filter(
        index => !partial.has(index) && plot.lines.every(({ values: own }) => own[index] !== null),
      )
      const hasGround = absolute.marks.some(({ look, path }) => look === 'ground' && path !== '')
      assert.equal(hasGround, wholeBuckets.length > 0, 'only whole buckets are filled')
      assert.equal(
        absolute.marks.some(({ look }) => look === 'hollow-bar'),
        partial.size > 0,
      )
      for (const index of partial) {
        const unknown: string[] = plot.lines
          .filter(line => line.values[index] === null)
          .map(({ label }) => label)
        assert.deepEqual(unknownParts(plot.lines, index), unknown)
        for (const { values: own } of shares.shown)
          assert.equal(own[index], null, 'no share of an unknown whole')
      }
      assert.equal(partsText(plot, absolute, true).length, partial.size > 0 ? 1 : 0)
      // Tooltip, table and screen reader write a value by this function.
      eachUnknown(plot, (line, index) => assert.equal(figureText(line.values[index], plot.unit).text, '–'))
    }),
  )
})

test('a label at the end of a stack is never of a member that is unknown there', () => {
  fc.assert(
    fc.property(stacks, values => {
      const plot = plotted(values)
      if (!plot) return
      for (const { key, value } of drawn(plot, 'absolute').ends) {
        const line: PlotLine | undefined = plot.lines.find(own => own.key === key)
        const known: string[] | undefined = line?.values
          .filter(own => own !== null)
          .map(own => figureText(own, plot.unit).number)
        assert.ok(known?.includes(value), `${key} ${value}`)
      }
      const card = chartOnCard(
        { id: 'a', title: 'A', kind: 'stacked' },
        { id: 'a', state: 'drawn', csvHref: '', missing: [], plot },
        new URLSearchParams(),
      )
      const last = plot.count - 1
      for (const { label, value } of card.drawing.legend) {
        const line: PlotLine | undefined = plot.lines.find(own => own.label === label)
        if (line) assert.equal(value, figureText(line.values[last] ?? null, plot.unit).text)
      }
    }),
  )
})

test('parts of one moment are not drawn as a whole where a member is unknown', () => {
  fc.assert(
    fc.property(stacks, values => {
      const plot = plotted(values, 'tree')
      const whole = plot && wholeOf(plot, { kind: 'tree', over: 'newest' }, [])
      if (!plot || !whole) return
      const at = bucketIndex(plot, whole.to)
      assert.ok(plot.lines.every(line => line.values[at] !== null))
      const sum = plot.lines.reduce((total, line) => total + (line.values[at] ?? 0), 0)
      assert.equal(
        whole.parts.reduce((total, { value }) => total + value, 0),
        sum,
      )
    }),
  )
})
