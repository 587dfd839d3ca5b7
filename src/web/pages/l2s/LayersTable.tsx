import { Link, useLocation } from 'react-router'
import type { DirectoryLayer, TrustCategory } from '#http/contract.ts'
import { addressOfAssay } from '../../assay/address.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { Grade } from './Grade.tsx'
import styles from './LayersTable.module.css'
import { CATEGORIES, CATEGORY_KEYS, FAMILIES, placeOf, profilePath, STATUSES } from './words.ts'

type Props = { layers: readonly DirectoryLayer[] }

/** One row a layer: what it is, what it holds, whom to trust. */
export function LayersTable({ layers }: Props) {
  const { search } = useLocation()
  return (
    <TableCard
      id="layers"
      title="All layers"
      sub="Grades as Bitcoin Layers published them; status and grades are of the day beside them"
      rows={layers}
      columns={columnsOf(search)}
      rowKey={({ slug }) => slug}
      words={({ name, kind, family, status, sentence, btcAsset }) =>
        `${name} ${kind} ${FAMILIES[family]} ${STATUSES[status]} ${sentence} ${btcAsset ?? ''}`
      }
      empty="No layer passes these filters. Take one of them back."
    />
  )
}

const gradeColumn = (category: TrustCategory): TableColumn<DirectoryLayer> => ({
  key: category,
  label: CATEGORIES[category].label,
  // By place, so that sorting goes from little to much trust.
  value: ({ grades }) => placeOf(grades[category]) ?? grades[category],
  cell: ({ grades }) =>
    grades[category] === null ? (
      <span className={styles.quiet}>
        –<span className="visually-hidden"> not graded</span>
      </span>
    ) : (
      <Grade grade={grades[category]} isStacked />
    ),
})

const figureColumn = (
  search: string,
  { key, label, isOptional }: { key: 'btc' | 'tvl'; label: string; isOptional?: boolean },
): TableColumn<DirectoryLayer> => ({
  key,
  label,
  isNumber: true,
  ...(isOptional && { isOptional }),
  value: ({ figures }) => {
    const value = figures[key]?.value
    return value == null ? null : Number(value)
  },
  cell: ({ slug, name, figures }) => {
    const figure = figures[key]
    if (figure === null) return <span className={styles.quiet}>–</span>
    const { text, full } = figureText(figure.value, figure.unit)
    return (
      <span className={styles.stack}>
        <Link
          to={addressOfAssay(search, `${figure.metric}@${slug}`)}
          title={full}
          aria-label={`${name}, ${label}: ${text}. Open its assay view.`}
          preventScrollReset
        >
          {text}
        </Link>
        <small data-state={figure.asOf.state}>{dayText(figure.day)}</small>
      </span>
    )
  },
})

const LINKS = [
  ['website', 'Site'],
  ['docs', 'Docs'],
  ['github', 'Code'],
] as const

const columnsOf = (search: string): readonly TableColumn<DirectoryLayer>[] => [
  {
    key: 'name',
    label: 'Layer',
    value: ({ name }) => name,
    cell: ({ slug, name, kind, sentence }) => (
      <span className={styles.name} title={sentence}>
        <Link to={profilePath(slug)}>{name}</Link>
        <small>{kind}</small>
      </span>
    ),
  },
  { key: 'kind', label: 'What it is', value: ({ kind }) => kind, isOptional: true },
  { key: 'family', label: 'Type', value: ({ family }) => FAMILIES[family], isOptional: true },
  {
    key: 'status',
    label: 'Status',
    value: ({ status }) => STATUSES[status],
    cell: ({ status, statusAsOf }) => (
      <span className={styles.stack}>
        <span className={styles.status} data-status={status}>
          {STATUSES[status]}
        </span>
        <small>{dayText(statusAsOf)}</small>
      </span>
    ),
  },
  figureColumn(search, { key: 'btc', label: 'BTC bridged' }),
  figureColumn(search, { key: 'tvl', label: 'TVL', isOptional: true }),
  ...CATEGORY_KEYS.map(gradeColumn),
  {
    key: 'graded',
    label: 'Graded on',
    value: ({ gradesAsOf }) => gradesAsOf,
    cell: ({ gradesAsOf }) => (gradesAsOf === null ? '–' : dayText(gradesAsOf)),
    isOptional: true,
  },
  {
    key: 'launch',
    label: 'Launch',
    value: ({ launchedOn }) => launchedOn,
    cell: ({ launchedOn }) =>
      launchedOn === null ? <span className={styles.quiet}>–</span> : dayText(launchedOn),
  },
  {
    key: 'links',
    label: 'Links',
    value: ({ links }) => links.website ?? null,
    cell: ({ name, links }) => (
      <span className={styles.links}>
        {LINKS.map(([key, label]) =>
          links[key] === undefined ? null : (
            <a key={key} href={links[key]} rel="noopener noreferrer" title={`${label} of ${name}`}>
              {label}
            </a>
          ),
        )}
      </span>
    ),
  },
]
