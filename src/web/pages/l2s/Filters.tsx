import { Link, useLocation } from 'react-router'
import type { DirectoryLayer } from '#http/contract.ts'
import { addressWith } from '../../blocks/view.ts'
import { type DirectoryView, shownLayers } from './directoryView.ts'
import styles from './Filters.module.css'
import { FAMILIES, FAMILY_MEANS, STATUSES } from './words.ts'

type Props = { layers: readonly DirectoryLayer[]; view: DirectoryView }
type Choice = { value: string | undefined; label: string; title?: string | undefined; count: number }

/** What of the directory is shown: links, so that each choice has an address and needs no script. */
export function Filters({ layers, view }: Props) {
  const counted = (key: 'family' | 'status' | 'reviewed', isChosen: (layer: DirectoryLayer) => boolean) =>
    shownLayers(layers, view, key).filter(isChosen).length
  const all = (key: 'family' | 'status' | 'reviewed'): Choice => ({
    value: undefined,
    label: 'All',
    count: counted(key, () => true),
  })
  const families = Object.entries(FAMILIES).map(
    ([value, label]): Choice => ({
      value,
      label,
      title: FAMILY_MEANS[value as keyof typeof FAMILIES],
      count: counted('family', ({ family }) => family === value),
    }),
  )
  const statuses = Object.entries(STATUSES).map(
    ([value, label]): Choice => ({
      value,
      label,
      count: counted('status', ({ status }) => status === value),
    }),
  )
  return (
    <section className={styles.filters} aria-label="Filters" data-screen>
      <Row label="Type" name="family" current={view.family} choices={[all('family'), ...families]} />
      <Row label="Status" name="status" current={view.status} choices={[all('status'), ...statuses]} />
      <Row
        label="Review"
        name="reviewed"
        current={view.reviewed}
        choices={[
          all('reviewed'),
          { value: 'yes', label: 'Reviewed', count: counted('reviewed', layer => layer.isReviewed) },
          { value: 'no', label: 'Not reviewed', count: counted('reviewed', layer => !layer.isReviewed) },
        ]}
      />
    </section>
  )
}

type RowProps = { label: string; name: string; current: string | undefined; choices: readonly Choice[] }

function Row({ label, name, current, choices }: RowProps) {
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
              to={addressWith(search, { [name]: value })}
              title={title}
              aria-current={value === current ? 'true' : undefined}
              data-none={count === 0 || undefined}
              preventScrollReset
              replace
            >
              {words}
              <span className={styles.count}>
                {count}
                <span className="visually-hidden"> {count === 1 ? 'layer' : 'layers'}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
