import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import type { ShownChart } from '../../blocks/chart/chartSpec.ts'
import type { LoadedChart } from '../../blocks/load/loadChart.server.ts'
import { WithCommands } from '../../ui/WithCommands.tsx'
import styles from './NotCovered.module.css'

type Waiting = { spec: ShownChart; chart: LoadedChart }

/** Figures that the page would draw and cannot yet: which, why, and what would bring them. One card, not a row of empty ones. */
export function NotCovered({ waiting, remedy }: { waiting: readonly Waiting[]; remedy: ReactNode }) {
  const { search } = useLocation()
  const byReason = Map.groupBy(waiting, ({ chart }) => reasonOf(chart))
  return (
    <Card title="Not covered on this server yet" sub={<>{remedy} Definition and SQL are open already.</>}>
      <dl className={styles.list}>
        {[...byReason].map(([reason, ones]) => (
          <div key={reason}>
            <dt>
              <WithCommands text={reason} />
            </dt>
            {ones.map(({ spec, chart }) => (
              <dd key={spec.id}>
                {chart.state === 'empty' ? (
                  <Link to={addressOfAssay(search, chart.assay)} preventScrollReset>
                    {spec.title}
                  </Link>
                ) : (
                  <span>{spec.title}</span>
                )}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Card>
  )
}

function reasonOf(chart: LoadedChart): string {
  if (chart.state === 'empty') return chart.reason
  return 'The catalog of this server does not have it.'
}
