import { Link } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import filters from '../../blocks/Choices.module.css'
import { useSite } from '../../shell/layers.ts'
import { existingPages } from '../../site.ts'
import styles from './Across.module.css'
import { type AnyChain, useCovered } from './chains.ts'

/** Pages about all chains, and whether they are narrowed to one. */
const PAGES = [
  { path: '/dashboards/hotcontracts', ofContracts: true },
  { path: '/popularcalls', ofContracts: true },
  { path: '/contractsdeployed', ofContracts: true },
  { path: '/tokens', ofContracts: true },
  { path: '/collections', ofContracts: true },
  { path: '/dashboards/discovermints', ofContracts: true },
  { path: '/addressbalance', ofContracts: false },
  { path: '/tvl', ofContracts: false },
] as const

/** The way from a chain to what is counted across all of them. */
export function DataPages({ chain }: { chain: AnyChain }) {
  const covered = useCovered()
  const labels = new Map(existingPages(useSite()).map(({ path, label }) => [path, label]))
  const shown = PAGES.filter(
    ({ path, ofContracts }) => labels.has(path) && !(ofContracts && chain === 'bitcoin'),
  )
  return (
    <Card title="Lists" sub={`${covered.of(chain).name} among all chains covered`}>
      <nav aria-label="Lists" className={styles.pages}>
        <ul className={filters.choices}>
          {shown.map(({ path, ofContracts }) => (
            <li key={path}>
              <Link className={filters.choice} to={ofContracts ? `${path}?chain=${chain}` : path}>
                {labels.get(path)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  )
}
