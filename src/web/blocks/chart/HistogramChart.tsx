import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { dayText } from '../../format/day.ts'
import { figureText, grouped, percentText, unitText } from '../../format/figure.ts'
import { readChartView } from '../view.ts'
import { ChartFrame, useDrawingHeight, useSection } from './ChartFrame.tsx'
import { ChartOptions } from './ChartOptions.tsx'
import type { ShownHistogram } from './chartSpec.ts'
import { FigureTable } from './FigureTable.tsx'
import { histogramScene } from './histogram.ts'
import type { HistogramData } from './histogramData.ts'
import { SceneLayer } from './SceneLayer.tsx'
import { SceneView } from './SceneView.tsx'
import { spokenMarks } from './scene.ts'

type Props = {
  spec: ShownHistogram
  histogram: HistogramData
  missing: readonly string[]
  csvHref: string
  controls?: ReactNode
}

const HEIGHT = 264
const HEIGHT_WIDE = 320

/** How often values of each size come. */
export function HistogramChart({ spec, histogram, missing, csvHref, controls }: Props) {
  const { search } = useLocation()
  const view = readChartView(new URLSearchParams(search), spec.id, spec.defaults)
  const section = useSection()
  const height = useDrawingHeight(section, spec.wide ? HEIGHT_WIDE : HEIGHT)
  const scene = histogramScene(histogram, { height, scale: view.scale })
  const { unit, count, bins } = { ...histogram, bins: scene.bins }
  const what = spec.of === 'block' ? 'blocks' : 'days'
  const subtitle = [
    `${what} by ${histogram.label.toLowerCase()}`,
    unitText(unit),
    scene.isLog ? 'log bins' : '',
  ]
    .filter(Boolean)
    .join(', ')
  const span = `${dayText(histogram.from)} to ${dayText(histogram.to)}`
  const median = `median ${figureText(histogram.median, unit).text}`
  const handlePicture = async () => {
    const { saveScene } = await import('./scenePicture.ts')
    const words = { title: spec.title, subtitle: `${subtitle} · ${span}` }
    await saveScene({ ...words, scene, sources: histogram.sources })
  }
  return (
    <ChartFrame
      spec={spec}
      view={view}
      section={section}
      subtitle={subtitle}
      assays={[{ assay: histogram.assay, label: histogram.label }]}
      asOf={histogram.asOf}
      facts={[
        span,
        `${grouped(String(count))} ${what}`,
        median,
        `mean ${figureText(histogram.mean, unit).text}`,
        ...(scene.isLog && histogram.log && histogram.log.left > 0
          ? [`${grouped(String(histogram.log.left))} at zero or below have no place on a log axis`]
          : []),
      ]}
      missing={missing}
      csvHref={csvHref}
      controls={controls}
      summary={`${spec.title}, ${span}, ${count} ${what}, ${median}. ${spokenMarks(scene.marks)}.`}
      onPicture={handlePicture}
      options={
        <ChartOptions
          spec={spec}
          view={view}
          scales={
            histogram.log
              ? [
                  {
                    field: 'scale',
                    label: 'Bins',
                    current: view.scale,
                    first: spec.defaults?.scale ?? 'linear',
                  },
                ]
              : []
          }
        />
      }
    >
      {view.form === 'table' ? (
        <FigureTable
          title={spec.title}
          head={[histogram.label, what === 'blocks' ? 'Blocks' : 'Days', 'Of all']}
          rows={bins.counts.map((binCount, index) => ({
            key: String(index),
            name: scene.marks[index]?.say().title ?? '',
            cells: [
              { text: grouped(String(binCount)), assay: histogram.assay },
              { text: percentText(binCount / count) },
            ],
          }))}
          height={height + 28}
        />
      ) : (
        <SceneView scene={scene}>
          <SceneLayer chart={spec.id} title={spec.title} scene={scene} />
        </SceneView>
      )}
    </ChartFrame>
  )
}
