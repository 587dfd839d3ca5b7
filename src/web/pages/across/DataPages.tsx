import { Link } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import filters from '../../blocks/Choices.module.css'
import { useSite } from '../../shell/layers.ts'
import { existingPages } from '../../site.ts'
import styles from './Across.module.css'
import { type AnyChain, useCovered } from './chains.ts'
import { DATA_PAGES } from './dataPages.ts'

/** The way from a chain to what is counted across all of them. */
export function DataPages({ chain }: { chain: AnyChain }) {
  const covered = useCovered()
  const labels = new Map(existingPages(useSite()).map(({ path, label }) => [path, label]))
  const shown = Object.entries(DATA_PAGES).filter(
    ([path, { ofContracts }]) => labels.has(path) && !(ofContracts && chain === 'bitcoin'),
  )
  return (
    <Card title="Lists" sub={`${covered.of(chain).name} among all chains covered`}>
      <nav aria-label="Lists" className={styles.pages}>
        <ul className={filters.choices}>
          {shown.map(([path, { ofContracts }]) => (
            <li key={path}>
              <Link className={filters.choice} to={ofContracts ? `${path}?chain=${chain}` : path}>
                {labels.get(path)}
              </Link>
            </li>
          ))}
          <li>
            <Link className={filters.choice} to="/dashboards">
              All dashboards
            </Link>
          </li>
        </ul>
      </nav>
    </Card>
  )
}
