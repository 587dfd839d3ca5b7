import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { StacksTxSummary } from '#http/contract.ts'
import { shortened } from '../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { exactStx, grouped } from '../../format/figure.ts'
import { Principal } from './Principal.tsx'
import { SentenceText } from './SentenceText.tsx'
import styles from './Stacks.module.css'
import { statusText, told } from './told.ts'

const COLUMNS: readonly TableColumn<StacksTxSummary>[] = [
  {
    key: 'txid',
    label: 'Transaction',
    value: tx => tx.txid,
    cell: tx => (
      <Link to={`/stacks/tx/${tx.txid}`} title={tx.txid}>
        <code>{shortened(tx.txid)}</code>
      </Link>
    ),
  },
  {
    key: 'what',
    label: 'What it does',
    value: tx => tx.sentence.text,
    cell: tx => <SentenceText of={tx.sentence} />,
  },
  {
    key: 'outcome',
    label: 'Outcome',
    value: tx => tx.status,
    cell: tx =>
      tx.isSuccess !== false ? (
        told(tx.isSuccess, () => statusText(tx.status))
      ) : (
        <span className={styles.failed} title={statusText(tx.status)}>
          failed
        </span>
      ),
  },
  {
    key: 'sender',
    label: 'Sender',
    value: tx => tx.sender,
    cell: tx => <Principal of={tx.sender} name={tx.senderName} />,
  },
  {
    key: 'fee',
    label: 'Fee, STX',
    isNumber: true,
    value: tx => Number(tx.feeUstx) / 1e6,
    cell: tx => exactStx(tx.feeUstx).replace(' STX', ''),
  },
  { key: 'events', label: 'Events', isNumber: true, value: tx => tx.eventCount },
  {
    key: 'block',
    label: 'Block',
    isNumber: true,
    value: tx => tx.height,
    cell: tx => <Link to={`/stacks/block/${tx.height}`}>{grouped(String(tx.height))}</Link>,
  },
]

type Props = { txs: readonly StacksTxSummary[]; sub: string; foot?: ReactNode }

export function TxsTable({ txs, sub, foot }: Props) {
  return (
    <TableCard
      id="txs"
      title="Transactions"
      sub={sub}
      rows={txs}
      columns={COLUMNS}
      rowKey={tx => `${tx.height}.${tx.txIndex}`}
      words={tx => `${tx.txid} ${tx.sentence.text} ${tx.sender} ${tx.senderName ?? ''} ${tx.contract ?? ''}`}
      empty="None in the indexed blocks."
      foot={foot}
    />
  )
}
