import type { AsOf } from '#http/contract.ts'
import type { PlotData } from './plotData.ts'

/** One entity moment by moment. A moment that lacks x or y has no point. */
export type ScatterPoint = {
  key: string
  label: string
  /** Name of a colour token without the dashes. */
  colour: string
  x: (number | null)[]
  y: (number | null)[]
  /** Left out where the chart has no third metric; a point whose size is not known is drawn hollow. */
  size?: (number | null)[]
  /** Assay views of its coordinates. */
  assay: { x: string; y: string; size?: string }
}

/** Two metrics, and a third as size, of many entities on one grid of buckets; it travels with the page. */
export type ScatterData = Pick<PlotData, 'start' | 'grain' | 'count' | 'isPartial' | 'sources'> & {
  points: ScatterPoint[]
  units: { x: string; y: string; size?: string }
  asOf: AsOf
}
