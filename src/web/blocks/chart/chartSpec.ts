import type { ChartDefaults } from '../view.ts'
import type { ChartKind } from './drawing.ts'

/** What is fixed about one chart of a page, as it is drawn. */
export type ShownChart = {
  /** Key in the address. */
  id: string
  title: string
  kind: ChartKind
  /** What a reader must know beside the drawing. */
  note?: string
  wide?: boolean
  defaults?: ChartDefaults
  /** Other ways of counting that a reader may turn on, by the names that the metrics know them by. */
  switches?: readonly ChartSwitch[]
}

export type ChartSwitch = { name: string; label: string; off: string; on: string }

/** The same with the figures that the server asks for. */
export type ChartSpec = ShownChart & {
  lines: readonly LineSpec[]
  /** Lines beyond this many, by their weight in the range, are summed as "others". */
  most?: number
}

/** A metric that a chart draws. */
export type LineSpec = {
  metric: string
  /** Left out: the entity of the page. */
  entity?: string
  label?: string
  /** Values of the breakdown to draw, in order; left out: all of them. */
  keys?: readonly string[]
  labels?: Readonly<Record<string, string>>
  /** Draws the sum over the breakdown instead of its parts: for counts and amounts only. */
  isSum?: boolean
  /** Drawn thin behind the others: the noise that another line smooths. */
  isFaint?: boolean
}
