import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'
import card from '../../blocks/Card.module.css'
import type { ChartSpec } from '../../blocks/chart/chartSpec.ts'
import type { LoadedChart } from '../../blocks/load/loadChart.server.ts'
import styles from './NotCovered.module.css'

type Props = { waiting: readonly { spec: ChartSpec; chart: LoadedChart }[] }

/** Figures that the page would draw and cannot yet: which, why, and what would bring them. One card, not a row of empty ones. */
export function NotCovered({ waiting }: Props) {
  const { search } = useLocation()
  return (
    <section className={card.card} aria-labelledby="not-covered">
      <header className={card.head}>
        <div className={card.words}>
          <h2 id="not-covered" className={card.title}>
            Not covered on this server yet
          </h2>
          <p className={card.sub}>
            Each of these follows from whole blocks. Set <code>BITCOIN_RPC_URL</code> to a node, or load its
            files with <code>assay backfill</code>, and they appear here.
          </p>
        </div>
      </header>
      <ul className={styles.list}>
        {waiting.map(({ spec, chart }) => (
          <li key={spec.id}>
            <strong>{spec.title}</strong>
            <span>{reasonOf(chart)}</span>
            {chart.state === 'empty' && (
              <Link className={card.assay} to={addressOfAssay(search, chart.assay)} preventScrollReset>
                Definition and SQL<span className="visually-hidden"> of {spec.title}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function reasonOf(chart: LoadedChart): string {
  if (chart.state === 'empty') return chart.reason
  if (chart.state === 'uncovered') return `The catalogue of this server has no ${chart.metrics.join(' or ')}.`
  return ''
}
