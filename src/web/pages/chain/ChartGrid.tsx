import type { ReactNode } from 'react'
import { ChartCard } from '../../blocks/ChartCard.tsx'
import type { ShownChart } from '../../blocks/chart/chartSpec.ts'
import type { ChartEvent, ChartGround } from '../../blocks/chart/drawing.ts'
import type { LoadedChart } from '../../blocks/load/loadChart.server.ts'
import { StateCard } from '../../blocks/State.tsx'
import { RetryLink } from '../../ui/RetryLink.tsx'
import styles from './ChartGrid.module.css'
import { NotCovered } from './NotCovered.tsx'
import { widened } from './widened.ts'

type Props = {
  specs: readonly ShownChart[]
  charts: readonly LoadedChart[]
  /** Flags on the time axes. */
  events: readonly ChartEvent[]
  /** What brings the figures that are not there yet. */
  remedy: ReactNode
  /** What lies beneath the lines, by the id of the chart. */
  grounds?: Readonly<Record<string, ChartGround>>
}

/** The charts of a tab, two in a row where there is room; what has no figure yet is named once, below. */
export function ChartGrid({ specs, charts, events, remedy, grounds = {} }: Props) {
  const found = specs.flatMap(spec => {
    const chart = charts.find(({ id }) => id === spec.id)
    return chart ? [{ spec, chart }] : []
  })
  const drawn = found.filter(({ chart }) => chart.state === 'drawn' || chart.state === 'failed')
  const waiting = found.filter(({ chart }) => chart.state === 'empty' || chart.state === 'uncovered')
  const wide = widened(drawn.map(({ spec }) => spec.wide === true))
  return (
    <>
      {drawn.length > 0 && (
        <div className={styles.grid}>
          {drawn.map(({ spec, chart }, index) => {
            const isWide = wide[index] === true
            return (
              <div key={spec.id} className={isWide ? styles.wide : undefined}>
                <DrawnOrFailed
                  spec={isWide ? { ...spec, wide: true } : spec}
                  chart={chart}
                  events={events}
                  ground={grounds[spec.id]}
                />
              </div>
            )
          })}
        </div>
      )}
      {waiting.length > 0 && <NotCovered waiting={waiting} remedy={remedy} />}
    </>
  )
}

type OneProps = {
  spec: ShownChart
  chart: LoadedChart
  events: Props['events']
  ground: ChartGround | undefined
}

function DrawnOrFailed({ spec, chart, events, ground }: OneProps) {
  if (chart.state === 'drawn') return <ChartCard spec={spec} chart={chart} events={events} ground={ground} />
  return (
    <StateCard kind="failed" title={spec.title}>
      <p>{chart.state === 'failed' ? chart.detail : ''}</p>
      <p>
        <RetryLink />
      </p>
    </StateCard>
  )
}
