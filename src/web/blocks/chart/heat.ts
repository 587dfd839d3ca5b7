import { figureText } from '../../format/figure.ts'
import type { ChartView } from '../view.ts'
import { DEPTHS, type DepthScale, depthScale } from './depth.ts'
import { bucketDay, bucketIndex, bucketText, type PlotData, type PlotLine } from './plotData.ts'
import { timeTicks } from './scale.ts'
import { type Box, boxPath, type Scene, type SceneGround } from './scene.ts'
import { WIDTH } from './shape.ts'

type Options = {
  height: number
  scale: ChartView['scale']
  measure: ChartView['measure']
  colour: string
}

export type HeatDrawing = Scene & {
  /** Of all rows; each row has its own where the reader asked for that. */
  depth: DepthScale
  hasGaps: boolean
  boxOfDay: (day: string) => Box | undefined
}

const GUTTER = 132
const LEAST_ROW = 16

/** A row for each line, a column for each bucket, depth of colour for how much. What is not known is grey, never pale. */
export function heatScene(plot: PlotData, { height: room, scale, measure, colour }: Options): HeatDrawing {
  const { lines, count } = plot
  const rowHeight = Math.max(LEAST_ROW, Math.floor(room / Math.max(1, lines.length)))
  const height = rowHeight * Math.max(1, lines.length)
  const known = (line: PlotLine) => wholeValues(plot, line)
  const depth = depthScale(lines.flatMap(known), scale)
  const slot = 1 / Math.max(1, count)
  // Cells that are too many to be told apart need no line between them.
  const gap = count > 140 ? 0 : slot * 0.06
  const paths = DEPTHS.map(() => '')
  let hollow = ''
  let unknown = ''
  for (const [row, line] of lines.entries()) {
    const own = measure === 'each' ? depthScale(known(line), scale) : depth
    const incomplete = new Set(line.incomplete)
    for (let index = 0; index < count; index += 1) {
      const value = line.values[index] ?? null
      const cell = boxPath(
        (index * slot + gap) * WIDTH,
        row * rowHeight + 1,
        (slot - gap * 2) * WIDTH,
        rowHeight - 2,
      )
      if (value === null) unknown += cell
      else {
        const step = own.step(value)
        paths[step] += cell
        if (incomplete.has(index) || (plot.isPartial && index === count - 1)) hollow += cell
      }
    }
  }
  const ticks = timeTicks(plot)
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
    sides: lines.map((line, row) => ({ y: (row + 0.5) * rowHeight, text: line.label })),
    feet: ticks.map((tick, index) => ({
      x: (tick.index + 0.5) * slot,
      text: tick.text,
      isStrong: tick.strong,
      isLast: (tick.index + 0.5) * slot > 0.96,
      isMinor: ticks.length > 4 && index % 2 === 1,
    })),
    rules: { ys: [], xs: [] },
    marks: lines.flatMap((line, row) =>
      line.values.map((value, index) => ({
        key: `${line.key}-${index}`,
        x: index * slot,
        y: row * rowHeight,
        width: slot,
        height: rowHeight,
        say: () => ({
          title: line.label,
          rows: [{ label: bucketText(plot, index), value: figureText(value, plot.unit).text }],
        }),
        assay: line.assay,
        day: bucketDay(plot, index),
      })),
    ),
    depth,
    hasGaps: unknown !== '',
    boxOfDay: day => {
      const index = bucketIndex(plot, day)
      return index < 0 || index >= count ? undefined : { x: index * slot, y: 0, width: slot, height }
    },
  }
}

/** Values of buckets that are over and have no gap: what depths are measured by. */
export function wholeValues({ isPartial, count }: PlotData, { values, incomplete }: PlotLine): number[] {
  const hollow = new Set(incomplete)
  if (isPartial) hollow.add(count - 1)
  const whole = values.filter((value, index) => value !== null && !hollow.has(index))
  return whole.length > 0 ? (whole as number[]) : values.filter(value => value !== null)
}

export const ground = (
  key: string,
  path: string,
  colour: string,
  depth: number,
  look: SceneGround['look'],
): SceneGround[] => (path === '' ? [] : [{ key, path, colour, depth, look }])
