import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { figureText, percentText, unitText } from '../../format/figure.ts'
import { readChartView } from '../view.ts'
import { ChartFrame, useDrawingHeight, useSection } from './ChartFrame.tsx'
import { ChartOptions } from './ChartOptions.tsx'
import type { ShownSankey, ShownTreeMap, ShownWaterfall } from './chartSpec.ts'
import { FigureTable } from './FigureTable.tsx'
import { SceneLayer } from './SceneLayer.tsx'
import { SceneView } from './SceneView.tsx'
import { sankeyScene } from './sankey.ts'
import { type Scene, spokenMarks } from './scene.ts'
import { treeScene } from './treeMap.ts'
import { waterfallScene } from './waterfall.ts'
import type { WholeData } from './wholeData.ts'

type Props = {
  spec: ShownTreeMap | ShownSankey | ShownWaterfall
  whole: WholeData
  missing: readonly string[]
  csvHref: string
  controls?: ReactNode
}

const HEIGHT = 288
const HEIGHT_WIDE = 360

const PART_WORD = { tree: 'Part', sankey: 'Flow', waterfall: 'Step' } as const

function sceneOf(spec: Props['spec'], whole: WholeData, height: number): Scene {
  switch (spec.kind) {
    case 'tree':
      return treeScene(whole, height)
    case 'sankey':
      return sankeyScene(whole, height)
    case 'waterfall':
      return waterfallScene(whole, height, spec.end)
  }
}

/** Parts of a whole as areas, what flows from where to where, or steps to what is left. */
export function WholeChart({ spec, whole, missing, csvHref, controls }: Props) {
  const { search } = useLocation()
  const view = readChartView(new URLSearchParams(search), spec.id, spec.defaults)
  const section = useSection()
  const height = useDrawingHeight(section, spec.wide ? HEIGHT_WIDE : HEIGHT)
  const scene = sceneOf(spec, whole, height)
  const total = whole.parts.reduce((sum, { value }) => sum + value, 0)
  const totalText = figureText(total, whole.unit).text
  const largest = Math.max(...whole.parts.map(({ value }) => Math.abs(value)))
  const subtitle = [unitText(whole.unit, largest), whole.span].filter(Boolean).join(', ')
  const handlePicture = async () => {
    const { saveScene } = await import('./scenePicture.ts')
    await saveScene({
      title: spec.title,
      subtitle: `${subtitle} · ${totalText}`,
      scene,
      sources: whole.sources,
    })
  }
  const assays = [
    ...new Map(
      whole.parts.map(({ assay, label, flow }) => [assay, { assay, label: flow?.to ?? label }]),
    ).values(),
  ]
  return (
    <ChartFrame
      spec={spec}
      view={view}
      section={section}
      subtitle={subtitle}
      assays={assays}
      asOf={whole.asOf}
      facts={[
        spec.kind === 'waterfall' ? `${totalText} ${spec.end}` : `${totalText} in all`,
        ...(whole.gaps > 0 ? [`${whole.gaps} days, weeks or months in this range have partial data`] : []),
      ]}
      missing={missing}
      csvHref={csvHref}
      controls={controls}
      summary={`${spec.title}, ${whole.span}, ${totalText} in all. ${spokenMarks(scene.marks)}.`}
      onPicture={handlePicture}
      options={<ChartOptions spec={spec} view={view} />}
    >
      {view.form === 'table' ? (
        <FigureTable
          title={spec.title}
          head={[PART_WORD[spec.kind], unitText(whole.unit) || 'Value', 'Share']}
          rows={whole.parts.map(part => ({
            key: part.key,
            name: part.flow ? `${part.flow.from} to ${part.flow.to}` : part.label,
            cells: [
              {
                text: figureText(part.value, whole.unit).text,
                full: figureText(part.value, whole.unit).full,
                assay: part.assay,
                day: whole.to,
              },
              { text: percentText(part.value / total) },
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
