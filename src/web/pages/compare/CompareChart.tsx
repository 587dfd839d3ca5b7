import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { ChartCard } from '../../blocks/ChartCard.tsx'
import type { ShownChart } from '../../blocks/chart/chartSpec.ts'
import { ChartChoices } from '../../blocks/chart/choices.ts'
import type { ChartEvent } from '../../blocks/chart/drawing.ts'
import type { LoadedChart } from '../../blocks/load/loadChart.server.ts'
import { RetryLink } from '../../ui/RetryLink.tsx'
import styles from './CompareChart.module.css'

type Props = {
  chart: LoadedChart
  spec: ShownChart
  events: readonly ChartEvent[]
  controls: ReactNode
}

/** The comparison as a drawing; where nothing can be drawn it says why, with the choices still at hand. */
export function CompareChart({ chart, spec, events, controls }: Props) {
  const { search } = useLocation()
  if (chart.state === 'drawn')
    return (
      <div className={styles.chart}>
        <ChartChoices value={controls}>
          <ChartCard spec={spec} chart={chart} events={events} />
        </ChartChoices>
      </div>
    )
  return (
    <Card title={spec.title} tools={<div className={styles.controls}>{controls}</div>}>
      <div className={styles.empty} role={chart.state === 'failed' ? 'alert' : undefined}>
        {chart.state === 'failed' && (
          <>
            <p>{chart.detail}</p>
            <p>
              <RetryLink />
            </p>
          </>
        )}
        {chart.state === 'uncovered' && (
          <p>No data for the selected layers. Choose others, or another metric.</p>
        )}
        {chart.state === 'empty' && (
          <>
            <p>{chart.reason}</p>
            {chart.assay !== '' && (
              <p>
                <Link to={addressOfAssay(search, chart.assay)} preventScrollReset>
                  Definition and SQL are open already.
                </Link>
              </p>
            )}
          </>
        )}
        {spec.note && <p>{spec.note}</p>}
      </div>
    </Card>
  )
}
