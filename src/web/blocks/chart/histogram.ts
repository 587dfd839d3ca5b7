import { figureText, percentText, tickTexts } from '../../format/figure.ts'
import type { ChartView } from '../view.ts'
import type { Bins, HistogramData } from './histogramData.ts'
import { linearScale, logScale } from './scale.ts'
import { boxPath, type Scene } from './scene.ts'
import { WIDTH } from './shape.ts'

type Options = { height: number; scale: ChartView['scale'] }

export type HistogramDrawing = Scene & { bins: Bins; isLog: boolean }

const GUTTER = 46
const HEAD = 22

/** Bars of how many values lie between two edges, with the median. Where zero is among them there is no logarithm. */
export function histogramScene(data: HistogramData, { height, scale }: Options): HistogramDrawing {
  const isLog = scale === 'log' && data.log !== undefined
  const bins = (isLog ? data.log : undefined) ?? data.linear
  const { edges, counts } = bins
  const [first = 0, last = 1] = [edges[0], edges.at(-1)]
  const left = (value: number) =>
    isLog ? Math.log(value / first) / Math.log(last / first) : (value - first) / (last - first)
  const heights = linearScale(0, Math.max(1, ...counts), true)
  const top = (count: number) => height - heights.at(count) * (height - HEAD)
  const words = (index: number) =>
    `${figureText(edges[index], data.unit).text} to ${figureText(edges[index + 1], data.unit).text}`
  const bars = counts.map((count, index) => {
    const x = left(edges[index] ?? first)
    return { x, y: top(count), width: left(edges[index + 1] ?? last) - x, height: height - top(count) }
  })
  const inset = 0.08 / counts.length
  const path = bars
    .map(bar =>
      bar.height === 0
        ? ''
        : boxPath((bar.x + inset) * WIDTH, bar.y, (bar.width - inset * 2) * WIDTH, bar.height),
    )
    .join('')
  const ticks = (isLog ? logScale(first, last) : linearScale(first, last, false, 6)).ticks.filter(
    tick => tick >= first && tick <= last,
  )
  const texts = tickTexts(ticks, data.unit, isLog)
  const middle = Math.min(1, Math.max(0, left(Math.max(data.median, isLog ? first : data.median))))
  const isRight = middle > 0.6
  // Half a day is never counted.
  const countTicks = heights.ticks.filter(Number.isInteger)
  const countTexts = tickTexts(countTicks, '')
  return {
    height,
    gutter: GUTTER,
    grounds: [
      { key: 'bars', path, colour: data.colour, depth: 0.88, look: 'fill' },
      {
        key: 'median',
        path: `M${(middle * WIDTH).toFixed(1)} 0V${height}`,
        colour: 'ink',
        depth: 1,
        look: 'dash',
      },
    ],
    dots: [],
    texts: [
      {
        key: 'median',
        x: middle,
        y: 8,
        text: `median ${figureText(data.median, data.unit).text}`,
        anchor: isRight ? 'end' : 'start',
        look: 'strong',
        shift: isRight ? -6 : 6,
      },
    ],
    sides: countTicks.map((tick, index) => ({ y: top(tick), text: countTexts[index] ?? '' })),
    feet: ticks.map((tick, index) => ({
      x: left(tick),
      text: texts[index] ?? '',
      isLast: left(tick) > 0.96,
      isMinor: ticks.length > 5 && index % 2 === 1,
    })),
    rules: { ys: countTicks.map(top), xs: [] },
    marks: bars.map((bar, index) => ({
      key: String(index),
      ...bar,
      say: () => ({
        title: words(index),
        rows: [
          { label: 'values', value: String(counts[index] ?? 0) },
          { label: 'of all', value: percentText((counts[index] ?? 0) / data.count) },
        ],
      }),
      assay: data.assay,
    })),
    bins,
    isLog,
  }
}
