import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { LayerTxSummary } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { grouped } from '../../format/figure.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import styles from '../stacks/Stacks.module.css'
import { Party } from './Party.tsx'
import { feeText, outcomeText, shortHash, txText } from './words.ts'

const columnsOf = (layer: SiteLayer): readonly TableColumn<LayerTxSummary>[] => [
  {
    key: 'hash',
    label: 'Transaction',
    value: tx => tx.hash,
    cell: tx => (
      <Link to={`/${layer.id}/tx/${tx.hash}`} title={tx.hash}>
        <code>{shortHash(tx.hash)}</code>
      </Link>
    ),
  },
  { key: 'what', label: 'What it does', value: tx => txText(layer, tx) },
  {
    key: 'outcome',
    label: 'Outcome',
    value: tx => outcomeText(tx.isSuccess),
    cell: tx =>
      tx.isSuccess === false ? <span className={styles.failed}>failed</span> : outcomeText(tx.isSuccess),
  },
  {
    key: 'sender',
    label: 'Sender',
    value: tx => tx.sender.address,
    cell: tx => <Party layer={layer} of={tx.sender} />,
  },
  {
    key: 'recipient',
    label: 'Recipient',
    value: tx => (tx.recipient ?? tx.contract)?.address ?? null,
    cell: tx => <Party layer={layer} of={tx.recipient ?? tx.contract} />,
  },
  {
    key: 'fee',
    label: 'Fee',
    isNumber: true,
    value: tx => (tx.feeWei === null ? null : Number(tx.feeWei)),
    cell: tx => {
      const { text, full } = feeText(layer, tx.feeWei)
      return <span title={full}>{text}</span>
    },
  },
  { key: 'logs', label: 'Logs', isNumber: true, value: tx => tx.logCount },
  {
    key: 'block',
    label: 'Block',
    isNumber: true,
    value: tx => tx.height,
    cell: tx => <Link to={`/${layer.id}/block/${tx.height}`}>{grouped(String(tx.height))}</Link>,
  },
]

type Props = { layer: SiteLayer; txs: readonly LayerTxSummary[]; sub: string; foot?: ReactNode }

export function TxsTable({ layer, txs, sub, foot }: Props) {
  return (
    <TableCard
      id="txs"
      title="Transactions"
      sub={sub}
      rows={txs}
      columns={columnsOf(layer)}
      rowKey={tx => tx.hash}
      words={tx =>
        `${tx.hash} ${txText(layer, tx)} ${tx.sender.address} ${tx.recipient?.address ?? ''} ${tx.functionName}`
      }
      empty="None in the indexed blocks."
      foot={foot}
    />
  )
}
