import type { ChainEvent } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import styles from './Stacks.module.css'

const COLUMNS: readonly TableColumn<ChainEvent>[] = [
  { key: 'day', label: 'Day', value: event => event.day, cell: event => dayText(event.day) },
  { key: 'label', label: 'What', value: event => event.label },
  {
    key: 'note',
    label: 'What it changed',
    value: event => event.note,
    cell: event => <span className={styles.sentence}>{event.note}</span>,
  },
]

/** Upgrades and incidents of the network, newest first: the same that stand as flags on the charts. */
export function Upgrades({ events }: { events: readonly ChainEvent[] }) {
  return (
    <TableCard
      id="upgrades"
      title="Upgrades of the network"
      sub="And outages, from the catalog with sources"
      rows={events.toReversed()}
      columns={COLUMNS}
      rowKey={event => `${event.day} ${event.label}`}
      words={event => `${event.day} ${event.label} ${event.note}`}
      empty="The catalog has no Stacks upgrades."
    />
  )
}
