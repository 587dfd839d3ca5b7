import type { LayerProfile, PublishedGrade } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import type { Holding } from '../chain/loadHoldings.server.ts'
import { Grade } from '../l2s/Grade.tsx'
import { placeOf } from '../l2s/words.ts'

type Props = { profile: LayerProfile | undefined }

type CustodyRow = {
  name: string
  sat: number | null
  grade: PublishedGrade | null
  keeper: string | null
  by: string | null
}
const custodyColumns: readonly TableColumn<CustodyRow>[] = [
  { key: 'name', label: 'Token', value: row => row.name },
  {
    key: 'amount',
    label: 'On the layer',
    isNumber: true,
    value: row => row.sat,
    cell: row => figureText(row.sat, 'sat').text,
  },
  {
    key: 'grade',
    label: 'Published grade of its custody',
    value: row => placeOf(row.grade),
    cell: row => <Grade grade={row.grade} />,
  },
  { key: 'keeper', label: 'Bitcoin custodian', value: row => row.keeper, cell: row => row.keeper ?? '–' },
  { key: 'by', label: 'Graded by', value: row => row.by, cell: row => row.by ?? '–' },
]

/** `solvbtccore` of `solvbtc-core`: publishers and the catalogue set hyphens differently. */
const bare = (name: string): string => name.replaceAll('-', '')

/** The tokens that stand for bitcoin on the layer, with who keeps the bitcoin behind each. */
export function Custody({ profile, amounts }: Props & { amounts: readonly Holding[] }) {
  if (profile === undefined) return null
  const newest = profile.assessments.toSorted((a, b) => b.day.localeCompare(a.day))[0]
  const graded = newest?.pegs ?? []
  const satBySlug = new Map(amounts.map(({ key, value }) => [key, value]))
  const byName = new Map(profile.tokens.map(token => [bare(token.id), token]))
  const tokenOf = (slug: string) =>
    byName.get(bare(slug)) ?? byName.get(bare(slug.slice(slug.indexOf('-') + 1)))
  const known = new Set(
    [...graded.map(({ slug }) => slug), ...amounts.map(({ key }) => key)].map(slug => tokenOf(slug)?.id),
  )
  const rows: CustodyRow[] = [
    ...graded.map(({ name, slug, grade }) => ({
      name,
      sat: satBySlug.get(slug) ?? null,
      grade,
      keeper: tokenOf(slug)?.custody ?? null,
      by: newest === undefined ? null : `${newest.by}, ${dayText(newest.day)}`,
    })),
    ...amounts
      .filter(({ key }) => !graded.some(({ slug }) => slug === key))
      .map(({ key, value }) => ({
        name: tokenOf(key)?.name ?? key,
        sat: value,
        grade: null,
        keeper: tokenOf(key)?.custody ?? null,
        by: null,
      })),
    ...profile.tokens
      .filter(({ id, kind }) => kind === 'btc' && !known.has(id))
      .map(({ name, custody }) => ({ name, sat: null, grade: null, keeper: custody, by: null })),
  ]
  return (
    <TableCard
      id="custody"
      title="Bitcoin-backed tokens"
      sub={`Tokens on one layer have different custodians, so the layer’s grade is not the grade of each token${amounts[0] === undefined ? '' : `; amounts of ${dayText(amounts[0].day)}`}`}
      rows={rows}
      columns={custodyColumns}
      rowKey={row => row.name}
      words={row => `${row.name} ${row.keeper ?? ''}`}
      empty="No such token in public sources."
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
      <a href={row.url} rel="noopener noreferrer">
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
    <TableCard
      id="incidents"
      title="Incidents"
      sub="Thefts, halts and faults with their source"
      rows={profile.incidents.toSorted((a, b) => b.day.localeCompare(a.day))}
      columns={incidentColumns}
      rowKey={row => `${row.day}.${row.what}`}
      words={row => row.what}
      empty="None in the catalog. Unrecorded ones may exist."
    />
  )
}
