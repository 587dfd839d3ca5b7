import type { Api } from '#http/contract.ts'
import type { ShownTimeChart } from '../../blocks/chart/chartSpec.ts'
import type { PlotData } from '../../blocks/chart/plotData.ts'
import { createFigureReader, type Subject } from '../../blocks/load/figureReader.server.ts'
import { type ChartAsk, type LoadedChart, loadChart } from '../../blocks/load/loadChart.server.ts'
import { figureNames, seriesHref, spanOf } from '../../blocks/load/seriesHref.ts'
import type { Line } from './chartLines.server.ts'
import { DIVISORS, type Divisor, MOST_LAYERS } from './lists.ts'
import { ratioPlot } from './ratioPlot.ts'

type Asked = {
  api: Api
  ask: ChartAsk
  shown: ShownTimeChart
  /** The figures that are divided. */
  plot: PlotData
  lines: readonly Line[]
  metric: string
  label: string
  by: Divisor
}

/** The same figures ÷ those of the divisor, each of the same bucket. */
export async function byDivisor({
  api,
  ask,
  shown,
  plot,
  lines,
  metric,
  label,
  by,
}: Asked): Promise<LoadedChart> {
  const divisor = DIVISORS[by]
  const reader = createFigureReader(api, { ...ask.view, unit: 'native' })
  const below = await loadChart(
    { ...ask, reader },
    {
      ...shown,
      most: MOST_LAYERS,
      lines: lines.map(({ layer, name }) => ({ metric: divisor.metric, entity: layer, label: name })),
    },
  )
  const layers = new Map(lines.map(({ layer, of }) => [`${metric}@${of}`, `${divisor.metric}@${layer}`]))
  const ratio =
    below.state === 'drawn' && 'plot' in below
      ? ratioPlot(plot, below.plot, assay => layers.get(assay), `${plot.unit}/${divisor.unit}`)
      : undefined
  if (ratio === undefined) {
    const reason = `No bucket in this range has both ${label} and ${divisor.of}.`
    return { id: shown.id, state: 'empty', reason, assay: plot.lines[0]?.assay ?? '' }
  }
  const drawn = new Set(ratio.lines.map(line => line.label))
  const subjects: Subject[] = lines.flatMap(({ layer, of }) => [
    { metric, entity: of },
    { metric: divisor.metric, entity: layer },
  ])
  const names = subjects.flatMap(subject => figureNames(subject))
  return {
    id: shown.id,
    state: 'drawn',
    plot: ratio,
    missing: lines.map(({ name }) => name).filter(name => !drawn.has(name)),
    csvHref: seriesHref('csv', names, { ...spanOf(ask.view), grain: ratio.grain }, ask.view.unit),
  }
}
