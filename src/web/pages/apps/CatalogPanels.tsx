import type { Application } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { AddressTable } from '../l2s/ProfileTables.tsx'
import { CallCard } from '../stacks/CallCard.tsx'
import styles from './Apps.module.css'

/** What the catalogue says of an application, as panels. */

type Props = { app: Application }

export function About({ app }: Props) {
  return (
    <Card title={`What ${app.name} is`}>
      <p className={styles.lead}>{app.sentence ?? `${app.category} on ${app.layers.join(', ')}.`}</p>
    </Card>
  )
}

export function Contracts({ app }: Props) {
  const callable = app.contracts.filter(({ layer, address }) => layer === 'stacks' && address.includes('.'))
  return (
    <>
      <AddressTable
        rows={app.contracts.map(({ layer, address, role }) => ({ chain: layer, address, role }))}
      />
      {callable.length > 0 && <CallCard contracts={callable.map(({ address }) => address)} />}
    </>
  )
}

type Audit = Application['audits'][number]
const auditColumns: readonly TableColumn<Audit>[] = [
  { key: 'when', label: 'When', value: row => row.when },
  {
    key: 'what',
    label: 'What was looked at',
    value: row => row.what,
    cell: row =>
      row.url === null ? (
        row.what
      ) : (
        <a href={row.url} rel="noopener noreferrer">
          {row.what}
        </a>
      ),
  },
  { key: 'by', label: 'By', value: row => row.by, cell: row => row.by ?? 'not reported' },
]

/** Published audits, newest first. */
export const Audits = ({ app }: Props) => (
  <TableCard
    id="audits"
    title="Audits"
    sub="An audit is of the contracts of its day: newer ones may differ"
    rows={app.audits}
    columns={auditColumns}
    rowKey={row => `${row.when}.${row.by}.${row.what}`}
    empty="No published audit in the sources reviewed."
  />
)

type Incident = Application['incidents'][number]
const incidentColumns: readonly TableColumn<Incident>[] = [
  { key: 'day', label: 'Day', value: row => row.day, cell: row => dayText(row.day) },
  {
    key: 'what',
    label: 'What happened',
    value: row => row.what,
    cell: row => (
      <a href={row.url} rel="noopener noreferrer" className={styles.wrap}>
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
export const Incidents = ({ app }: Props) => (
  <TableCard
    id="incidents"
    title="Incidents"
    sub="Thefts, halts and faults with their source"
    rows={app.incidents}
    columns={incidentColumns}
    rowKey={row => `${row.day}.${row.what}`}
    empty="None in the catalog. Unrecorded ones may exist."
  />
)

/** What has no figure here, and why; nothing where all is covered. */
export function NotCoveredHere({ app }: Props) {
  if (app.notCovered.length === 0) return null
  return (
    <Card title="What is not covered" sub="And what would be needed">
      <ul className={styles.list}>
        {app.notCovered.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Card>
  )
}

export function Links({ app }: Props) {
  const links = Object.entries(app.links)
  if (links.length === 0) return null
  return (
    <Card title="Links">
      <Facts
        facts={links.map(([label, url]) => ({
          label: label.charAt(0).toUpperCase() + label.slice(1),
          value: (
            <a href={url} rel="noopener noreferrer">
              {new URL(url).host.replace(/^www\./, '')}
            </a>
          ),
        }))}
      />
    </Card>
  )
}
