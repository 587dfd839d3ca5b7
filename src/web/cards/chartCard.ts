import { calendarScene } from '../blocks/chart/calendar.ts'
import type { ShownChart } from '../blocks/chart/chartSpec.ts'
import { dashOf } from '../blocks/chart/dashes.ts'
import { type Drawing, draw, type Mark } from '../blocks/chart/drawing.ts'
import { heatScene } from '../blocks/chart/heat.ts'
import { histogramScene } from '../blocks/chart/histogram.ts'
import {
  bucketIndex,
  bucketText,
  namedPoints,
  type PlotData,
  type PlotLine,
} from '../blocks/chart/plotData.ts'
import { sankeyScene } from '../blocks/chart/sankey.ts'
import { firstMoment, scatterScene } from '../blocks/chart/scatter.ts'
import { type Scene, type SceneText, textWidth } from '../blocks/chart/scene.ts'
import { WIDTH } from '../blocks/chart/shape.ts'
import { grainWord, spanText } from '../blocks/chart/summary.ts'
import { treeScene } from '../blocks/chart/treeMap.ts'
import { waterfallScene } from '../blocks/chart/waterfall.ts'
import type { DrawnChart } from '../blocks/load/loadChart.server.ts'
import { type ChartView, readChartView } from '../blocks/view.ts'
import { dayText } from '../format/day.ts'
import { figureText, unitText } from '../format/figure.ts'
import { type CardDrawing, type CardLegend, type CardShape, ROOM } from './card.ts'

/** A chart as a card has it: its drawing, and what it counts over which time. */
export type ChartOnCard = { drawing: CardDrawing; lead: string; newest: Newest | undefined }
/** The newest figure of a chart of one line. */
export type Newest = { value: number; unit: string; when: string; isWhole: boolean }

/** Lines that a legend of one row can name. */
const MOST_NAMED = 4
/** More lines than this make a card a tangle. */
const MOST_LINES = 8

/** The chart in the state of its address. Its layout is that of the page, on the ground of a card. */
export function chartOnCard(spec: ShownChart, chart: DrawnChart, query: URLSearchParams): ChartOnCard {
  const view = readChartView(query, spec.id, spec.defaults)
  if ('plot' in chart) {
    const { plot } = chart
    if (spec.kind === 'calendar' || spec.kind === 'heat') return heatOnCard(spec.kind, plot, view)
    const kind =
      spec.kind === 'area' || spec.kind === 'bars' || spec.kind === 'stacked' || spec.kind === 'band'
        ? spec.kind
        : 'line'
    return plotOnCard(kind, plot, view)
  }
  if ('histogram' in chart) {
    const { histogram } = chart
    const scene = histogramScene(histogram, { height: SCENE_HEIGHT, scale: view.scale })
    const span = `${dayText(histogram.from)} to ${dayText(histogram.to)}`
    const what = spec.kind === 'histogram' && spec.of === 'block' ? 'blocks' : 'days'
    return {
      drawing: sceneOnCard(scene),
      lead: listed([`${what} by ${histogram.label.toLowerCase()}`, unitText(histogram.unit), span]),
      newest: undefined,
    }
  }
  if ('scatter' in chart) {
    const { scatter } = chart
    const asked = view.at === undefined ? -1 : bucketIndex(scatter, view.at)
    const index = asked >= 0 && asked < scatter.count ? asked : firstMoment(scatter)
    const axes = spec.kind === 'scatter' ? spec.axes : { x: '', y: '' }
    const scene = scatterScene(scatter, {
      index,
      height: SCENE_HEIGHT,
      x: view.x,
      y: view.y,
      axes,
      hidden: view.hidden,
    })
    return {
      drawing: sceneOnCard(scene),
      lead: listed([`${axes.y} against ${axes.x}`, bucketText(scatter, index)]),
      newest: undefined,
    }
  }
  const { whole } = chart
  const scene =
    spec.kind === 'sankey'
      ? sankeyScene(whole, SCENE_HEIGHT)
      : spec.kind === 'waterfall'
        ? waterfallScene(whole, SCENE_HEIGHT, spec.end)
        : treeScene(whole, SCENE_HEIGHT)
  const largest = Math.max(...whole.parts.map(({ value }) => Math.abs(value)))
  return {
    drawing: sceneOnCard(scene),
    lead: listed([unitText(whole.unit, largest), whole.span]),
    newest: undefined,
  }
}

const listed = (words: readonly string[]): string => words.filter(word => word !== '').join(', ')

function heatOnCard(kind: 'calendar' | 'heat', plot: PlotData, { scale, measure }: ChartView): ChartOnCard {
  const colour = plot.lines.length === 1 ? (plot.lines[0]?.colour ?? 'series-2') : 'series-2'
  const scene =
    kind === 'calendar'
      ? calendarScene(plot, { height: SCENE_HEIGHT, scale, colour })
      : heatScene(
          { ...plot, lines: plot.lines.slice(0, MOST_ROWS) },
          { height: SCENE_HEIGHT, scale, measure, colour },
        )
  return {
    drawing: sceneOnCard(scene),
    lead: listed([unitText(plot.unit), grainWord(plot), spanText(plot)]),
    newest: undefined,
  }
}

type TimeKind = Parameters<typeof draw>[1]['kind']

function plotOnCard(kind: TimeKind, whole: PlotData, view: ChartView): ChartOnCard {
  const plot =
    kind === 'stacked' || kind === 'band' ? whole : { ...whole, lines: whole.lines.slice(0, MOST_LINES) }
  const drawing = draw(plot, { kind, view, height: ROOM.height, events: [] })
  const width = ROOM.width - ROOM.plotGutter
  const [only] = drawing.shown
  return {
    drawing: {
      width,
      height: ROOM.height,
      stretch: { x: width / WIDTH, y: 1 },
      shapes: drawing.marks.map(shapeOf),
      rules: { xs: [], ys: drawing.yTicks.map(({ top }) => top) },
      dots: [],
      texts: [],
      gutter: ROOM.plotGutter,
      sides: drawing.yTicks.map(({ top, text }) => ({ y: top, text })),
      feet: drawing.xTicks.map(({ left, text, isLast }) => ({ x: left * width, text, isLast })),
      legend: kind === 'band' || plot.lines.length < 2 ? [] : legendOf(drawing, plot, kind === 'stacked'),
    },
    lead: listed([drawing.unitWord, grainWord(plot), drawing.modeWord, spanText(plot)]),
    newest: only && plot.lines.length === 1 ? newestOf(only, drawing.unit, plot) : undefined,
  }
}

/** Lines by their newest values, the largest first; what has no room is counted. */
function legendOf(drawing: Drawing, plot: PlotData, isStacked: boolean): CardLegend[] {
  const newestPoint = (line: PlotLine) => namedPoints(plot, line).at(-1)
  // Parts of one stack are of one moment: the newest that any of them has.
  const last = Math.max(-1, ...drawing.shown.map(line => newestPoint(line)?.index ?? -1))
  const newestValue = (line: PlotLine) => (isStacked ? line.values[last] : newestPoint(line)?.value) ?? null
  const lines = drawing.shown
    .filter(({ isFaint }) => isFaint !== true)
    .map(line => ({ line, value: newestValue(line) }))
    .toSorted((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
  const named = lines.slice(0, lines.length === MOST_NAMED + 1 ? MOST_NAMED + 1 : MOST_NAMED)
  const rest = lines.length - named.length
  return [
    ...named.map(({ line, value }) => ({
      label: line.label,
      value: figureText(value, drawing.unit).text,
      colour: line.colour,
      // Areas are told apart by their place, lines by their dashes.
      dash: isStacked ? 'none' : dashOf(plot.lines.findIndex(({ key }) => key === line.key)),
    })),
    ...(rest > 0 ? [{ label: `and ${rest} more`, value: '', colour: '', dash: 'none' }] : []),
  ]
}

function newestOf(line: PlotLine, unit: string, plot: PlotData): Newest | undefined {
  const last = namedPoints(plot, line).at(-1)
  return last && { value: last.value, unit, when: bucketText(plot, last.index), isWhole: !last.isPartial }
}

const FILLED: readonly Mark['look'][] = ['ground', 'wash', 'bar', 'hollow-bar', 'quiet-bar']
const OPACITY: Partial<Record<Mark['look'], number>> = {
  wash: 0.14,
  'hollow-bar': 0.14,
  'quiet-bar': 0.26,
  bubble: 0.5,
  'hollow-bubble': 0.2,
  faint: 0.45,
}
const PENS: Partial<Record<Mark['look'], number>> = { hollow: 6, dot: 8, faint: 2 }
const PEN = 3.5

const shapeOf = ({ path, colour, look, across, dash }: Mark): CardShape => ({
  path,
  colour,
  opacity: OPACITY[look] ?? 1,
  pen: FILLED.includes(look) ? 0 : (across ?? PENS[look] ?? PEN),
  dash: look === 'unfinished' ? '3 5' : look === 'line' ? dashOf(dash) : 'none',
})

/** Scenes are laid out for texts of 12 px: a card shows them larger. */
const ZOOM = 1.5
const SCENE_HEIGHT = Math.floor(ROOM.height / ZOOM)
/** Rows that keep their height on a card. */
const MOST_ROWS = 11
/** Width of a scene in its own px decides which words it shows. */
const TIER = 1

function sceneOnCard(scene: Scene): CardDrawing {
  const widest = Math.max(0, ...scene.sides.map(({ text }) => textWidth(text) * ZOOM))
  const gutter = scene.sides.length === 0 ? 0 : Math.min(ROOM.mostGutter, Math.ceil(widest * 1.1) + 24)
  const width = ROOM.width - gutter
  return {
    width,
    height: scene.height * ZOOM,
    stretch: { x: width / WIDTH, y: ZOOM },
    shapes: scene.grounds.map(({ path, colour, depth, look }) => ({
      path,
      colour,
      opacity: look === 'hollow' ? depth * 0.3 : depth,
      pen: look === 'fill' || look === 'hollow' ? 0 : 2,
      dash: look === 'dash' ? '6 5' : 'none',
    })),
    rules: { xs: scene.rules.xs.map(x => x * width), ys: scene.rules.ys.map(y => y * ZOOM) },
    dots: scene.dots.map(({ x, y, radius, colour, isHollow }) => ({
      x: x * width,
      y: y * ZOOM,
      radius: radius * ZOOM,
      colour,
      isHollow,
    })),
    texts: scene.texts.flatMap(text => {
      if ((text.from ?? 0) > TIER || (text.until ?? TIER) < TIER) return []
      const { x, y, anchor, look, shift = 0 } = text
      return [
        {
          x: x * width + shift * ZOOM,
          y: y * ZOOM,
          text: text.text,
          anchor,
          colour: INK[look],
          isStrong: look === 'strong',
        },
      ]
    }),
    gutter,
    sides: scene.sides.map(({ y, text }) => ({ y: y * ZOOM, text })),
    feet: scene.feet
      .filter(({ isMinor }) => isMinor !== true)
      .map(({ x, text, isLast }) => ({ x: x * width, text, isLast: isLast === true })),
    legend: [],
  }
}

const INK: Record<SceneText['look'], string> = {
  strong: 'ink',
  plain: 'ink',
  quiet: 'ink-2',
  'on-colour': 'ink',
}
