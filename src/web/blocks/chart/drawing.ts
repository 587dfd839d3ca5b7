import { sharesOf, UNATTRIBUTED } from '#kernel/share.ts'
import { addDays, dayNumber } from '../../format/day.ts'
import { figureText, tickTexts, unitText } from '../../format/figure.ts'
import type { ChartView } from '../view.ts'
import { bubbleMarks } from './bubbles.ts'
import {
  bucketDay,
  bucketIndex,
  bucketText,
  type PlotData,
  type PlotLine,
  partialSums,
  partsOf,
} from './plotData.ts'
import { linearScale, logScale, type TimeTick, timeTicks, type ValueScale } from './scale.ts'
import {
  bandPath,
  barPath,
  dotsPath,
  linePath,
  loneValues,
  type Place,
  type StackEdges,
  stackEdges,
  WIDTH,
} from './shape.ts'

const CHART_KINDS = ['line', 'area', 'bars', 'stacked', 'band'] as const
export type ChartKind = (typeof CHART_KINDS)[number]

/** A chain event on the time axis. */
export type ChartEvent = {
  day: string
  /** The last day of one that lasts: it is drawn as a band. */
  to?: string
  label: string
  note: string
}

/** What lies beneath the lines: stretches of days that say one thing or its opposite, and levels of the value axis. */
export type ChartGround = {
  bands?: readonly { from: string; to: string; side: 'up' | 'down' }[]
  levels?: readonly number[]
}

export type Mark = {
  key: string
  path: string
  colour: string
  /** How it is drawn: a stroke, a ground, or the hollow and dashed forms of what is not whole. */
  look:
    | 'line'
    | 'faint'
    | 'dot'
    | 'ground'
    | 'wash'
    | 'unfinished'
    | 'hollow'
    | 'hollow-bar'
    | 'quiet-bar'
    | 'bar'
    | 'bubble'
    | 'hollow-bubble'
  /** Diameter of round marks that have sizes, px. */
  across?: number
  /** Index into the dash patterns, so that lines differ without colour. */
  dash: number
}

export type EndLabel = {
  key: string
  label: string
  value: string
  colour: string
  dash: number
  top: number
}

export type Drawing = {
  height: number
  marks: Mark[]
  yTicks: { top: number; text: string }[]
  /** `isLast` at the right end, where a word in the middle of its place would leave the drawing. */
  xTicks: (TimeTick & { left: number; minor: boolean; isLast: boolean })[]
  ends: EndLabel[]
  /** Room that the longest of them takes, px. */
  endsWidth: number
  /** `text` is false where the words would lie on those of the flag before. */
  flags: (ChartEvent & { left: number; text: boolean; toLeft: boolean })[]
  /** Places of bucket centres, 0 to 1. */
  left: (index: number) => number
  /** Distance of a value from the top, px. */
  top: (value: number) => number
  /** The shown lines as drawn: after indexing or sharing. */
  shown: PlotLine[]
  unit: string
  /** The unit as the axis counts it. */
  unitWord: string
  /** How the values are counted, where that is not as reported: `1 Feb 2026 = 100`. */
  modeWord: string
  /** The bucket at which indexed lines are 100. */
  base: number | undefined
  /** The lines stand on each other: their sum is read too. */
  isStacked: boolean
  isEmpty: boolean
  /** Whatever is known is zero: nothing rises above the axis. */
  isZero: boolean
}

/** What of a reader’s choices a drawing hangs on. */
type DrawnView = Pick<ChartView, 'scale' | 'mode' | 'hidden'>

type Options = {
  kind: ChartKind
  view: DrawnView
  height: number
  events: readonly ChartEvent[]
  /** Lines of the charts beside it, whose values its axis reaches over too. */
  beside?: readonly PlotLine[]
  /** The bucket at which indexed lines are 100, where charts beside it share one. */
  base?: number | undefined
  ground?: ChartGround | undefined
}

const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value): value is number => value !== null)

/** Everything to put on paper, for the page and for the picture to take away. */
export function draw(plot: PlotData, options: Options): Drawing {
  const { kind, view, height, events, beside, ground } = options
  const visible = plot.lines.filter(line => !view.hidden.includes(line.key))
  const { lines: shown, unit, base } = inMode(visible, plot, options)
  const isStacked = kind === 'stacked'
  const isBand = isStacked && view.mode === 'share'
  const stack = isStacked ? stackEdges(shown.map(line => line.values)) : []
  const edges = isStacked ? stack.map(({ high }) => high) : shown.map(line => line.values)
  const own = edges.flatMap(known)
  const isEmpty = own.length === 0
  const all = beside ? inMode([...beside], plot, options).lines.flatMap(line => known(line.values)) : own
  const usesLog = view.scale === 'log' && !isStacked && all.some(value => value > 0)
  const hasBars = kind === 'line' && shown.some(line => line.isBars)
  const fromZero = isStacked || kind === 'bars' || kind === 'area' || hasBars
  const scale = scaleOf(all, usesLog, fromZero, isBand)
  const inset = 6
  const top = (value: number) =>
    height - inset - clamp(scale.at(usesLog ? Math.max(value, 1e-12) : value)) * (height - inset * 2)
  const inSlots = kind === 'bars' || hasBars || (isStacked && plot.count <= 120)
  const left = (index: number) =>
    inSlots || plot.count === 1 ? (index + 0.5) / plot.count : index / (plot.count - 1)
  const x: Place = index => left(index) * WIDTH
  // A logarithm has no zero: what is known to be 0 lies on the floor and is not a gap.
  const { floor } = scale
  const positive = usesLog
    ? edges.map(values => values.map(value => (value === null ? null : Math.max(value, floor))))
    : edges

  const marks = isStacked
    ? stackMarks(shown, stack, { x, top, inSlots })
    : kind === 'band'
      ? bandMarks(shown, positive, x, top)
      : shown.flatMap((line, index) =>
          lineMarks(line, positive[index] ?? [], plot, {
            kind: kind === 'line' && line.isBars ? 'bars' : kind,
            x,
            top,
            dash: plot.lines.indexOf(visible[index] ?? line),
            base: floor < 0 && !usesLog ? 0 : floor,
          }),
        )

  marks.sort((a, b) => depthOf(a) - depthOf(b))
  if (!isEmpty) marks.unshift(...spanMarks(events, plot, { left, height }))
  if (ground && !isEmpty) marks.unshift(...groundMarks(ground, plot, { left, top, height }))

  const ticks = isEmpty ? [] : timeTicks(plot)
  const ends = plot.lines.length > 1 && !isEmpty ? endLabels(shown, stack, plot, unit, { top, height }) : []
  const texts = tickTexts(scale.ticks, unit, usesLog)
  return {
    height,
    marks,
    yTicks: isEmpty ? [] : scale.ticks.map((tick, index) => ({ top: top(tick), text: texts[index] ?? '' })),
    xTicks: ticks.map((tick, index) => ({
      ...tick,
      left: left(tick.index),
      isLast: left(tick.index) > 0.97,
      minor: ticks.length > 4 && index % 2 === (ticks.length > 4 ? 1 : 0),
    })),
    ends,
    endsWidth: Math.min(
      220,
      34 + 6.6 * Math.max(0, ...ends.map(end => end.label.length + end.value.length + 1)),
    ),
    flags: flagsOf(events, plot, left),
    left,
    top,
    shown,
    unit,
    unitWord:
      unit === '' && plot.unit !== '' ? 'index' : unitText(unit, Math.max(...scale.ticks.map(Math.abs))),
    base,
    isStacked,
    modeWord:
      base === undefined
        ? unit === 'ratio' && isBand
          ? 'share of the total'
          : ''
        : `${bucketText(plot, base)} = 100`,
    isEmpty,
    isZero: !isEmpty && own.every(value => value === 0),
  }
}

/** What lies behind: quiet bars, then faint lines, then the rest in the order of the lines. */
const depthOf = ({ look }: Mark): number => (look === 'quiet-bar' ? 0 : look === 'faint' ? 1 : 2)

/** Where a day stands on the drawing, between the edges of its bucket. */
const dayPlace =
  (plot: PlotData, left: Drawing['left']) =>
  (day: string): number => {
    const index = bucketIndex(plot, day)
    const share = (dayNumber(day) - dayNumber(bucketDay(plot, index))) / (BUCKET_DAYS[plot.grain] ?? 1)
    return Math.min(1, Math.max(0, left(Math.min(plot.count - 1, Math.max(0, index + share))))) * WIDTH
  }

const boxAt = (from: number, to: number, y: number, tall: number): string =>
  `M${from.toFixed(1)} ${y}H${to.toFixed(1)}V${y + tall}H${from.toFixed(1)}z`

/** Events that last, as bands. */
function spanMarks(
  events: readonly ChartEvent[],
  plot: PlotData,
  { left, height }: Pick<Drawing, 'left' | 'height'>,
): Mark[] {
  const at = dayPlace(plot, left)
  return events.flatMap(({ day, to, label }): Mark[] => {
    if (to === undefined) return []
    const [from, end] = [at(day), at(addDays(to, 1))]
    if (end <= from) return []
    const path = boxAt(from, end, 0, height)
    return [{ key: `span-${day}-${label}`, path, colour: 'accent', look: 'wash', dash: 0 }]
  })
}

/** Height of the strip that tells a band without its colour: along the top, or along the bottom. */
const STRIP = 5

function groundMarks(
  { bands = [], levels = [] }: ChartGround,
  plot: PlotData,
  { left, top, height }: Pick<Drawing, 'left' | 'top' | 'height'>,
): Mark[] {
  const at = dayPlace(plot, left)
  const sides = (['up', 'down'] as const).flatMap((side): Mark[] => {
    const spans = bands.flatMap(({ from, to, side: own }) => {
      const span = [at(from), at(addDays(to, 1))] as const
      return own === side && span[1] > span[0] ? [span] : []
    })
    if (spans.length === 0) return []
    const paths = (y: number, tall: number) => spans.map(([from, to]) => boxAt(from, to, y, tall)).join('')
    return [
      { key: `band-${side}`, path: paths(0, height), colour: side, look: 'wash', dash: 0 },
      {
        key: `strip-${side}`,
        path: paths(side === 'up' ? 0 : height - STRIP, STRIP),
        colour: side,
        look: 'bar',
        dash: 0,
      },
    ]
  })
  const lines = levels.flatMap((level): Mark[] => {
    const y = top(level)
    return y < 0 || y > height
      ? []
      : [
          {
            key: `level-${level}`,
            path: `M0 ${y.toFixed(1)}H${WIDTH}`,
            colour: 'ink-2',
            look: 'unfinished',
            dash: 0,
          },
        ]
  })
  return [...sides, ...lines]
}

const BUCKET_DAYS: Partial<Readonly<Record<PlotData['grain'], number>>> = { week: 7, month: 31 }

/** Share of the width that the words of a flag take. */
const FLAG_WIDTH = 0.1

function flagsOf(events: readonly ChartEvent[], plot: PlotData, left: Drawing['left']): Drawing['flags'] {
  let free = 0
  return events.flatMap(event => {
    const index = bucketIndex(plot, event.day)
    if (index < 0 || index >= plot.count) return []
    const place = left(index)
    const toLeft = place > 1 - FLAG_WIDTH
    const text = (toLeft ? place - FLAG_WIDTH : place) >= free
    if (text) free = toLeft ? place : place + FLAG_WIDTH
    return [{ ...event, left: place, text, toLeft }]
  })
}

const clamp = (share: number): number => Math.min(1.02, Math.max(-0.02, share))

function scaleOf(all: number[], usesLog: boolean, fromZero: boolean, isShare: boolean): ValueScale {
  if (all.length === 0) return linearScale(0, 1, true)
  if (isShare) return linearScale(0, 1, true)
  let low = Infinity
  let high = -Infinity
  for (const value of all) {
    if (usesLog && value <= 0) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return usesLog ? logScale(low, high) : linearScale(low, high, fromZero)
}

type InMode = {
  lines: PlotLine[]
  unit: string
  /** The bucket at which indexed lines are 100. */
  base?: number | undefined
}

/** Indexed: 100 in one bucket common to the lines. Share: each bucket’s parts of its sum, where all parts are known. */
function inMode(
  lines: PlotLine[],
  plot: PlotData,
  { kind, view, base = indexBase(lines, plot) }: Pick<Options, 'kind' | 'view' | 'base'>,
): InMode {
  if (view.mode === 'indexed' && kind !== 'stacked') {
    const indexed = lines.map(line => {
      const first = base === undefined ? null : (line.values[base] ?? null)
      return {
        ...line,
        values: line.values.map(value => (value === null || !first ? null : (value / first) * 100)),
      }
    })
    return { lines: indexed, unit: '', base }
  }
  if (view.mode === 'share' && kind === 'stacked') {
    return { lines: sharesOfLines(lines, plot), unit: 'ratio' }
  }
  return { lines, unit: plot.unit }
}

/**
 * Each line as its share of the whole of its bucket. Where the whole has a source of its own, the lines must cover most of
 * it, and what is left is a line of its own.
 */
function sharesOfLines(lines: readonly PlotLine[], { lines: all, totals, count }: PlotData): PlotLine[] {
  const partsIn = partsOf(lines, totals === undefined ? lines : all)
  const found = Array.from({ length: count }, (_, index) =>
    sharesOf(partsIn(index), totals === undefined ? 'parts' : (totals[index] ?? null)),
  )
  const shares = lines.map((line, at) => ({
    ...line,
    values: line.values.map((value, index) => (value === null ? null : (found[index]?.shares[at] ?? null))),
  }))
  const rest = found.map(one => one && one.unattributed / one.whole)
  const [first] = lines
  if (first === undefined || !rest.some(share => share !== null && share > 0)) return shares
  const { sized: _, ...line } = first
  return [...shares, { ...line, ...UNATTRIBUTED, colour: 'series-rest', incomplete: [], values: rest }]
}

/**
 * The first bucket in which as many lines as ever at once have a whole value that is not zero: all are 100 there. A line
 * without one in that bucket has nothing to be compared by and is not drawn.
 */
export function indexBase(lines: readonly PlotLine[], plot: PlotData): number | undefined {
  let base: number | undefined
  let most = 0
  const gaps = lines.map(({ incomplete }) => new Set(incomplete))
  for (let index = 0; index < plot.count; index += 1) {
    if (plot.isPartial && index === plot.count - 1) continue
    const known = lines.filter(({ values }, line) => values[index] && !gaps[line]?.has(index)).length
    if (known > most) [base, most] = [index, known]
  }
  return base
}

export type Placing = { x: Place; top: (value: number) => number }

function lineMarks(
  line: PlotLine,
  values: readonly (number | null)[],
  plot: PlotData,
  { kind, x, top, dash, base }: Placing & { kind: ChartKind; dash: number; base: number },
): Mark[] {
  const last = plot.count - 1
  const isGap = new Set([...line.incomplete, ...(line.lacking ?? [])])
  const mark = (look: Mark['look'], path: string): Mark[] =>
    path === '' ? [] : [{ key: `${line.key}-${look}`, path, colour: line.colour, look, dash }]
  if (kind === 'bars') {
    const floor = values.map(() => base)
    const isOpen = (index: number) => plot.isPartial && index === last
    return [
      ...mark(
        line.isBars ? 'quiet-bar' : 'bar',
        barPath(floor, values, top, index => !isGap.has(index) && !isOpen(index)),
      ),
      ...mark(
        'hollow-bar',
        barPath(floor, values, top, index => isGap.has(index) && !isOpen(index)),
      ),
      ...mark('unfinished', barPath(floor, values, top, isOpen)),
    ]
  }
  const whole = values.map((value, index) =>
    isGap.has(index) || (plot.isPartial && index === last) ? null : value,
  )
  const tail = plot.isPartial ? values.map((value, index) => (index >= last - 1 ? value : null)) : []
  const hollow = values.map((value, index) =>
    isGap.has(index) && !(plot.isPartial && index === last) ? value : null,
  )
  const edge = whole.map(() => base)
  return [
    ...(kind === 'area' ? mark('wash', bandPath(edge, whole, x, top)) : []),
    ...mark(line.isFaint ? 'faint' : 'line', linePath(whole, x, top)),
    ...(line.isFaint ? [] : mark('dot', dotsPath(loneValues(whole), x, top))),
    ...(tail.some(value => value !== null) ? mark('unfinished', linePath(tail, x, top)) : []),
    ...mark('hollow', dotsPath(hollow, x, top)),
    ...bubbleMarks(line, values, { x, top }),
  ]
}

/** A bucket of which a part is unknown or has a gap is hollow: its height is not that of the whole. */
function stackMarks(
  lines: PlotLine[],
  edges: readonly StackEdges[],
  { x, top, inSlots }: Placing & { inSlots: boolean },
): Mark[] {
  const isHollow = new Set([...lines.flatMap(line => line.incomplete), ...partialSums(lines)])
  return lines.flatMap((line, index): Mark[] => {
    const { low, high } = edges[index] ?? { low: [], high: [] }
    const whole = high.map((value, bucket) => (isHollow.has(bucket) ? null : value))
    const ground = inSlots ? barPath(low, whole, top, () => true) : bandPath(low, whole, x, top)
    const rest = high.map((value, bucket) => (isHollow.has(bucket) ? value : null))
    const hollow = inSlots ? barPath(low, rest, top, () => true) : bandPath(low, rest, x, top)
    const { colour, key } = line
    return [
      ...(ground === '' ? [] : [{ key, path: ground, colour, look: 'ground', dash: 0 } as const]),
      ...(hollow === ''
        ? []
        : [{ key: `${key}-hollow`, path: hollow, colour, look: 'hollow-bar', dash: 0 } as const]),
    ]
  })
}

/** Percentiles from the lowest: pairs of them are bands one inside the other, the one in the middle is a line. */
function bandMarks(
  lines: PlotLine[],
  values: readonly (readonly (number | null)[])[],
  x: Place,
  top: (value: number) => number,
): Mark[] {
  const middle = Math.floor(lines.length / 2)
  const marks: Mark[] = []
  for (let index = 0; index < middle; index += 1) {
    const [low, high] = [values[index] ?? [], values.at(-1 - index) ?? []]
    const colour = lines[index]?.colour ?? ''
    marks.push({ key: `band-${index}`, path: bandPath(low, high, x, top), colour, look: 'wash', dash: 0 })
  }
  const line = lines[middle]
  const known = values[middle] ?? []
  if (line) {
    const { key, colour } = line
    marks.push({ key, path: linePath(known, x, top), colour, look: 'line', dash: 0 })
    const dots = dotsPath(loneValues(known), x, top)
    if (dots !== '') marks.push({ key: `${key}-dot`, path: dots, colour, look: 'dot', dash: 0 })
  }
  return marks
}

/** Names at the ends of the lines, pushed apart so that none covers another; those without room are left to the legend. */
function endLabels(
  lines: PlotLine[],
  stack: readonly StackEdges[],
  plot: PlotData,
  unit: string,
  { top, height }: { top: (value: number) => number; height: number },
): EndLabel[] {
  const gap = 17
  const labels = lines.flatMap((line, index) => {
    const at = line.values.findLastIndex(value => value !== null)
    const value = line.values[at]
    if (at < plot.count - Math.max(3, plot.count * 0.04) || value === null || value === undefined) return []
    const [below, edge] = [stack[index]?.low[at] ?? value, stack[index]?.high[at] ?? value]
    if (stack.length > 0 && Math.abs(top(below) - top(edge)) < 9) return []
    return [
      {
        key: line.key,
        label: line.label,
        value: figureText(value, unit).number,
        colour: line.colour,
        dash: index,
        top: top((edge + below) / 2),
      },
    ]
  })
  labels.sort((a, b) => a.top - b.top)
  for (let index = 1; index < labels.length; index += 1) {
    const label = labels[index]
    const above = labels[index - 1]
    if (label && above && label.top < above.top + gap) label.top = above.top + gap
  }
  let floor = height - 8
  for (const label of labels.toReversed()) {
    if (label.top > floor) label.top = floor
    floor = label.top - gap
  }
  return labels.filter(label => label.top > 4)
}
