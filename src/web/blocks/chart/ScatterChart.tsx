import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { figureText, unitText } from '../../format/figure.ts'
import { readChartView } from '../view.ts'
import { ChartFrame, useDrawingHeight, useSection } from './ChartFrame.tsx'
import { ChartOptions } from './ChartOptions.tsx'
import type { ShownScatter } from './chartSpec.ts'
import { FigureTable } from './FigureTable.tsx'
import { Legend } from './Legend.tsx'
import { MomentSlider } from './MomentSlider.tsx'
import { bucketDay, bucketIndex, bucketText } from './plotData.ts'
import { SceneLayer } from './SceneLayer.tsx'
import { SceneView } from './SceneView.tsx'
import { firstMoment, scatterScene } from './scatter.ts'
import type { ScatterData } from './scatterData.ts'
import { spokenMarks } from './scene.ts'
import { grainWord } from './summary.ts'

type Props = {
  spec: ShownScatter
  scatter: ScatterData
  missing: readonly string[]
  csvHref: string
  controls?: ReactNode
}

const HEIGHT = 300
const HEIGHT_WIDE = 400

/** Two metrics of many entities against each other, moment by moment. */
export function ScatterChart({ spec, scatter, missing, csvHref, controls }: Props) {
  const { search } = useLocation()
  const view = readChartView(new URLSearchParams(search), spec.id, spec.defaults)
  const section = useSection()
  const height = useDrawingHeight(section, spec.wide ? HEIGHT_WIDE : HEIGHT)
  const asked = view.at === undefined ? -1 : bucketIndex(scatter, view.at)
  const chosen = asked >= 0 && asked < scatter.count ? asked : firstMoment(scatter)
  // While a reader drags or plays, the moment runs ahead of the address.
  const [running, setRunning] = useState<number>()
  const index = running ?? chosen
  const { axes } = spec
  const scene = scatterScene(scatter, { index, height, x: view.x, y: view.y, axes, hidden: view.hidden })
  const moment = bucketText(scatter, index)
  const words = [`${axes.y} against ${axes.x}`, axes.size && `size: ${axes.size}`, grainWord(scatter)]
  const handlePicture = async () => {
    const { saveScene } = await import('./scenePicture.ts')
    await saveScene({
      title: spec.title,
      subtitle: `${words[0]}, ${moment}`,
      scene,
      sources: scatter.sources,
    })
  }
  const facts = [
    moment,
    `${scene.shown.length} of ${scatter.points.length} have both figures then`,
    ...(scene.offScale.length > 0
      ? [`not above zero, so not on a log axis: ${scene.offScale.join(', ')}`]
      : []),
  ]
  return (
    <ChartFrame
      spec={spec}
      view={view}
      section={section}
      subtitle={words.filter(Boolean).join(', ')}
      assays={firstAssays(scatter, axes)}
      asOf={scatter.asOf}
      facts={facts}
      missing={missing}
      csvHref={csvHref}
      controls={controls}
      summary={`${spec.title}, ${moment}. ${spokenMarks(scene.marks)}.`}
      onPicture={handlePicture}
      options={
        <ChartOptions
          spec={spec}
          view={view}
          scales={[
            { field: 'x', label: 'Across', current: view.x, first: spec.defaults?.x ?? 'linear' },
            { field: 'y', label: 'Up', current: view.y, first: spec.defaults?.y ?? 'linear' },
          ]}
          hasGrain
        />
      }
      legend={<Legend chart={spec.id} lines={scatter.points} view={view} isStacked />}
    >
      {view.form === 'table' ? (
        <FigureTable
          title={spec.title}
          head={['Name', ...headOf(scatter, axes)]}
          rows={scatter.points.map(point => ({
            key: point.key,
            name: point.label,
            cells: (['x', 'y', 'size'] as const).flatMap(axis => {
              const values = point[axis]
              const unit = scatter.units[axis]
              if (values === undefined || unit === undefined) return []
              const { text, full } = figureText(values[index], unit)
              const assay = point.assay[axis]
              return [{ text, full, ...(assay && { assay, day: bucketDay(scatter, index) }) }]
            }),
          }))}
          height={height + 28}
        />
      ) : (
        <SceneView scene={scene}>
          <SceneLayer chart={spec.id} title={spec.title} scene={scene} />
        </SceneView>
      )}
      {scatter.count > 1 && (
        <MomentSlider chart={spec.id} title={spec.title} grid={scatter} index={index} onRun={setRunning} />
      )}
    </ChartFrame>
  )
}

/** The ways in by metric: of the first entity; those of the others are in the table. */
function firstAssays(
  { points }: ScatterData,
  axes: ShownScatter['axes'],
): { assay: string; label: string }[] {
  const [first] = points
  if (!first) return []
  const found = (['x', 'y', 'size'] as const).flatMap(axis => {
    const assay = first.assay[axis]
    const name = axes[axis]
    return assay && name ? [{ assay, label: `${name} of ${first.label}` }] : []
  })
  return [...new Map(found.map(each => [each.assay, each])).values()]
}

const headOf = ({ units }: ScatterData, axes: ShownScatter['axes']): string[] =>
  (['x', 'y', 'size'] as const).flatMap(axis => {
    const unit = units[axis]
    const name = axes[axis]
    if (unit === undefined || name === undefined) return []
    return [unitText(unit) === '' ? name : `${name}, ${unitText(unit)}`]
  })
