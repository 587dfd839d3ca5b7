import type { Drawing, Mark } from '../../../../blocks/chart/drawing.ts'
import type { PlotLine } from '../../../../blocks/chart/plotData.ts'
import { linearScale, logScale, type ValueScale } from '../../../../blocks/chart/scale.ts'
import {
  bandPath,
  barPath,
  dotsPath,
  linePath,
  loneValues,
  stackEdges,
  WIDTH,
} from '../../../../blocks/chart/shape.ts'
import { significant, tickTexts } from '../../../../format/figure.ts'
import type { ChartSettings } from './chartSettings.ts'
import type { ChartAxis, ChartLine, ChartPoints, ChartTable } from './chartTable.ts'
import { tickLabel } from './timeGrid.ts'

const INSET = 6
/** Words under the ground that have room beside each other. */
const MOST_TICKS = 7

export type TableDrawing = { drawing: Drawing; offScale: number; left: (index: number) => number }

type Look = Pick<ChartSettings, 'stacking' | 'scale'> & {
  kind: 'line' | 'bar' | 'area'
  unit: string
  height: number
}

/** Each line as its share of the known whole of its place. Where a part is unknown or the whole is not positive, no share follows. */
export function sharesOf(lines: readonly ChartLine[]): ChartLine[] {
  const count = lines[0]?.values.length ?? 0
  const wholes = Array.from({ length: count }, (_, at) => {
    const parts = lines.map(({ values }) => values[at] ?? null)
    const isWhole =
      parts.some(part => part !== null) &&
      parts.every(part => part === null || part >= 0) &&
      lines.every(({ lacking }) => !lacking.includes(at))
    const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0)
    return isWhole && sum > 0 ? sum : null
  })
  return lines.map(line => ({
    ...line,
    lacking: [],
    values: line.values.map((value, at) => {
      const whole = wholes[at] ?? null
      return value === null || whole === null ? null : value / whole
    }),
  }))
}

/** Lines, bars or areas of a table, as the site's charts are drawn. */
export function drawTable(table: ChartTable, look: Look): TableDrawing {
  const { kind, stacking, height } = look
  const isStacked = kind !== 'line' && stacking !== 'none'
  const lines = isStacked && stacking === 'share' ? sharesOf(table.lines) : table.lines
  const unit = isStacked && stacking === 'share' ? 'ratio' : look.unit
  const stack = isStacked ? stackEdges(lines.map(({ values }) => values)) : []
  const known = (isStacked ? stack.map(({ high }) => high) : lines.map(({ values }) => values)).flatMap(
    values => values.filter(value => value !== null),
  )
  const usesLog = look.scale === 'log' && !isStacked
  const { scale, offScale } = valueScale(known, usesLog, kind !== 'line' || isStacked)
  const top = topOf(scale, height)
  const { axis } = table
  const count = axis.labels.length
  const inSlots = kind === 'bar' || axis.numbers === undefined || count === 1
  const [low = 0, high = 1] = [axis.numbers?.[0], axis.numbers?.at(-1)]
  const left = (index: number): number =>
    inSlots ? (index + 0.5) / count : ((axis.numbers?.[index] ?? low) - low) / (high - low || 1)
  const x = (index: number) => left(index) * WIDTH
  const drawable = (values: readonly (number | null)[]) =>
    usesLog ? values.map(value => (value !== null && value > 0 ? value : null)) : values
  const base = scale.floor < 0 && !usesLog ? 0 : scale.floor
  // A place of which one part lacks something is hollow: its height is not that of the whole.
  const isPartial = new Set(lines.flatMap(({ lacking }) => lacking))
  const marks = isStacked
    ? lines.flatMap(({ key, colour }, at): Mark[] => {
        const { low: from, high: to } = stack[at] ?? { low: [], high: [] }
        const shape = (isOwn: (place: number) => boolean) => {
          const high = to.map((value, place) => (isOwn(place) ? value : null))
          return kind === 'bar' ? barPath(from, high, top, () => true) : bandPath(from, high, x, top)
        }
        const [whole, rest] = [shape(place => !isPartial.has(place)), shape(place => isPartial.has(place))]
        return [
          ...(whole === '' ? [] : [{ key, path: whole, colour, look: 'ground', dash: 0 } as const]),
          ...(rest === ''
            ? []
            : [{ key: `${key}-hollow`, path: rest, colour, look: 'hollow-bar', dash: 0 } as const]),
        ]
      })
    : kind === 'bar'
      ? groupedBars(
          lines.map(line => ({ ...line, values: [...drawable(line.values)] })),
          base,
          top,
        )
      : lines.flatMap((line, at) => lineMarks(line, drawable(line.values), { kind, x, top, base, dash: at }))
  return {
    drawing: drawingOf({
      height,
      marks,
      scale,
      top,
      unit,
      usesLog,
      lines,
      left,
      isStacked,
      known,
      xTicks: ticksOf(axis, left),
    }),
    offScale,
    left,
  }
}

type LineLook = {
  kind: 'line' | 'area'
  x: (index: number) => number
  top: (value: number) => number
  base: number
  dash: number
}

function lineMarks(
  line: ChartLine,
  values: readonly (number | null)[],
  { kind, x, top, base, dash }: LineLook,
): Mark[] {
  const isHollow = new Set(line.lacking)
  const whole = values.map((value, at) => (isHollow.has(at) ? null : value))
  const hollow = values.map((value, at) => (isHollow.has(at) ? value : null))
  const mark = (look: Mark['look'], path: string): Mark[] =>
    path === '' ? [] : [{ key: `${line.key}-${look}`, path, colour: line.colour, look, dash }]
  return [
    ...(kind === 'area'
      ? mark(
          'wash',
          bandPath(
            values.map(() => base),
            values,
            x,
            top,
          ),
        )
      : []),
    ...mark('line', linePath(whole, x, top)),
    ...mark('dot', dotsPath(loneValues(whole), x, top)),
    ...mark('hollow', dotsPath(hollow, x, top)),
  ]
}

/** Bars of several lines stand beside each other in one slot. */
function groupedBars(lines: readonly ChartLine[], base: number, top: (value: number) => number): Mark[] {
  const count = lines[0]?.values.length ?? 0
  return lines.flatMap((line, at): Mark[] => {
    const isHollow = new Set(line.lacking)
    const bars = (isOwn: (place: number) => boolean) => {
      // Every line has its own slot within that of the place, and a free one lies at either side of the group.
      const slots = lines.length === 1 ? 1 : lines.length + 2
      const own = lines.length === 1 ? 0 : at + 1
      const spread = Array.from({ length: count * slots }, (_, slot) =>
        slot % slots === own ? (line.values[Math.floor(slot / slots)] ?? null) : null,
      )
      return barPath(
        spread.map(() => base),
        spread,
        top,
        slot => isOwn(Math.floor(slot / slots)),
      )
    }
    const [whole, hollow] = [bars(place => !isHollow.has(place)), bars(place => isHollow.has(place))]
    return [
      ...(whole === ''
        ? []
        : [{ key: line.key, path: whole, colour: line.colour, look: 'bar', dash: 0 } as const]),
      ...(hollow === ''
        ? []
        : [
            {
              key: `${line.key}-hollow`,
              path: hollow,
              colour: line.colour,
              look: 'hollow-bar',
              dash: 0,
            } as const,
          ]),
    ]
  })
}

export type PlacedPoint = { label: string; colour: string; x: number; y: number; left: number; top: number }

/** Points of two numbers. */
export function drawPoints(
  { groups, isTime }: ChartPoints,
  { scale: wanted, unit, height }: Pick<Look, 'scale' | 'unit' | 'height'>,
): { drawing: Drawing; offScale: number; points: PlacedPoint[] } {
  const all = groups.flatMap(({ points }) => points)
  const usesLog = wanted === 'log'
  const { scale, offScale } = valueScale(
    all.map(({ y }) => y),
    usesLog,
    false,
  )
  const top = topOf(scale, height)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { x } of all) [low, high] = [Math.min(low, x), Math.max(high, x)]
  const across = isTime ? undefined : linearScale(low, high, false, 6)
  const left = (x: number) => 0.02 + 0.96 * (across ? across.at(x) : (x - low) / (high - low || 1))
  const points = groups.flatMap(({ label, colour, points: own }) =>
    own
      .filter(({ y }) => !usesLog || y > 0)
      .map(({ x, y }): PlacedPoint => ({ label, colour, x, y, left: left(x), top: top(y) })),
  )
  const marks = groups.map(
    ({ key, colour, label }): Mark => ({
      key,
      colour,
      look: 'hollow',
      dash: 0,
      path: points
        .filter(point => point.label === label)
        .map(point => `M${(point.left * WIDTH).toFixed(1)} ${point.top.toFixed(1)}h0`)
        .join(''),
    }),
  )
  const xTicks = across
    ? across.ticks.map((tick, index) => ({
        index,
        text: tickTexts(across.ticks, '')[index] ?? '',
        left: left(tick),
      }))
    : Array.from({ length: all.length === 0 ? 0 : 6 }, (_, index) => {
        const x = low + ((high - low) * index) / 5
        return { index, text: tickLabel(x, high - low), left: left(x) }
      })
  points.sort((a, b) => a.left - b.left)
  return {
    drawing: drawingOf({
      height,
      marks,
      scale,
      top,
      unit,
      usesLog,
      lines: [],
      left: index => points[index]?.left ?? 0,
      isStacked: false,
      known: points.map(({ y }) => y),
      xTicks,
    }),
    offScale,
    points,
  }
}

/** Values that a logarithm does not have are not drawn, and counted. */
function valueScale(
  known: readonly number[],
  usesLog: boolean,
  fromZero: boolean,
): { scale: ValueScale; offScale: number } {
  const usable = usesLog ? known.filter(value => value > 0) : known
  if (usable.length === 0) return { scale: linearScale(0, 1, true), offScale: known.length }
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of usable) [low, high] = [Math.min(low, value), Math.max(high, value)]
  return {
    scale: usesLog ? logScale(low, high) : linearScale(low, high, fromZero),
    offScale: known.length - usable.length,
  }
}

const topOf =
  (scale: ValueScale, height: number) =>
  (value: number): number =>
    height - INSET - scale.at(value) * (height - INSET * 2)

type XTick = { index: number; text: string; left: number }

function ticksOf(axis: ChartAxis, left: (index: number) => number): XTick[] {
  const count = axis.labels.length
  const every = Math.max(1, Math.ceil(count / MOST_TICKS))
  const [low = 0, high = 0] = [axis.numbers?.[0], axis.numbers?.at(-1)]
  const ticks: XTick[] = []
  let last = -1
  for (let index = 0; index < count; index += every) {
    // Numbers that lie close together would write over each other.
    if (left(index) - last < 1 / (MOST_TICKS + 2)) continue
    last = left(index)
    const number = axis.numbers?.[index]
    const label = axis.labels[index] ?? ''
    const text = axis.grid
      ? tickLabel(number ?? 0, high - low)
      : number === undefined
        ? label
        : significant(number, 5)
    ticks.push({ index, text: text.length > 16 ? `${text.slice(0, 15)}…` : text, left: last })
  }
  return ticks
}

type Parts = {
  height: number
  marks: Mark[]
  scale: ValueScale
  top: (value: number) => number
  unit: string
  usesLog: boolean
  lines: readonly ChartLine[]
  left: (index: number) => number
  isStacked: boolean
  known: readonly number[]
  xTicks: readonly XTick[]
}

function drawingOf({
  height,
  marks,
  scale,
  top,
  unit,
  usesLog,
  lines,
  left,
  isStacked,
  known,
  xTicks,
}: Parts): Drawing {
  const texts = tickTexts(scale.ticks, unit, usesLog)
  return {
    height,
    marks,
    yTicks: scale.ticks.map((tick, at) => ({ top: top(tick), text: texts[at] ?? '' })),
    xTicks: xTicks.map((tick, at) => ({
      ...tick,
      strong: false,
      isLast: tick.left > 0.95,
      minor: xTicks.length > 4 && at % 2 === 1,
    })),
    ends: [],
    endsWidth: 0,
    flags: [],
    left,
    top,
    shown: lines.map((line): PlotLine => ({ ...line, incomplete: [], assay: '' })),
    unit,
    unitWord: '',
    modeWord: '',
    base: undefined,
    isStacked,
    isEmpty: false,
    isZero: known.length > 0 && known.every(value => value === 0),
  }
}
