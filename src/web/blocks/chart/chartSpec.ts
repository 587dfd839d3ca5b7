import type { ChartDefaults } from '../view.ts'
import type { ChartKind } from './drawing.ts'

/** What is fixed about any chart of a page, as it is drawn. */
type Shown = {
  /** Key in the address. */
  id: string
  title: string
  /** What a reader must know beside the drawing. */
  note?: string
  wide?: boolean
  defaults?: ChartDefaults
  /** Its figures come with the page as they are: no range or grain of its own, and no frame on other sites. */
  isFixed?: boolean
  /** What it shows though the address does not say so: a link to it does. */
  held?: Record<string, string>
  /** Other ways of counting that a reader may turn on, by the names that the metrics know them by. */
  switches?: readonly ChartSwitch[]
}

/** Lines, areas, bars, stacks or bands over time. */
export type ShownTimeChart = Shown & { kind: ChartKind }

/** One small chart for each line; `defaults.measure` says whether all share one axis (so that sizes compare) or each has its own. */
export type ShownMultiples = Shown & { kind: 'multiples' }

/** A row for each line, a column for each bucket: how much, by depth of colour; of all rows, or (`defaults.measure`) of each by itself. */
export type ShownHeatMap = Shown & { kind: 'heat' }

/** A square for each day, a row of weeks for each year: of its first line. */
export type ShownCalendar = Shown & { kind: 'calendar' }

/** How often values of each size come: of the days in the range, or of its blocks. */
export type ShownHistogram = Shown & {
  kind: 'histogram'
  /** Whose values are counted. */
  of: 'day' | 'block'
}

/** Parts of a whole as areas. */
export type ShownTreeMap = Shown & { kind: 'tree'; over: Span }

/** What adds to a figure and what takes from it, step by step, to what is left, which is called `end`. */
export type ShownWaterfall = Shown & { kind: 'waterfall'; over: Span; end: string }

/** What goes from where to where. */
export type ShownSankey = Shown & { kind: 'sankey'; over: Span }

/** A point for each entity: two metrics against each other, a third as its size, moment by moment. */
export type ShownScatter = Shown & {
  kind: 'scatter'
  /** What is told on each axis and by the size of a point; `defaults.x` and `defaults.y` are their scales. */
  axes: { x: string; y: string; size?: string }
}

/** Figures of a chart that has no time axis: the newest whole bucket of the range (stocks), or its sum (flows). */
export type Span = 'newest' | 'sum'

export type ShownChart =
  | ShownTimeChart
  | ShownMultiples
  | ShownHeatMap
  | ShownCalendar
  | ShownHistogram
  | ShownTreeMap
  | ShownWaterfall
  | ShownSankey
  | ShownScatter

export type ChartSwitch = { name: string; label: string; off: string; on: string }

type Asked<Line extends LineSpec = LineSpec> = {
  lines: readonly Line[]
  /** Lines beyond this many, by their weight in the range, are summed as "others". */
  most?: number
}

/** The same with the figures that the server asks for. */
export type ChartSpec =
  | ((
      | ShownTimeChart
      | ShownMultiples
      | ShownHeatMap
      | ShownCalendar
      | ShownHistogram
      | ShownTreeMap
      | ShownWaterfall
    ) &
      Asked)
  | SankeySpec
  | ScatterSpec

export type SankeySpec = ShownSankey & Asked<FlowSpec>
export type ScatterSpec = ShownScatter & Asked<PointSpec>

/** A metric that a chart draws. */
export type LineSpec = {
  metric: string
  /** Left out: the entity of the page. */
  entity?: string
  label?: string
  /** Values of the breakdown to draw, in order; left out: all of them. */
  keys?: readonly string[]
  labels?: Readonly<Record<string, string>>
  /** Entities that values of the breakdown are, where one has a colour of its own. */
  standsFor?: Readonly<Record<string, string>>
  /** Draws the sum over the breakdown instead of its parts: for counts and amounts only. */
  isSum?: boolean
  /** Drawn thin behind the others: the noise that another line smooths. */
  isFaint?: boolean
  /** Drawn in grey: it says less than its like elsewhere, and the note says why. */
  isQuiet?: boolean
  /** Drawn as quiet bars behind the others: what each bucket has by itself, where they look back. */
  isBars?: boolean
  /** Round marks on the line where this is not zero, their area by how much; below zero hollow. */
  sized?: { metric: string; entity?: string; label: string }
}

/** A metric that flows: `{key}` in a name stands for the value of its breakdown. */
export type FlowSpec = LineSpec & { from: string; to: string }

/** One coordinate of one entity's point. A breakdown is summed. */
export type PointSpec = LineSpec & { axis: 'x' | 'y' | 'size'; entity: string; label: string }

export const isFlow = (line: LineSpec): line is FlowSpec => 'from' in line && 'to' in line

/** Coordinates of entities: the same metrics of each. */
export const pointsOf = (
  metrics: Readonly<Record<'x' | 'y', string> & { size?: string }>,
  entities: readonly { entity: string; label: string }[],
): PointSpec[] =>
  (['x', 'y', 'size'] as const).flatMap(axis => {
    const metric = metrics[axis]
    return metric === undefined
      ? []
      : entities.map(({ entity, label }) => ({ axis, metric, entity, label, isSum: true }))
  })

/** What the browser needs of a chart: which figures to ask for is the server’s business. */
export const shownPart = ({ lines: _, most: __, ...shown }: ChartSpec): ShownChart => shown
