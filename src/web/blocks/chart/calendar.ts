import { addDays, dayNumber, dayText, monthName } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import type { ChartView } from '../view.ts'
import { DEPTHS, type DepthScale, depthScale } from './depth.ts'
import { ground, wholeValues } from './heat.ts'
import type { PlotData } from './plotData.ts'
import { type Box, boxPath, type Scene } from './scene.ts'
import { WIDTH } from './shape.ts'

type Options = { height: number; scale: ChartView['scale']; colour: string }

export type CalendarDrawing = Scene & {
  depth: DepthScale
  hasGaps: boolean
  boxOfDay: (day: string) => Box | undefined
}

const GUTTER = 44
/** Weeks that a year touches at most. */
const WEEKS = 54
const BAND_GAP = 10
const LEAST_CELL = 5
const MOST_CELL = 22
const WEEKDAYS = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun']

/** Monday is 0. */
const weekday = (day: string): number => (dayNumber(day) + 3) % 7
/** Whole weeks from the week of one day to that of a later one. */
const weeksBetween = (first: string, day: string): number =>
  Math.floor((dayNumber(day) - dayNumber(first) + weekday(first)) / 7)

/** Bands of weeks: one from its first day on where a year holds all, else one a year, the newest first. */
type Bands = {
  count: number
  weeks: number
  bandOf: (day: string) => number
  weekOf: (day: string) => number
  names: { row: number; text: string }[]
  months: { week: number; text: string }[]
}

/**
 * A square for each day of the first line: weeks across, weekdays down. Depths are measured by whole days alone; a day that is
 * not known is grey, one that is not whole has a dashed edge.
 */
export function calendarScene(plot: PlotData, { height: room, scale, colour }: Options): CalendarDrawing {
  const line = plot.lines[0]
  const values = line?.values ?? []
  const lastDay = addDays(plot.start, Math.max(0, plot.count - 1))
  const bands =
    weeksBetween(plot.start, lastDay) < WEEKS ? oneBand(plot.start, lastDay) : yearBands(plot.start, lastDay)
  const fitting = Math.floor((room / bands.count - BAND_GAP) / 7)
  const cell = Math.min(MOST_CELL, Math.max(LEAST_CELL, fitting))
  const band = cell * 7 + BAND_GAP
  const edge = cell < 10 ? 0.5 : 1
  const height = band * bands.count
  const boxOf = (day: string): Box => ({
    x: bands.weekOf(day) / bands.weeks,
    y: bands.bandOf(day) * band + weekday(day) * cell,
    width: 1 / bands.weeks,
    height: cell,
  })
  const depth = depthScale(line ? wholeValues(plot, line) : [], scale)
  const hollowDays = new Set(line?.incomplete)
  const paths = DEPTHS.map(() => '')
  let unknown = ''
  let hollow = ''
  const days = values.map((_, index) => addDays(plot.start, index))
  for (const [index, day] of days.entries()) {
    const value = values[index] ?? null
    const box = boxOf(day)
    const inset = box.width * 0.06
    const path = boxPath(
      (box.x + inset) * WIDTH,
      box.y + edge,
      (box.width - inset * 2) * WIDTH,
      cell - edge * 2,
    )
    if (value === null) unknown += path
    else {
      paths[depth.step(value)] += path
      if (hollowDays.has(index) || (plot.isPartial && index === plot.count - 1)) hollow += path
    }
  }
  return {
    height,
    gutter: GUTTER,
    grounds: [
      ...ground('unknown', unknown, 'line', 1, 'fill'),
      ...paths.flatMap((path, step) => ground(`step-${step}`, path, colour, DEPTHS[step] ?? 1, 'fill')),
      ...ground('hollow', hollow, 'ink-2', 1, 'dash'),
    ],
    dots: [],
    texts: [],
    sides: bands.names.map(({ row, text }) => ({
      y: bands.count === 1 ? (row + 0.5) * cell : row * band + (cell * 7) / 2,
      text,
    })),
    feet: bands.months.map(({ week, text }, index) => ({
      x: (week + 1.5) / bands.weeks,
      text,
      isLast: week > bands.weeks - 3,
      isMinor: bands.months.length > 6 && index % 3 !== 0,
    })),
    rules: { ys: [], xs: [] },
    marks: days.map((day, index) => ({
      key: day,
      ...boxOf(day),
      say: () => ({
        title: dayText(day),
        rows: [
          {
            label: line?.label ?? '',
            value:
              figureText(values[index], plot.unit).text +
              (plot.isPartial && index === plot.count - 1 ? ', in progress' : ''),
          },
        ],
      }),
      assay: line?.assay ?? '',
      day,
    })),
    depth,
    hasGaps: unknown !== '',
    boxOfDay: day => (day < plot.start || day > lastDay ? undefined : boxOf(day)),
  }
}

function oneBand(start: string, lastDay: string): Bands {
  const weekOf = (day: string) => weeksBetween(start, day)
  const weeks = Math.max(12, weekOf(lastDay) + 1)
  const months: Bands['months'] = []
  for (let day = start; day <= lastDay; day = addDays(day, 1))
    if (day.endsWith('-01')) months.push({ week: weekOf(day), text: monthName(Number(day.slice(5, 7)) - 1) })
  return {
    count: 1,
    weeks,
    bandOf: () => 0,
    weekOf,
    names: WEEKDAYS.flatMap((text, row) => (text === '' ? [] : [{ row, text }])),
    months,
  }
}

function yearBands(start: string, lastDay: string): Bands {
  const [first, last] = [Number(start.slice(0, 4)), Number(lastDay.slice(0, 4))]
  const weekOf = (day: string) => weeksBetween(`${day.slice(0, 4)}-01-01`, day)
  return {
    count: last - first + 1,
    weeks: WEEKS,
    bandOf: day => last - Number(day.slice(0, 4)),
    weekOf,
    names: Array.from({ length: last - first + 1 }, (_, row) => ({ row, text: String(last - row) })),
    months: Array.from({ length: 12 }, (_, month) => ({
      week: weekOf(`${last}-${String(month + 1).padStart(2, '0')}-01`),
      text: monthName(month),
    })),
  }
}
