import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { readChartView } from '../view.ts'
import { ChartFrame, useDrawingHeight, useSection } from './ChartFrame.tsx'
import { ChartOptions } from './ChartOptions.tsx'
import { CrosshairLayer } from './CrosshairLayer.tsx'
import type { ShownTimeChart } from './chartSpec.ts'
import { type ChartEvent, type ChartGround, draw } from './drawing.ts'
import { BandLegend, Legend } from './Legend.tsx'
import { Plot } from './Plot.tsx'
import { PlotTable } from './PlotTable.tsx'
import type { PlotData } from './plotData.ts'
import { assaysOf, coverageText, grainWord, partsText, spanText, summaryText } from './summary.ts'

type Props = {
  spec: ShownTimeChart
  plot: PlotData
  missing: readonly string[]
  events: readonly ChartEvent[]
  csvHref: string
  controls?: ReactNode
  ground?: ChartGround | undefined
}

const HEIGHT = 264
const HEIGHT_WIDE = 320
/** Beneath the drawing: its days. */
const AXIS = 28

/** Lines, areas, bars, stacks or bands over time. */
export function TimeChart({ spec, plot, missing, events, csvHref, controls, ground }: Props) {
  const { search } = useLocation()
  const view = readChartView(new URLSearchParams(search), spec.id, spec.defaults)
  const section = useSection()
  const height = useDrawingHeight(section, spec.wide ? HEIGHT_WIDE : HEIGHT)
  const drawing = draw(plot, { kind: spec.kind, view, height, events, ground })
  const isStacked = spec.kind === 'stacked'
  const subtitle = [drawing.unitWord, grainWord(plot), drawing.modeWord].filter(Boolean).join(', ')
  const handlePicture = async () => {
    const { savePicture } = await import('./picture.ts')
    await savePicture({ title: spec.title, subtitle: `${subtitle} · ${spanText(plot)}`, plot, drawing })
  }
  return (
    <ChartFrame
      spec={spec}
      view={view}
      section={section}
      subtitle={subtitle}
      assays={assaysOf(plot)}
      asOf={plot.asOf}
      facts={[spanText(plot), coverageText(plot, drawing), ...partsText(plot, drawing, isStacked)]}
      missing={missing}
      csvHref={csvHref}
      controls={controls}
      summary={summaryText(spec.title, plot, drawing)}
      onPicture={handlePicture}
      tall={height + AXIS}
      options={
        <ChartOptions
          spec={spec}
          view={view}
          scales={
            isStacked
              ? []
              : [
                  {
                    field: 'scale',
                    label: 'Scale',
                    current: view.scale,
                    first: spec.defaults?.scale ?? 'linear',
                  },
                ]
          }
          modes={isStacked ? (plot.lines.length > 1 ? ['absolute', 'share'] : []) : ['absolute', 'indexed']}
          hasGrain={!spec.isFixed}
        />
      }
      legend={
        spec.kind === 'band' ? (
          <BandLegend plot={plot} />
        ) : (
          // A line that stands alone only because others are missing must be named.
          (plot.lines.length > 1 || missing.length > 0) && (
            <Legend chart={spec.id} lines={plot.lines} view={view} isStacked={isStacked} />
          )
        )
      }
    >
      {view.form === 'table' ? (
        <PlotTable title={spec.title} plot={plot} drawing={drawing} height={height + AXIS} />
      ) : (
        <Plot drawing={drawing}>
          <CrosshairLayer chart={spec.id} title={spec.title} plot={plot} drawing={drawing} />
        </Plot>
      )}
    </ChartFrame>
  )
}
