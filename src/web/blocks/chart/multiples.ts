import type { ChartView } from '../view.ts'
import { type ChartEvent, type Drawing, draw, indexBase } from './drawing.ts'
import type { PlotData, PlotLine } from './plotData.ts'

type Options = {
  view: Pick<ChartView, 'scale' | 'mode' | 'measure'>
  height: number
  events: readonly ChartEvent[]
}

export type SmallChart = { plot: PlotData; line: PlotLine; drawing: Drawing }

/** One drawing for each line. With one measure for all, each keeps the axis of all of them together. */
export function multiplesOf(plot: PlotData, { view, height, events }: Options): SmallChart[] {
  const { scale, mode, measure } = view
  const base = indexBase(plot.lines, plot)
  return plot.lines.map(line => {
    const own = { ...plot, lines: [line] }
    const drawing = draw(own, {
      kind: 'area',
      view: { scale, mode, hidden: [] },
      height,
      events,
      base,
      ...(measure === 'one' && { beside: plot.lines }),
    })
    return { plot: own, line: drawing.shown[0] ?? line, drawing }
  })
}
