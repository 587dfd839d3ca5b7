import { figureText, tickTexts } from '../../format/figure.ts'
import type { ChartView } from '../view.ts'
import { bucketDay } from './plotData.ts'
import { linearScale, logScale, PLAIN_STEPS, type ValueScale } from './scale.ts'
import type { ScatterData, ScatterPoint } from './scatterData.ts'
import { type Scene, type SceneText, TIER_NUMBERS, TIERS, type Tier, textWidth } from './scene.ts'

type Options = {
  /** Which moment. */
  index: number
  height: number
  x: ChartView['scale']
  y: ChartView['scale']
  /** Words of the axes. */
  axes: { x: string; y: string; size?: string }
  hidden: readonly string[]
}

/** One entity at one moment. */
type Placed = { point: ScatterPoint; x: number; y: number; radius: number; size: number | null | undefined }

export type ScatterDrawing = Scene & {
  /** Entities on paper. */
  shown: Placed[]
  /** Entities that have both figures then, at values that a logarithm does not have. */
  offScale: string[]
}

const GUTTER = 54
const LEAST_RADIUS = 5
const MOST_RADIUS = 26
/** Room around the marks, px from top and bottom and as a share of the width. */
const INSET = { y: 30, x: 0.05 }

/** Newest moment at which most entities have both figures: what a reader sees first. */
export function firstMoment({ points, count, isPartial }: ScatterData): number {
  const countAt = (index: number) =>
    points.filter(point => (point.x[index] ?? null) !== null && (point.y[index] ?? null) !== null).length
  let best = count - 1
  const last = isPartial && count > 1 ? count - 2 : count - 1
  for (let index = last; index >= 0; index -= 1) if (countAt(index) > countAt(best)) best = index
  return countAt(last) >= countAt(best) * 0.8 ? last : best
}

/** Entities against each other at one moment; the axes reach over all moments, so that what moves is the entities. */
export function scatterScene(data: ScatterData, options: Options): ScatterDrawing {
  const { index, height, hidden } = options
  const points = data.points.filter(({ key }) => !hidden.includes(key))
  const x = scaleOf(
    points.flatMap(point => both(point).map(at => point.x[at] ?? 0)),
    options.x,
    data.units.x,
  )
  const y = scaleOf(
    points.flatMap(point => both(point).map(at => point.y[at] ?? 0)),
    options.y,
    data.units.y,
  )
  const left = (value: number) => INSET.x + x.at(value) * (1 - INSET.x * 2)
  const top = (value: number) => height - INSET.y - y.at(value) * (height - INSET.y * 2)
  const largest = Math.max(
    0,
    ...data.points.flatMap(({ size }) => size ?? []).filter(value => value !== null),
  )
  const offScale: string[] = []
  const shown = points.flatMap((point): Placed[] => {
    const [xValue, yValue] = [point.x[index] ?? null, point.y[index] ?? null]
    if (xValue === null || yValue === null) return []
    if ((options.x === 'log' && xValue <= 0) || (options.y === 'log' && yValue <= 0)) {
      offScale.push(point.label)
      return []
    }
    const size = point.size?.[index]
    return [{ point, x: left(xValue), y: top(yValue), radius: radiusOf(size, largest), size }]
  })
  // Small marks lie on large ones.
  shown.sort((a, b) => b.radius - a.radius)
  const xTexts = tickTexts(x.ticks, data.units.x, options.x === 'log')
  const yTexts = tickTexts(y.ticks, data.units.y, options.y === 'log')
  const feet = x.ticks.map((tick, at) => ({
    x: left(tick),
    text: xTexts[at] ?? '',
    isMinor: x.ticks.length > 5 && at % 2 === 1,
  }))
  return {
    height,
    gutter: GUTTER,
    grounds: [],
    dots: shown.map(({ point, radius, size, ...place }) => ({
      key: point.key,
      x: place.x,
      y: place.y,
      radius,
      colour: point.colour,
      isHollow: size === null,
    })),
    texts: [
      { key: 'axis-x', x: 1, y: height - 10, text: `${options.axes.x} →`, anchor: 'end', look: 'quiet' },
      { key: 'axis-y', x: 0, y: 9, text: `↑ ${options.axes.y}`, anchor: 'start', look: 'quiet' },
      ...labelsOf(shown, height),
      ...(shown.length === 0 ? [nothingAt(height)] : []),
    ],
    sides: y.ticks.map((tick, at) => ({ y: top(tick), text: yTexts[at] ?? '' })),
    feet,
    rules: { ys: y.ticks.map(top), xs: x.ticks.map(left) },
    marks: shown
      .toSorted((a, b) => a.x - b.x)
      .map(({ point, x: at, y: from, radius, size }) => ({
        key: point.key,
        x: at,
        y: from - radius,
        width: 0,
        height: radius * 2,
        say: () => ({
          title: point.label,
          rows: [
            { label: options.axes.x, value: figureText(point.x[index], data.units.x).text },
            { label: options.axes.y, value: figureText(point.y[index], data.units.y).text },
            ...(size === undefined || options.axes.size === undefined
              ? []
              : [{ label: options.axes.size, value: figureText(size, data.units.size ?? '').text }]),
          ],
        }),
        assay: point.assay.y,
        day: bucketDay(data, index),
      })),
    shown,
    offScale,
  }
}

/** Axes alone would look as if the drawing had failed. */
const nothingAt = (height: number): SceneText => ({
  key: 'none',
  x: 0.5,
  y: height / 2,
  text: 'No data yet',
  anchor: 'middle',
  look: 'quiet',
})

/** Moments at which both coordinates are known. */
const both = ({ x, y }: ScatterPoint): number[] =>
  x.flatMap((value, at) => (value !== null && (y[at] ?? null) !== null ? [at] : []))

function scaleOf(values: readonly number[], scale: ChartView['scale'], unit: string): ValueScale {
  const usable = scale === 'log' ? values.filter(value => value > 0) : values
  if (usable.length === 0) return linearScale(0, 1, true)
  const low = usable.reduce((a, b) => Math.min(a, b))
  const high = usable.reduce((a, b) => Math.max(a, b))
  if (scale === 'log') return logScale(low, high)
  return unit === 'n' ? linearScale(low, high, false, 4, PLAIN_STEPS) : linearScale(low, high, false)
}

/** The area says how large. */
function radiusOf(size: number | null | undefined, largest: number): number {
  if (size === undefined) return 7
  if (size === null || !(size > 0) || largest <= 0) return LEAST_RADIUS
  return LEAST_RADIUS + Math.sqrt(size / largest) * (MOST_RADIUS - LEAST_RADIUS)
}

type Box = { left: number; right: number; top: number; bottom: number }
const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const LINE = 15

type Side = { anchor: SceneText['anchor']; dx: -1 | 0 | 1; dy: -1 | 0 | 1 }
const SIDES: readonly Side[] = [
  { anchor: 'start', dx: 1, dy: 0 },
  { anchor: 'end', dx: -1, dy: 0 },
  { anchor: 'middle', dx: 0, dy: -1 },
  { anchor: 'middle', dx: 0, dy: 1 },
]

/**
 * Names beside their marks, none over another or over a mark; the largest first. One that finds no room at some width is not
 * written there: pointer, keys and table have it. What is apart at one width is apart at every wider one.
 */
function labelsOf(shown: readonly Placed[], height: number): SceneText[] {
  const bySide = new Map<string, SceneText>()
  const texts: SceneText[] = []
  for (const tier of TIER_NUMBERS) {
    for (const text of labelsAt(shown, tier, height)) {
      const key = `${text.key}|${text.anchor}|${text.y}`
      const before = bySide.get(key)
      if (before && before.until === tier - 1) {
        before.until = tier
        continue
      }
      bySide.set(key, text)
      texts.push(text)
    }
  }
  return texts.map(({ until, ...text }) => ({
    ...text,
    key: `${text.key}-${text.from}`,
    ...(until !== undefined && until < 2 && { until }),
  }))
}

function labelsAt(shown: readonly Placed[], tier: Tier, height: number): (SceneText & { until?: Tier })[] {
  const width = TIERS[tier]
  const marks = shown.map(({ x, y, radius }): Box => {
    const core = radius * 0.8
    return { left: x * width - core, right: x * width + core, top: y - core, bottom: y + core }
  })
  const taken: Box[] = []
  return shown.flatMap(({ point, x, y, radius }, own) => {
    const room = textWidth(point.label)
    for (const { anchor, dx, dy } of SIDES) {
      const at = { x: x * width + dx * (radius + 4), y: y + dy * (radius + 9) }
      const left = anchor === 'start' ? at.x : anchor === 'end' ? at.x - room : at.x - room / 2
      // From the middle of its own mark on: nothing else may come to lie between the two at any wider width.
      const box = {
        left: Math.min(left, x * width),
        right: Math.max(left + room, x * width),
        top: at.y - LINE / 2,
        bottom: at.y + LINE / 2,
      }
      const isInside = box.left >= 0 && box.right <= width && box.top >= 16 && box.bottom <= height - 16
      const isFree =
        isInside &&
        !taken.some(other => overlaps(box, other)) &&
        !marks.some((other, index) => index !== own && overlaps(box, other))
      if (!isFree) continue
      taken.push(box)
      return [
        {
          key: point.key,
          x,
          y: at.y,
          text: point.label,
          anchor,
          look: 'strong' as const,
          ...(dx !== 0 && { shift: dx * (radius + 4) }),
          from: tier,
          until: tier,
        },
      ]
    }
    return []
  })
}
