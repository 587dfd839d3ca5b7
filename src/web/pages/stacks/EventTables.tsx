import { Link } from 'react-router'
import type { StacksPrintView, StacksTransferView } from '#http/contract.ts'
import { shortened } from '../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { Principal } from './Principal.tsx'
import { principalText } from './principal.ts'
import { SentenceText } from './SentenceText.tsx'
import styles from './Stacks.module.css'

const ACTION: Record<string, string> = { transfer: 'moved', mint: 'made', burn: 'destroyed' }

const TRANSFERS: readonly TableColumn<StacksTransferView>[] = [
  { key: 'what', label: 'What', value: transfer => transfer.words },
  {
    key: 'action',
    label: 'Was',
    value: transfer => ACTION[transfer.action] ?? transfer.action,
  },
  {
    key: 'from',
    label: 'From',
    value: transfer => transfer.sender,
    cell: transfer => <Principal of={transfer.sender} name={transfer.senderName} />,
  },
  {
    key: 'to',
    label: 'To',
    value: transfer => transfer.recipient,
    cell: transfer => <Principal of={transfer.recipient} name={transfer.recipientName} />,
  },
  {
    key: 'contract',
    label: 'Token of',
    value: transfer => transfer.asset.split('::')[0] || null,
    cell: transfer => <Principal of={transfer.asset.split('::')[0] ?? ''} />,
  },
]
const txColumn = <Row extends { txid: string }>(): TableColumn<Row> => ({
  key: 'txid',
  label: 'Transaction',
  value: row => row.txid,
  cell: row => (
    <Link to={`/stacks/tx/${row.txid}`} title={row.txid}>
      <code>{shortened(row.txid, 6)}</code>
    </Link>
  ),
})

type TransfersProps = { transfers: readonly StacksTransferView[]; withTx?: boolean }

/** STX and tokens that moved, were made or destroyed. Nothing where there is none. */
export function TransfersTable({ transfers, withTx = false }: TransfersProps) {
  if (transfers.length === 0) return null
  return (
    <TableCard
      id="transfers"
      title="Amounts that moved"
      sub="In each token’s decimals, or base units if unknown"
      rows={transfers}
      columns={withTx ? [...TRANSFERS, txColumn<StacksTransferView>()] : TRANSFERS}
      rowKey={transfer => `${transfer.txid}.${transfer.eventIndex}`}
      words={transfer => `${transfer.asset} ${transfer.sender ?? ''} ${transfer.recipient ?? ''}`}
    />
  )
}

const PRINTS: readonly TableColumn<StacksPrintView>[] = [
  {
    key: 'says',
    label: 'What it says',
    value: print => print.sentence.text,
    cell: print => <SentenceText of={print.sentence} />,
  },
  {
    key: 'event',
    label: 'Event',
    value: print => print.event || null,
    cell: print => print.event || <span className={styles.quiet}>not named</span>,
  },
  {
    key: 'contract',
    label: 'Printed by',
    value: print => principalText(print.contract),
    cell: print => <Principal of={print.contract} />,
  },
  {
    key: 'value',
    label: 'Value',
    value: print => print.repr,
    cell: print => <code className={styles.code}>{print.repr}</code>,
  },
]

type PrintsProps = { prints: readonly StacksPrintView[]; withTx?: boolean }

/** What contracts printed, named by the catalogue where it knows the print. */
export function PrintsTable({ prints, withTx = false }: PrintsProps) {
  if (prints.length === 0) return null
  return (
    <TableCard
      id="prints"
      title="What contracts printed"
      rows={prints}
      columns={withTx ? [...PRINTS, txColumn<StacksPrintView>()] : PRINTS}
      rowKey={print => `${print.txid}.${print.eventIndex}`}
      words={print => `${print.event} ${print.contract} ${print.repr}`}
    />
  )
}
