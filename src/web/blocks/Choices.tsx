import { Link, useLocation } from 'react-router'
import styles from './Choices.module.css'
import { addressWith } from './view.ts'

export type Choice = {
  /** As the address has it; absent for what is shown without being asked for. */
  value: string | undefined
  label: string
  title?: string | undefined
  /** Rows that it would leave, and what they are. */
  count?: { rows: number; of: string }
}
export type ChoiceRow = {
  label: string
  /** Key in the address. */
  name: string
  current: string | undefined
  choices: readonly Choice[]
}

/** What a list is narrowed to: links, so that each choice has an address and needs no script. */
export function Choices({ rows }: { rows: readonly ChoiceRow[] }) {
  return (
    <section className={styles.filters} aria-label="Filters" data-screen>
      {rows.map(row => (
        <Row key={row.name} {...row} />
      ))}
    </section>
  )
}

function Row({ label, name, current, choices }: ChoiceRow) {
  const { search } = useLocation()
  return (
    <nav className={styles.row} aria-label={label}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <ul className={styles.choices}>
        {choices.map(({ value, label: words, title, count }) => (
          <li key={words}>
            <Link
              className={styles.choice}
              // Another choice is another list: it begins at its beginning.
              to={addressWith(search, { [name]: value, before: undefined })}
              title={title}
              aria-current={value === current ? 'true' : undefined}
              data-none={count?.rows === 0 || undefined}
              preventScrollReset
              replace
            >
              {words}
              {count && (
                <span className={styles.count}>
                  {count.rows}
                  <span className="visually-hidden"> {count.of}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
