import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { figureText } from '../../format/figure.ts'
import { readChartView } from '../view.ts'
import { ChartFrame, useDrawingHeight, useSection } from './ChartFrame.tsx'
import { ChartOptions } from './ChartOptions.tsx'
import { CrosshairLayer } from './CrosshairLayer.tsx'
import type { ShownMultiples } from './chartSpec.ts'
import { type ChartEvent, draw } from './drawing.ts'
import { AssayLink } from './embed.tsx'
import styles from './MultiplesChart.module.css'
import { multiplesOf } from './multiples.ts'
import { Plot } from './Plot.tsx'
import { PlotTable } from './PlotTable.tsx'
import { namedPoints, type PlotData } from './plotData.ts'
import { assaysOf, coverageText, grainWord, spanText, summaryText } from './summary.ts'

type Props = {
  spec: ShownMultiples
  plot: PlotData
  missing: readonly string[]
  events: readonly ChartEvent[]
  csvHref: string
  controls?: ReactNode
}

const SMALL = 104
/** Height of the table, which stands for all of them. */
const TABLE = 320

/** One small chart for each line, on one axis so that sizes compare, or each on its own so that shapes do. */
export function MultiplesChart({ spec, plot, missing, events, csvHref, controls }: Props) {
  const { search } = useLocation()
  const view = readChartView(new URLSearchParams(search), spec.id, spec.defaults)
  const section = useSection()
  const fullHeight = useDrawingHeight(section, TABLE)
  const small = fullHeight === TABLE ? SMALL : Math.max(SMALL, Math.floor(fullHeight / 3) - 60)
  const whole = draw(plot, { kind: 'line', view: { ...view, hidden: [] }, height: TABLE, events })
  const charts = multiplesOf(plot, { view, height: small, events })
  const isShared = view.measure === 'one'
  const subtitle = [
    whole.unitWord,
    grainWord(plot),
    whole.modeWord,
    isShared ? 'one axis for all' : 'each on its own axis',
  ]
    .filter(Boolean)
    .join(', ')
  const handlePicture = async () => {
    const { savePictures } = await import('./picture.ts')
    await savePictures({ title: spec.title, subtitle: `${subtitle} · ${spanText(plot)}`, charts })
  }
  return (
    <ChartFrame
      spec={spec}
      view={view}
      section={section}
      subtitle={subtitle}
      assays={assaysOf(plot)}
      asOf={plot.asOf}
      facts={[spanText(plot), coverageText(plot, whole)]}
      missing={missing}
      csvHref={csvHref}
      controls={controls}
      summary={summaryText(spec.title, plot, whole)}
      onPicture={handlePicture}
      options={
        <ChartOptions
          spec={spec}
          view={view}
          scales={[
            { field: 'scale', label: 'Scale', current: view.scale, first: spec.defaults?.scale ?? 'linear' },
          ]}
          modes={['absolute', 'indexed']}
          measures={{ one: 'One axis', each: 'Own axes', first: spec.defaults?.measure ?? 'one' }}
          hasGrain
        />
      }
    >
      {view.form === 'table' ? (
        <PlotTable title={spec.title} plot={plot} drawing={whole} height={fullHeight} />
      ) : (
        <div className={styles.charts}>
          {charts.map(({ plot: own, line, drawing }) => (
            <div key={line.key} className={styles.one}>
              <h3 className={styles.name}>
                <i style={{ background: `var(--${line.colour})` }} />
                {line.label}
                <AssayLink className={styles.value} assay={line.assay}>
                  {figureText(namedPoints(own, line).at(-1)?.value ?? null, drawing.unit).text}
                </AssayLink>
              </h3>
              <Plot drawing={drawing}>
                <CrosshairLayer
                  chart={`${spec.id}-${line.key}`}
                  title={`${spec.title}, ${line.label}`}
                  plot={own}
                  drawing={drawing}
                />
              </Plot>
            </div>
          ))}
        </div>
      )}
    </ChartFrame>
  )
}
