import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { readChartView } from '../view.ts'
import { ChartFrame, useDrawingHeight, useSection } from './ChartFrame.tsx'
import { ChartOptions } from './ChartOptions.tsx'
import { calendarScene } from './calendar.ts'
import type { ShownCalendar, ShownHeatMap } from './chartSpec.ts'
import { DepthLegend } from './DepthLegend.tsx'
import { endTexts } from './depth.ts'
import { draw } from './drawing.ts'
import { heatScene } from './heat.ts'
import { PlotTable } from './PlotTable.tsx'
import type { PlotData } from './plotData.ts'
import { SceneLayer } from './SceneLayer.tsx'
import { SceneView } from './SceneView.tsx'
import { assaysOf, coverageText, grainWord, spanText, summaryText } from './summary.ts'

type Props = {
  spec: ShownHeatMap | ShownCalendar
  plot: PlotData
  missing: readonly string[]
  csvHref: string
  controls?: ReactNode
}

const HEIGHT = 264
const HEIGHT_WIDE = 320

/** How much by depth of colour: a row for each line over time, or the days of one line as a calendar. */
export function HeatChart({ spec, plot, missing, csvHref, controls }: Props) {
  const { search } = useLocation()
  const view = readChartView(new URLSearchParams(search), spec.id, spec.defaults)
  const section = useSection()
  const height = useDrawingHeight(section, spec.wide ? HEIGHT_WIDE : HEIGHT)
  const isCalendar = spec.kind === 'calendar'
  const colour = plot.lines.length === 1 ? (plot.lines[0]?.colour ?? 'series-2') : 'series-2'
  const { scale, measure } = view
  const scene = isCalendar
    ? calendarScene(plot, { height, scale, colour })
    : heatScene(plot, { height, scale, measure, colour })
  const drawing = draw(plot, { kind: 'line', view: { ...view, hidden: [] }, height, events: [] })
  const isByRow = !isCalendar && measure === 'each'
  const subtitle = [
    drawing.unitWord,
    grainWord(plot),
    scale === 'log' ? 'steps in equal ratios' : '',
    isByRow ? 'each row by its own highest' : '',
  ]
    .filter(Boolean)
    .join(', ')
  const ends = endTexts(scene.depth, plot.unit)
  const handlePicture = async () => {
    const { saveScene } = await import('./scenePicture.ts')
    const words = { title: spec.title, subtitle: `${subtitle} · ${spanText(plot)}` }
    await saveScene({ ...words, scene, sources: plot.sources })
  }
  return (
    <ChartFrame
      spec={spec}
      view={view}
      section={section}
      subtitle={subtitle}
      assays={assaysOf(plot)}
      asOf={plot.asOf}
      facts={[spanText(plot), coverageText(plot, drawing)]}
      missing={missing}
      csvHref={csvHref}
      controls={controls}
      summary={summaryText(spec.title, plot, drawing)}
      onPicture={handlePicture}
      options={
        <ChartOptions
          spec={spec}
          view={view}
          scales={[
            { field: 'scale', label: 'Depth', current: scale, first: spec.defaults?.scale ?? 'linear' },
          ]}
          {...(!isCalendar && {
            hasGrain: true,
            measures: { one: 'All rows', each: 'By row', first: spec.defaults?.measure ?? 'one' },
          })}
        />
      }
      legend={
        <DepthLegend
          colour={colour}
          low={isByRow ? 'least of its row' : ends.low}
          high={isByRow ? 'most of its row' : ends.high}
          hasGaps={scene.hasGaps}
        />
      }
    >
      {view.form === 'table' ? (
        <PlotTable title={spec.title} plot={plot} drawing={drawing} height={scene.height + 28} />
      ) : (
        <SceneView scene={scene}>
          <SceneLayer chart={spec.id} title={spec.title} scene={scene} boxOfDay={scene.boxOfDay} />
        </SceneView>
      )}
    </ChartFrame>
  )
}
