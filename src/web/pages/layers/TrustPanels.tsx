import { Link } from 'react-router'
import type { LayerProfile, PublishedGrade, TrustCategory } from '#http/contract.ts'
import { StateCard } from '../../blocks/State.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { Grade } from '../l2s/Grade.tsx'
import { CATEGORIES, CATEGORY_KEYS, placeOf, profilePath } from '../l2s/words.ts'
import styles from '../stacks/Stacks.module.css'

type Props = { profile: LayerProfile | undefined }

type TrustRow = {
  category: TrustCategory
  grade: PublishedGrade | null
  words: string | null
  assessment: LayerProfile['assessments'][number] | undefined
}

const trustColumns: readonly TableColumn<TrustRow>[] = [
  {
    key: 'category',
    label: 'Question',
    value: row => CATEGORIES[row.category].label,
    cell: row => (
      <>
        <strong>{CATEGORIES[row.category].label}</strong>
        <br />
        {CATEGORIES[row.category].asks}
      </>
    ),
  },
  {
    key: 'grade',
    label: 'Published grade',
    value: row => placeOf(row.grade),
    cell: row => <Grade grade={row.grade} />,
  },
  {
    key: 'words',
    label: 'Whom you trust, in our words',
    value: row => row.words,
    cell: row => row.words ?? '–',
  },
  {
    key: 'evidence',
    label: 'Assessed by',
    value: row => row.assessment?.day ?? null,
    cell: row =>
      row.assessment === undefined ? (
        '–'
      ) : (
        <>
          <a href={row.assessment.url} rel="noreferrer">
            {row.assessment.by}
          </a>
          , {dayText(row.assessment.day)}
        </>
      ),
  },
]

/** The four questions of trust: the published grade with its day and its link, and what it is about in a few words. */
export function Trust({ profile }: Props) {
  if (profile === undefined) return null
  const newest = profile.assessments.toSorted((a, b) => b.day.localeCompare(a.day))[0]
  if (newest === undefined && profile.trust === null)
    return (
      <StateCard kind="empty" title="What you trust">
        <p>Nobody has published an assessment of {profile.name}, and no grade is made up in its place.</p>
      </StateCard>
    )
  const rows = CATEGORY_KEYS.map(category => ({
    category,
    grade: newest?.grades[category] ?? null,
    words: profile.trust?.[category] ?? null,
    assessment: newest,
  }))
  return (
    <TableCard
      id="trust"
      title="What you trust"
      sub={
        newest?.isReviewed === false
          ? 'The assessment is not reviewed by its publisher yet'
          : 'Grades are the publisher’s, none is ours; Low asks for little trust, Critical for most'
      }
      rows={rows}
      columns={trustColumns}
      rowKey={row => row.category}
      words={row => `${CATEGORIES[row.category].label} ${row.grade ?? ''} ${row.words ?? ''}`}
      empty=""
    />
  )
}

type CustodyRow = { name: string; grade: PublishedGrade | null; keeper: string | null; by: string | null }
const custodyColumns: readonly TableColumn<CustodyRow>[] = [
  { key: 'name', label: 'Token', value: row => row.name },
  {
    key: 'grade',
    label: 'Published grade of its custody',
    value: row => placeOf(row.grade),
    cell: row => <Grade grade={row.grade} />,
  },
  { key: 'keeper', label: 'Who keeps the bitcoin', value: row => row.keeper, cell: row => row.keeper ?? '–' },
  { key: 'by', label: 'Graded by', value: row => row.by, cell: row => row.by ?? '–' },
]

/** The tokens that stand for bitcoin on the layer, with who keeps the bitcoin behind each. */
export function Custody({ profile }: Props) {
  if (profile === undefined) return null
  const newest = profile.assessments.toSorted((a, b) => b.day.localeCompare(a.day))[0]
  const graded = newest?.pegs ?? []
  const bySlug = new Map(profile.tokens.map(token => [token.id, token]))
  const rows: CustodyRow[] = [
    ...graded.map(({ name, slug, grade }) => ({
      name,
      grade,
      keeper: bySlug.get(slug)?.custody ?? null,
      by: newest === undefined ? null : `${newest.by}, ${dayText(newest.day)}`,
    })),
    ...profile.tokens
      .filter(({ id, kind }) => kind === 'btc' && !graded.some(({ slug }) => slug === id))
      .map(({ name, custody }) => ({ name, grade: null, keeper: custody, by: null })),
  ]
  return (
    <TableCard
      id="custody"
      title="Tokens that stand for bitcoin"
      sub="On one layer they differ in who keeps the bitcoin: the grade of the layer is not the grade of each token"
      rows={rows}
      columns={custodyColumns}
      rowKey={row => row.name}
      words={row => `${row.name} ${row.keeper ?? ''}`}
      empty="No such token is known from public sources."
    />
  )
}

type Address = LayerProfile['addresses'][number]
const keyColumns: readonly TableColumn<Address>[] = [
  { key: 'role', label: 'Role', value: row => row.role },
  { key: 'chain', label: 'On', value: row => row.chain },
  {
    key: 'address',
    label: 'Address',
    value: row => row.address,
    cell: row => <code className={styles.code}>{row.address}</code>,
  },
  {
    key: 'origin',
    label: 'Read in',
    value: row => row.origin.repo ?? row.origin.url ?? null,
    cell: row => row.origin.repo ?? row.origin.url ?? row.origin.note ?? '–',
    isOptional: true,
  },
]

/** Addresses with power over the layer or its bitcoin, as far as facts have them. */
export function Keys({ profile }: Props) {
  if (profile === undefined) return null
  return (
    <TableCard
      id="keys"
      title="Keys and operators"
      sub="Addresses that hold the bitcoin, may change contracts or run the layer"
      rows={profile.addresses}
      columns={keyColumns}
      rowKey={row => `${row.chain}.${row.address}.${row.role}`}
      words={row => `${row.role} ${row.address}`}
      empty="The catalogue names no such address. That none is published is itself a reason for care."
    />
  )
}

type Incident = LayerProfile['incidents'][number]
const incidentColumns: readonly TableColumn<Incident>[] = [
  { key: 'day', label: 'Day', value: row => row.day, cell: row => dayText(row.day) },
  {
    key: 'what',
    label: 'What happened',
    value: row => row.what,
    cell: row => (
      <a href={row.url} rel="noreferrer">
        {row.what}
      </a>
    ),
  },
  {
    key: 'loss',
    label: 'Loss',
    isNumber: true,
    value: row => row.lossUsd,
    cell: row => (row.lossUsd === null ? '–' : figureText(row.lossUsd, 'USD').text),
  },
]

/** Thefts, halts and faults, newest first. */
export function Incidents({ profile }: Props) {
  if (profile === undefined) return null
  return (
    <>
      <TableCard
        id="incidents"
        title="Incidents"
        sub="Thefts, halts and faults with their source"
        rows={profile.incidents.toSorted((a, b) => b.day.localeCompare(a.day))}
        columns={incidentColumns}
        rowKey={row => `${row.day}.${row.what}`}
        words={row => row.what}
        empty="The catalogue records none. That nobody recorded one does not say that there was none."
      />
      <p className={styles.quiet}>
        <Link to={profilePath(profile.slug)}>All that the catalogue says of {profile.name}</Link>
      </p>
    </>
  )
}
