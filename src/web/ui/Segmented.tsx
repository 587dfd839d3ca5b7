import { Link } from 'react-router'
import styles from './Segmented.module.css'

export type Choice = { value: string; label: string; to: string; title?: string }

type Props = { label: string; choices: Choice[]; current: string }

/** One choice of a few, each with its own address, so that it works without a script and can be shared. */
export function Segmented({ label, choices, current }: Props) {
  return (
    <nav className={styles.row} aria-label={label}>
      {choices.map(choice => (
        <Link
          key={choice.value}
          className={styles.choice}
          to={choice.to}
          title={choice.title}
          aria-current={choice.value === current ? 'true' : undefined}
          preventScrollReset
          replace
        >
          {choice.label}
        </Link>
      ))}
    </nav>
  )
}
