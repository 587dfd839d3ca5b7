import type { PlotData } from './plotData.ts'

/** One part of a whole, or one flow of many. */
export type WholePart = {
  key: string
  label: string
  /** Name of a colour token without the dashes. */
  colour: string
  value: number
  assay: string
  /** Names of its ends, where it flows. */
  flow?: { from: string; to: string }
}

/** Parts of one whole over a span: of its newest whole bucket, or summed. */
export type WholeData = Pick<PlotData, 'unit' | 'asOf' | 'sources'> & {
  parts: WholePart[]
  /** What the values are of: `31 Jan 2026`, or `1 Feb 2025 to 31 Jan 2026`. */
  span: string
  /** Newest day that the values rest on. */
  to: string
  /** Buckets of the span in which nothing is known, or of which blocks are missing. */
  gaps: number
}
