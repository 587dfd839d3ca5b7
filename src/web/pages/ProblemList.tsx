import { Link } from 'react-router'
import type { ProblemKind } from '#http/contract.ts'
import styles from './ProblemList.module.css'

type Props = { title: string; problems: readonly ProblemKind[] }

/** Problems by code, each leading to its page. */
export function ProblemList({ title, problems }: Props) {
  if (problems.length === 0) return null
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul>
        {problems.map(problem => (
          <li key={problem.code} className={styles.row}>
            <span className={styles.status}>{problem.status}</span>
            <span>
              <Link to={`/errors/${problem.code}`}>{problem.title}</Link> <code>{problem.code}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
