import { Link, useLocation } from 'react-router'
import { addressWith } from '../../blocks/view.ts'
import styles from '../l2s/Filters.module.css'
import { type AnyChain, CHAINS } from './chains.ts'

export type Choice = { value: string | undefined; label: string }
type RowProps = {
  label: string
  /** Key in the address. */
  name: string
  current: string | undefined
  choices: readonly Choice[]
}

/** What a page is asked about: links, so that each choice has an address and needs no script. */
export function Choices({ rows }: { rows: readonly RowProps[] }) {
  return (
    <section className={styles.filters} aria-label="Filters" data-screen>
      {rows.map(row => (
        <Row key={row.name} {...row} />
      ))}
    </section>
  )
}

function Row({ label, name, current, choices }: RowProps) {
  const { search } = useLocation()
  return (
    <nav className={styles.row} aria-label={label}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <ul className={styles.choices}>
        {choices.map(({ value, label: words }) => (
          <li key={words}>
            <Link
              className={styles.choice}
              to={addressWith(search, { [name]: value, before: undefined })}
              aria-current={value === current ? 'true' : undefined}
              preventScrollReset
              replace
            >
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** One chain or all of them. */
export const chainChoices = (chains: readonly AnyChain[]): Choice[] => [
  { value: undefined, label: 'All chains' },
  ...chains.map(chain => ({ value: chain, label: CHAINS[chain].name })),
]
