import { Link } from 'react-router'
import type { LayerEventView, LayerTransferView } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import type { SiteLayer } from '../../shell/layers.ts'
import styles from '../stacks/Stacks.module.css'
import { Party } from './Party.tsx'
import { amountText, shortHash } from './words.ts'

const txColumn = <Row extends { txHash: string }>(layer: SiteLayer): TableColumn<Row> => ({
  key: 'tx',
  label: 'Transaction',
  value: row => row.txHash,
  cell: row => (
    <Link to={`/${layer.id}/tx/${row.txHash}`} title={row.txHash}>
      <code>{shortHash(row.txHash)}</code>
    </Link>
  ),
})

const transferColumns = (layer: SiteLayer): readonly TableColumn<LayerTransferView>[] => [
  { key: 'what', label: 'What', value: transfer => amountText(transfer) },
  {
    key: 'from',
    label: 'From',
    value: transfer => transfer.sender?.address ?? null,
    cell: transfer => <Party layer={layer} of={transfer.sender} none="made" />,
  },
  {
    key: 'to',
    label: 'To',
    value: transfer => transfer.recipient?.address ?? null,
    cell: transfer => <Party layer={layer} of={transfer.recipient} none="destroyed" />,
  },
  {
    key: 'token',
    label: 'Token',
    value: transfer => transfer.token.address,
    cell: ({ token }) => (
      <Party layer={layer} of={{ address: token.address, name: token.isListed ? token.symbol : null }} />
    ),
  },
]

type TransfersProps = { layer: SiteLayer; transfers: readonly LayerTransferView[]; withTx?: boolean }

/** Tokens that moved, were made or were destroyed. Nothing where there is none. */
export function TransfersTable({ layer, transfers, withTx = false }: TransfersProps) {
  if (transfers.length === 0) return null
  const columns = transferColumns(layer)
  return (
    <TableCard
      id="transfers"
      title="Tokens that moved"
      sub="Symbol and decimals are self-reported by the token. Anyone can give a token a known name"
      rows={transfers}
      columns={withTx ? [...columns, txColumn<LayerTransferView>(layer)] : columns}
      rowKey={transfer => `${transfer.height}.${transfer.logIndex}.${transfer.item}`}
      words={transfer =>
        `${transfer.token.symbol ?? ''} ${transfer.token.address} ${transfer.sender?.address ?? ''} ${transfer.recipient?.address ?? ''}`
      }
    />
  )
}

const said = (event: LayerEventView): string =>
  event.name === ''
    ? `${event.topics.join(' ')} ${event.data}`.trim()
    : event.args.map(({ name, value }) => `${name}: ${value}`).join('\n')

const eventColumns = (layer: SiteLayer): readonly TableColumn<LayerEventView>[] => [
  {
    key: 'event',
    label: 'Event',
    value: event => event.name || null,
    cell: event =>
      event.name === '' ? (
        <span className={styles.quiet}>not known</span>
      ) : (
        <span title={event.event}>{event.name}</span>
      ),
  },
  {
    key: 'emitter',
    label: 'Written by',
    value: event => event.emitter.address,
    cell: event => <Party layer={layer} of={event.emitter} />,
  },
  {
    key: 'said',
    label: 'What it says',
    value: said,
    cell: event => <code className={styles.code}>{said(event) || '–'}</code>,
  },
]

type EventsProps = { layer: SiteLayer; events: readonly LayerEventView[]; withTx?: boolean }

/** Logs, named by the catalogue where it knows the event; what it does not know stands as it is. */
export function EventsTable({ layer, events, withTx = false }: EventsProps) {
  if (events.length === 0) return null
  const columns = eventColumns(layer)
  return (
    <TableCard
      id="events"
      title="Logs"
      rows={events}
      columns={withTx ? [...columns, txColumn<LayerEventView>(layer)] : columns}
      rowKey={event => `${event.height}.${event.logIndex}`}
      words={event => `${event.name} ${event.emitter.address} ${said(event)}`}
    />
  )
}
